package chunk

import (
	"bytes"
	"strings"
)

// readMake makes sections of the rules of a makefile.
func readMake(t *text) (o outline) {
	var s sections
	goesOn := false // the line before ends with a backslash
	special := 0    // the line of .PHONY or its like, which belongs to the rule below it
	for n := 1; n <= t.count(); n++ {
		line := t.line(n)
		begins := !goesOn && len(line) > 0 && line[0] > ' '
		goesOn = bytes.HasSuffix(line, []byte(`\`))
		switch {
		case !begins:
		case line[0] == '#':
			o.comment(n, n)
		case isSpecial(target(line)):
			special = n
			o.cut(n, 0)
			s.close(o.lead(n)-1, 0)
		case target(line) != "":
			first := o.lead(n)
			if special > 0 && special == n-1 {
				first = o.cuts[len(o.cuts)-1].First
			} else {
				o.cut(n, 0)
			}
			s.add(first, n, 1, target(line), ".")
		default:
			o.cut(n, 0)
			s.close(o.lead(n)-1, 0)
		}
	}
	s.close(t.count(), 0)
	o.units = s.made
	return o
}

// target is what stands before the colon of a rule.
func target(line []byte) string {
	at := bytes.IndexAny(line, ":=")
	if at <= 0 || line[at] == '=' || strings.HasPrefix(strings.TrimLeft(string(line[at:]), ":"), "=") {
		return ""
	}
	return strings.TrimSpace(string(line[:at]))
}

// isSpecial tells the targets that are no files: .PHONY, .SUFFIXES.
func isSpecial(target string) bool {
	return len(target) > 1 && target[0] == '.' && strings.ToUpper(target) == target
}

// readDocker makes sections of the stages of a Dockerfile.
func readDocker(t *text) (o outline) {
	var s sections
	goesOn := false
	for n := 1; n <= t.count(); n++ {
		line := bytes.TrimLeft(t.line(n), " \t")
		begins := !goesOn && len(line) > 0
		goesOn = bytes.HasSuffix(line, []byte(`\`)) || goesOn && len(line) > 0 && line[0] == '#'
		switch {
		case !begins:
		case line[0] == '#':
			o.comment(n, n)
			goesOn = false
		case len(line) > 5 && strings.EqualFold(string(line[:5]), "FROM "):
			o.cut(n, 0)
			s.add(o.lead(n), n, 1, stage(line), ".")
		default:
			o.cut(n, 1)
		}
	}
	s.close(t.count(), 0)
	o.units = s.made
	return o
}

// stage is the name of a stage, or the image that it is made from.
func stage(line []byte) string {
	words := strings.Fields(string(line))
	for i, w := range words {
		if strings.EqualFold(w, "AS") && i+1 < len(words) {
			return words[i+1]
		}
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "--") {
			return w
		}
	}
	return words[0]
}

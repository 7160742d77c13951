package chunk

import "bytes"

// readINI knows the sections of INI, .cfg, .properties and their like, and the keys at
// the start of a line.
func readINI(t *text) outline { return keyed(t, false) }

// readTOML is readINI with strings of several lines.
func readTOML(t *text) outline { return keyed(t, true) }

func keyed(t *text, strings bool) (o outline) {
	var s sections
	empty := true
	quotes := ""
	for n := 1; n <= t.count(); n++ {
		line := t.line(n)
		inside := quotes != ""
		if strings {
			quotes = openQuotes(line, quotes)
		}
		if inside {
			continue
		}
		switch {
		case len(line) == 0:
		case line[0] == '#' || line[0] == ';' || line[0] == '!':
			o.comment(n, n)
		case header(line) != nil:
			o.cut(n, 0)
			s.add(o.lead(n), n, 1, string(header(line)), ".")
		case empty:
			o.cut(n, 1+max(indent(line), 0))
		case line[0] > ' ' && bytes.ContainsAny(line, "=:"):
			o.cut(n, 2)
		}
		empty = len(line) == 0
	}
	s.close(t.count(), 0)
	o.units = s.made
	return o
}

// header is what stands between the brackets of a section's first line.
func header(line []byte) []byte {
	if line[0] != '[' {
		return nil
	}
	end := bytes.LastIndexByte(line, ']')
	if end < 0 {
		return nil
	}
	if rest := bytes.TrimSpace(line[end+1:]); len(rest) > 0 && rest[0] != '#' && rest[0] != ';' {
		return nil
	}
	name := bytes.TrimSpace(bytes.Trim(line[:end], "[]"))
	if len(name) == 0 {
		return nil
	}
	return name
}

// openQuotes are the quotes of the string that is open behind a line, "" for none.
func openQuotes(line []byte, open string) string {
	for {
		if open != "" {
			at := bytes.Index(line, []byte(open))
			if at < 0 {
				return open
			}
			line, open = line[at+3:], ""
			continue
		}
		double, single := bytes.Index(line, []byte(`"""`)), bytes.Index(line, []byte(`'''`))
		switch {
		case double < 0 && single < 0:
			return ""
		case single < 0 || double >= 0 && double < single:
			line, open = line[double+3:], `"""`
		default:
			line, open = line[single+3:], `'''`
		}
	}
}

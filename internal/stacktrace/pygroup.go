package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	groupRule = regexp.MustCompile(`^\s*(?:\+-)?(\+)-{3,}(?: (?:\d+|\.\.\.) -+)?$`)
	groupLine = regexp.MustCompile(`^\s*(\|) ?(.*)$`)
)

// section is what one member of an exception group has for itself. The column of
// its bar tells how deep it is.
type section struct {
	column int
	lines  []line
	main   int // the index of its last trace, which is the member itself
}

// pyGroup reads an exception group, drawn as a tree with | and +---. A tree that
// says nothing is passed over.
func pyGroup(lines []line, i int) ([]Trace, int) {
	sections, next := groupSections(lines, i)
	var all []Trace
	var open []section // the ancestors
	for _, s := range sections {
		found := s.traces()
		if len(found) == 0 {
			continue
		}
		for k := range found {
			found[k].Links = shift(found[k].Links, len(all))
		}
		s.main = len(all) + len(found) - 1
		all = append(all, found...)
		for len(open) > 0 && open[len(open)-1].column >= s.column {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			parent := &all[open[len(open)-1].main]
			parent.Links = append(parent.Links, Link{Member, s.main})
		}
		open = append(open, s)
	}
	return all, next
}

// groupSections cuts the tree at its rules.
func groupSections(lines []line, i int) ([]section, int) {
	first := newLine(pyHead, lines[i].num)
	sections := []section{{column: -1, lines: []line{first}}}
	for i++; i < len(lines) && !lines[i].stop; i++ {
		if m := groupRule.FindStringSubmatchIndex(lines[i].text); m != nil {
			sections = append(sections, section{column: m[2]})
			continue
		}
		m := groupLine.FindStringSubmatchIndex(lines[i].text)
		if m == nil {
			break
		}
		s := &sections[len(sections)-1]
		s.lines = append(s.lines, newLine(lines[i].text[m[4]:m[5]], lines[i].num))
	}
	return sections, i
}

// traces reads a section; one without frames has only the line of its error.
func (s section) traces() []Trace {
	if len(s.lines) == 0 {
		return nil
	}
	if s.column >= 0 && !strings.HasSuffix(s.lines[0].body, pyHead) {
		m := pyError.FindStringSubmatch(s.lines[0].body)
		if m == nil {
			return nil
		}
		message := append([]string{m[2]}, bodies(s.lines[1:])...)
		return []Trace{{Language: source.Python, Kind: Exception, Error: m[1], Message: join(message),
			Line: s.lines[0].num, End: s.lines[len(s.lines)-1].num}}
	}
	found, _ := pyChain(s.lines, 0)
	return found
}

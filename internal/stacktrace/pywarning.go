package stacktrace

import (
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// readWarning reads what Python's warnings module prints: the place, the category
// and the message in a line, and the source below.
func readWarning(t *text, i int) ([]Trace, int) {
	if t.locs[i] != i {
		return nil, i
	}
	l := t.lines[i]
	m := pytestLocation.FindStringSubmatch(l.body)
	if !strings.HasSuffix(m[4], "Warning") {
		return nil, i
	}
	f := Frame{File: m[1], Line: number(m[2])}
	next := i + 1
	if below := t.at(next); !below.stop && !below.blank() && below.indent > l.indent {
		f.Code = below.body
		next++
	}
	return []Trace{{Language: source.Python, Kind: Warning, Error: m[4], Message: join([]string{m[5]}),
		Frames: []Frame{f}, Line: l.num, End: t.lines[next-1].num}}, next
}

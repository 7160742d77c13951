package code

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/source"
)

// CallSite is one call as it is written.
type CallSite struct {
	Name       string   // what is called, without its receiver
	Receiver   string   // the text before the last dot, shortened to 120 bytes
	Line       int      // of the name
	Column     int      // of the name in bytes, from 1, as in Reference
	End        int      // the last line of the call
	Positional int      // arguments by position, without those that are spread
	Keywords   []string // Python: the names of the others
	Spread     bool     // *args, ...x, and x... of Go: there may be more by position
	Keyed      bool     // Python: **kwargs: there may be more by keyword
	Forwards   string   // Go: the only argument is a call of this name, which may give several values
	Values     int      // Go: how many values the place takes; Unknown where it takes any
	Awaited    bool
	Used       bool // what it gives is read at once: f().x, f() + 1, for x of f()
	New        bool // new T()
}

// Unknown is the number of values of a place that takes any.
const Unknown = -1

// Calls parses one file of Go, Python, JavaScript or TypeScript in this process and gives
// its calls in the order of their names. The error, and what to give it, is as for
// [SignaturesOf].
func Calls(path string, data []byte) ([]CallSite, error) {
	c, err := collect(path, data)
	if err != nil {
		return nil, fmt.Errorf("calls of %s: %w", source.Quote(path), err)
	}
	var out []CallSite
	for n := int32(1); int(n) < len(c.nodes); n++ {
		if site, ok := c.callAt(n); ok {
			out = append(out, site)
		}
	}
	slices.SortStableFunc(out, func(a, b CallSite) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return out, nil
}

func (c *collector) callAt(n int32) (CallSite, bool) {
	switch family(c.lang) {
	case source.Go:
		return golang{c}.callSite(n)
	case source.Python:
		return (&python{collector: c}).callSite(n)
	}
	return script{c}.callSite(n)
}

// site is a call of the name at a node; false if that is missing.
func (c *collector) site(n, at, receiver int32) (CallSite, bool) {
	if at == 0 || c.nodes[at].end == c.nodes[at].start {
		return CallSite{}, false
	}
	start := c.begins(at)
	line := c.line(start)
	return CallSite{
		Name: c.str(at), Receiver: c.expr(receiver), Values: Unknown,
		Line: int(line), Column: int(start - c.lines[line-1] + 1), End: int(c.lastLine(n)),
	}, true
}

// outside is the nearest node around n that is more than brackets.
func (c *collector) outside(n int32) (up, inner int32) {
	for inner, up = n, c.nodes[n].parent; c.kind(up) == "parenthesized_expression"; up = c.nodes[up].parent {
		inner = up
	}
	return up, inner
}

package chunk

import (
	"cmp"
	"slices"
	"sort"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// outline is what the reader of a form finds: the parts that have names, and where
// there may be a cut.
type outline struct {
	units    []unit
	cuts     []code.Cut
	comments []source.Span
}

// unit is a definition or section.
type unit struct {
	first      int // start, or where the comments above it start
	start, end int
	name, sig  string
	kind       Kind
}

// node is a unit in its place: within the lines of the unit around it, and behind its
// sibling before.
type node struct {
	unit
	inside []*node
	part   int // chunks so far that show a part of it
}

func ofCode(l code.Layout) outline {
	o := outline{cuts: l.Cuts, comments: l.Comments}
	for _, s := range l.Symbols {
		u := unit{start: s.Span.Start, end: s.Span.End, name: s.Qualified, sig: s.Signature, kind: Kind(s.Kind)}
		u.first = o.above(u.start)
		o.units = append(o.units, u)
	}
	return o
}

// above is the first line of what belongs to a definition from above.
func (o *outline) above(line int) int {
	i := sort.Search(len(o.cuts), func(i int) bool { return o.cuts[i].Line >= line })
	if i < len(o.cuts) && o.cuts[i].First <= line {
		return o.cuts[i].First
	}
	i = sort.Search(len(o.comments), func(i int) bool { return o.comments[i].End >= line-1 })
	if i < len(o.comments) && o.comments[i].End == line-1 && o.comments[i].Start > 0 {
		return o.comments[i].Start
	}
	return line
}

// order brings what a reader found into the form that the rest relies on, in a file of n
// lines: units by their lines, the outer before the inner; cuts by their first lines,
// one a line, none before the first line of the file; comments that do not overlap.
func (o *outline) order(n int) {
	units := o.units[:0]
	for _, u := range o.units {
		if u.start >= 1 && u.start <= min(u.end, n) {
			u.end = min(u.end, n)
			units = append(units, u)
		}
	}
	slices.SortStableFunc(units, func(a, b unit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	cuts, before := make([]code.Cut, 0, len(o.cuts)), 1
	for _, c := range o.cuts {
		if c.First > before && c.First <= n {
			cuts = append(cuts, c)
			before = c.First
		}
	}
	comments, end := make([]source.Span, 0, len(o.comments)), 0
	for _, c := range o.comments {
		if c.End = min(c.End, n); c.Start > end && c.End >= c.Start {
			comments = append(comments, c)
			end = c.End
		}
	}
	o.units, o.cuts, o.comments = units, cuts, comments
}

// newTree puts ordered units into each other by their lines, in a file of n lines. One
// that has no line of its own is left out.
func newTree(units []unit, n int) *node {
	root := &node{unit: unit{first: 1, start: 1, end: n, kind: Lines}}
	open := []*node{root}
	for _, u := range units {
		for len(open) > 1 && (open[len(open)-1].end < u.start || open[len(open)-1].end < u.end) {
			open = open[:len(open)-1]
		}
		if c := open[len(open)-1].place(u); c != nil {
			open = append(open, c)
		}
	}
	return root
}

// place adds a unit to those inside of n, on the lines that are left for it.
func (n *node) place(u unit) *node {
	free := n.first
	if s := last(n.inside); s != nil {
		free = s.end + 1
	}
	u.first = max(min(u.first, u.start), free)
	if u.first > u.end || u.first == n.first && u.end == n.end && n.name != "" {
		return nil
	}
	c := &node{unit: u}
	n.inside = append(n.inside, c)
	return c
}

func last(nodes []*node) *node {
	if len(nodes) == 0 {
		return nil
	}
	return nodes[len(nodes)-1]
}

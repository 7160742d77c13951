package code

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/source"
)

// Layout is how the lines of a file hang together: where it may be cut, and what the
// parts are called. The last line that counts is the last one with a byte in it.
type Layout struct {
	Language source.Language

	// Symbols are the types and functions of the file, and the constants and variables
	// at its top, in order of their first line and the outer before the inner. Their
	// spans may cover each other in part, where two begin or end on one line.
	Symbols []Symbol

	// Cuts are in order, one a line at most.
	Cuts []Cut

	// Comments are the runs of lines with nothing but comments or docstrings, in order.
	Comments []source.Span
}

// Cut is a line that a statement, a definition, a run of comments or an element of a
// literal begins on, as the first thing on that line.
type Cut struct {
	Line  int
	First int // Line, or the first line of the comments and attributes right above, which belong to it
	Depth int // how many others are around it; 15 stands for more as well
}

// Layout gives the layout of a file of code; false for what has none.
func (x *Index) Layout(path string) (Layout, bool) {
	f, ok := x.byPath[path]
	if !ok || x.files[f].skip != "" || x.files[f].lang == manifest {
		return Layout{}, false
	}
	return x.files[f].layoutOf(), true
}

// LayoutOf parses one file in this process. The error is ErrLanguage, or that of the
// parser.
func LayoutOf(path string, data []byte) (Layout, error) {
	r, lang, err := parse(path, data)
	if err != nil {
		return Layout{}, err
	}
	defer r.close()
	found := r.facts(lang, data)
	if found.skip != "" {
		return Layout{}, fmt.Errorf("layout of %s: %s", source.Quote(path), found.skip)
	}
	f := file{path: path, facts: found, naming: new(naming)}
	return f.layoutOf(), nil
}

func (f *file) layoutOf() Layout {
	l := Layout{Language: f.lang}
	for i := range f.defs {
		if f.inLayout(&f.defs[i]) {
			l.Symbols = append(l.Symbols, f.symbol(i))
		}
	}
	slices.SortStableFunc(l.Symbols, func(a, b Symbol) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End))
	})
	l.Cuts, l.Comments = unpackLayout(f.path, f.layout)
	return l
}

func (f *file) inLayout(d *def) bool {
	switch k := kinds[d.kind]; k {
	case Field:
		return false
	case Const, Var:
		return d.name != "_" && (d.parent < 0 || kinds[f.defs[d.parent].kind] == Module)
	}
	return true
}

// packLayout writes cuts and comments in few bytes, mostly one for each cut: the
// difference of its line to that before, its depth, and whether lines above belong to
// it; then the number of these.
func packLayout(cuts []Cut, comments [][2]uint32) string {
	out := binary.AppendUvarint(nil, uint64(len(cuts)))
	last := 0
	for _, c := range cuts {
		n := uint64(c.Line-last)<<5 | uint64(c.Depth)
		last = c.Line
		if c.First == c.Line {
			out = binary.AppendUvarint(out, n)
			continue
		}
		out = binary.AppendUvarint(out, n|1<<4)
		out = binary.AppendUvarint(out, uint64(c.Line-c.First))
	}
	end := uint32(0)
	for _, c := range comments {
		out = binary.AppendUvarint(out, uint64(c[0]-end))
		out = binary.AppendUvarint(out, uint64(c[1]-c[0]))
		end = c[1]
	}
	return string(out)
}

// unpackLayout gives what a damaged text holds up to the damage.
func unpackLayout(path, text string) (cuts []Cut, comments []source.Span) {
	d := &decoder{rest: text}
	cuts = make([]Cut, 0, d.count(1))
	last := 0
	for range cap(cuts) {
		n := d.upTo(maxLine << 5)
		last += int(n >> 5)
		c := Cut{Line: last, First: last, Depth: int(n & 15)}
		if n&(1<<4) != 0 {
			c.First -= int(d.upTo(uint64(last)))
		}
		if d.bad || n>>5 == 0 {
			return cuts, nil
		}
		cuts = append(cuts, c)
	}
	end := 0
	for d.rest != "" {
		start := end + int(d.line())
		end = start + int(d.line())
		if d.bad || start == 0 {
			return cuts, comments
		}
		comments = append(comments, source.Span{Path: path, Start: start, End: end})
	}
	return cuts, comments
}

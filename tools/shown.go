package tools

import (
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Shown is a piece of the repository that a result holds word for word.
type Shown struct {
	Commit source.Commit `json:"commit"`
	Span   source.Span   `json:"span"`
}

// show adds a piece that begins at a byte of the text.
func (r *Result) show(at int, commit source.Commit, span source.Span) {
	r.Shown, r.At = append(r.Shown, Shown{commit, span}), append(r.At, at)
}

// Part is the result with a part of its text, and of what is shown the lines that are
// whole in it. Where At does not tell them, a part shows nothing. It panics if the range
// is none of Text, as slicing does.
func (r Result) Part(from, end int) Result {
	part := r
	part.Text, part.Shown, part.At = r.Text[from:end], nil, nil
	switch {
	case from == 0 && end == len(r.Text):
		return r
	case len(r.At) != len(r.Shown):
		return part
	}
	for i, s := range r.Shown {
		if span, at := r.within(s.Span, r.At[i], from, end); span.End > 0 {
			part.show(at-from, s.Commit, span)
		}
	}
	return part
}

// within cuts a span, whose text begins at a byte, to the lines whose text lies between
// from and end. It has no End if there are none.
func (r Result) within(s source.Span, at, from, end int) (cut source.Span, first int) {
	cut.Path = s.Path
	for n := s.Start; s.Start > 0 && n <= max(s.Start, s.End) && at < end; n++ {
		line := strings.IndexByte(r.Text[at:], '\n')
		next := at + line + 1
		if line < 0 {
			line = len(r.Text) - at
			next = at + line
		}
		if at >= from && at+line <= end {
			if cut.Start == 0 {
				cut.Start, first = n, at
			}
			cut.End = n
		}
		if at = next; at >= len(r.Text) {
			break
		}
	}
	return cut, first
}

package diff

import "fmt"

// Side says which version line numbers are of.
type Side byte

// The sides, which GitHub calls LEFT and RIGHT.
const (
	Left  Side = 'L' // the base
	Right Side = 'R' // the head
)

func (s Side) String() string {
	if s == Left {
		return "LEFT"
	}
	return "RIGHT"
}

// On is the line's number on a side, 0 if it is not there.
func (l Line) On(s Side) int {
	if s == Left {
		return l.Old
	}
	return l.New
}

func (h Hunk) on(s Side) Range {
	if s == Left {
		return h.Old
	}
	return h.New
}

// Allows says whether a comment may stand on lines start to end of a side: both have to be
// in one hunk, on the right or left of it, context counted in. start 0 is end. It is the
// rule of GitHub's reviews.
func (f File) Allows(s Side, start, end int) error {
	if start == 0 {
		start = end
	}
	switch {
	case f.Combined || f.Binary:
		return fmt.Errorf("%s has no lines to comment on", f.Path)
	case start > end:
		return fmt.Errorf("line %d is behind line %d", start, end)
	case f.hunkOf(s, end) < 0:
		return fmt.Errorf("line %d of the %s side of %s is in no hunk", end, s, f.Path)
	case f.hunkOf(s, start) != f.hunkOf(s, end):
		return fmt.Errorf("lines %d and %d of the %s side of %s are not in one hunk", start, end, s, f.Path)
	}
	return nil
}

// hunkOf is the hunk with a line, -1 for none.
func (f File) hunkOf(s Side, line int) int {
	for i, h := range f.Hunks {
		if r := h.on(s); r.Lines > 0 && r.Start <= line && line < r.Start+r.Lines {
			return i
		}
	}
	return -1
}

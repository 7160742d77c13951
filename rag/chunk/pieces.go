package chunk

import (
	"sort"

	"github.com/repomind/repomind/internal/code"
)

// within are the cuts between the lines from and to.
func (s *splitter) within(from, to int) []code.Cut {
	a := sort.Search(len(s.cuts), func(i int) bool { return s.cuts[i].First > from })
	b := sort.Search(len(s.cuts), func(i int) bool { return s.cuts[i].First > to })
	return s.cuts[min(a, b):b]
}

// pieces cuts lines where they hang together least, and what is too large yet again.
// Each round takes a depth away, and there are sixteen.
func (s *splitter) pieces(from, to int, cuts []code.Cut, out [][2]int) [][2]int {
	if s.fits(from, to, s.limits.size()) {
		return append(out, [2]int{from, to})
	}
	if len(cuts) == 0 {
		for ; from <= to; from++ {
			out = append(out, [2]int{from, from})
		}
		return out
	}
	depth := cuts[0].Depth
	for _, c := range cuts {
		depth = min(depth, c.Depth)
	}
	begin := 0 // of the cuts inside of the piece
	for i, c := range cuts {
		if c.Depth != depth || c.First <= from {
			continue
		}
		out = s.pieces(from, c.First-1, cuts[begin:i], out)
		from, begin = c.First, i+1
	}
	return s.pieces(from, to, cuts[begin:], out)
}

// merge joins neighbours to chunks of about the same size.
func (s *splitter) merge(pieces [][2]int) [][2]int {
	first, end := pieces[0][0], pieces[len(pieces)-1][1]
	total := s.size(first, end)
	count := max(1, (total+s.limits.size()-1)/s.limits.size())
	out := pieces[:0]
	for _, p := range pieces {
		n := len(out)
		if n > 0 && s.size(out[n-1][0], out[n-1][1])*count < max(total, 1) && s.fits(out[n-1][0], p[1], s.limits.size()) {
			out[n-1][1] = p[1]
			continue
		}
		out = append(out, p)
	}
	if n := len(out); n > 1 && s.size(out[n-1][0], end) < s.alone()/2 && s.fits(out[n-2][0], end, s.whole()) {
		out[n-2][1] = end // not a bracket alone
		out = out[:n-1]
	}
	return out
}

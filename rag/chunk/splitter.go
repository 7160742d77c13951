package chunk

import (
	"bytes"
	"strings"

	"github.com/repomind/repomind/internal/code"
)

// splitter cuts the lines of a file from the first to the last.
type splitter struct {
	*text
	limits Limits
	cuts   []code.Cut
	out    []piece
	tiny   piece // lines that the next piece takes with it; the zero piece for none
}

// piece is a chunk to be, and what it is a part of.
type piece struct {
	from, to int
	of       *node
	whole    bool
}

// Of the size: a definition that is a fourth of it stands alone, one that is a fourth
// more is not split, and lines that are a thirtieth go to a neighbour.
func (s *splitter) alone() int { return s.limits.size() / 4 }
func (s *splitter) whole() int { return s.limits.size() * 5 / 4 }
func (s *splitter) few() int   { return s.limits.size() / 30 }

func (s *splitter) fits(from, to, size int) bool {
	return s.size(from, to) <= size && s.bytes(from, to) <= s.limits.bytes() || from == to
}

// split fills out.
func (s *splitter) split(root *node) {
	s.members(root)
	if s.tiny.to > 0 {
		s.out = append(s.out, s.tiny)
	}
}

// members cuts what a unit consists of: members of some size for themselves, and what
// lies between them.
func (s *splitter) members(n *node) {
	from := n.first
	for _, c := range n.inside {
		if s.size(c.first, c.end) < s.alone() && s.fits(c.first, c.end, s.limits.size()) {
			continue
		}
		s.between(from, c.first-1, n)
		if s.fits(c.first, c.end, s.whole()) {
			s.add(piece{c.first, c.end, c, true})
		} else {
			s.members(c)
		}
		from = c.end + 1
	}
	s.between(from, n.end, n)
}

// between cuts lines of a unit that hold no member of some size.
func (s *splitter) between(from, to int, of *node) {
	from = s.tail(from, to)
	if from > to {
		return
	}
	if s.size(from, to) <= s.few() && s.toNeighbour(piece{from, to, of, false}) {
		return
	}
	if s.fits(from, to, s.limits.size()) {
		s.add(piece{from, to, of, false})
		return
	}
	for _, p := range s.merge(s.pieces(from, to, s.within(from, to), nil)) {
		s.add(piece{p[0], p[1], of, false})
	}
}

// tail gives empty lines and closing brackets to the piece above, and tells the line
// behind them.
func (s *splitter) tail(from, to int) int {
	for n := len(s.out); n > 0 && s.tiny.to == 0 && from <= to; from++ {
		if !s.closes(from) || !s.fits(s.out[n-1].from, from, s.whole()) {
			break
		}
		s.out[n-1].to = from
	}
	return from
}

func (s *splitter) closes(n int) bool {
	c := bytes.TrimSpace(s.line(n))
	switch size := s.size(n, n); {
	case size == 0 || len(c) == 0:
		return size == 0
	case size <= 4:
		return strings.IndexByte(")]}", c[0]) >= 0
	}
	return bytes.HasPrefix(c, []byte("</")) && bytes.IndexByte(c, '>') == len(c)-1
}

// toNeighbour gives a few lines to the piece behind, such as the head of a class to its
// first method, but the end of a unit to the piece above.
func (s *splitter) toNeighbour(p piece) bool {
	if n := len(s.out); n > 0 && s.tiny.to == 0 && p.to == p.of.end && s.fits(s.out[n-1].from, p.to, s.whole()) {
		s.out[n-1].to = p.to
		return true
	}
	if s.tiny.to > 0 {
		p.from, p.of = s.tiny.from, s.tiny.of
	}
	if s.size(p.from, p.to) > s.few() || !s.fits(p.from, p.to, s.whole()) {
		return false
	}
	s.tiny = p
	return true
}

// add takes lines along that were too few for a piece of their own.
func (s *splitter) add(p piece) {
	if s.tiny.to > 0 {
		if s.fits(s.tiny.from, p.to, s.whole()) {
			p.from = s.tiny.from
		} else {
			s.out = append(s.out, s.tiny)
		}
		s.tiny = piece{}
	}
	s.out = append(s.out, p)
}

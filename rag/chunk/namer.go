package chunk

import (
	"github.com/repomind/repomind/internal/source"
)

// namer makes chunks of pieces, in their order.
type namer struct {
	*text
	path string
	outline
}

const maxHolds = 100

func (n *namer) chunks(pieces []piece) []Chunk {
	out := make([]Chunk, len(pieces))
	for i, p := range pieces {
		c := &out[i]
		c.Span = source.Span{Path: n.path, Start: p.from, End: p.to}
		c.From, c.To = int(n.start[p.from-1]), int(n.start[p.to])
		n.name(c, p)
		c.Comments = n.commentsOf(p)
	}
	for i, p := range pieces { // the parts of each are known now
		if c := &out[i]; c.Part == 0 {
			p.of.part++
		}
	}
	return n.number(out, pieces)
}

// number counts the parts of each unit.
func (n *namer) number(out []Chunk, pieces []piece) []Chunk {
	done := map[*node]int{}
	for i, p := range pieces {
		if c := &out[i]; c.Part == 0 {
			done[p.of]++
			c.Part, c.Parts = done[p.of], p.of.part
		}
	}
	return out
}

// name gives a chunk its symbol. That of a whole one is 1 of 1 at once.
func (n *namer) name(c *Chunk, p piece) {
	held := n.held(p)
	show, whole := &p.of.unit, p.whole || p.of.name == ""
	if only := n.only(held, p); only != nil && !p.whole {
		show, whole = only, true
	}
	c.Symbol, c.Kind, c.Signature = show.name, show.kind, show.sig
	if whole {
		c.Part, c.Parts = 1, 1
	}
	for _, u := range held {
		if u.name != show.name && len(c.Holds) < maxHolds {
			c.Holds = append(c.Holds, u.name)
		}
	}
}

// held are the units that begin in a piece.
func (n *namer) held(p piece) []unit {
	k := 0
	for k < len(n.units) && n.units[k].start <= p.to {
		k++
	}
	held := n.units[:k]
	n.units = n.units[k:]
	return held
}

// only is the unit that makes up more than half of a piece, if no other stands beside
// it there.
func (n *namer) only(held []unit, p piece) *unit {
	if len(held) == 0 {
		return nil
	}
	u := &held[0]
	if u.start < p.from || u.end > p.to || 2*n.size(u.start, u.end) <= n.size(p.from, p.to) || held[len(held)-1].start > u.end {
		return nil
	}
	return u
}

// commentsOf are the comments in a piece, cut at its ends.
func (n *namer) commentsOf(p piece) (out []source.Span) {
	for len(n.comments) > 0 && n.comments[0].Start <= p.to {
		c := n.comments[0]
		if c.End >= p.from {
			out = append(out, source.Span{Path: n.path, Start: max(c.Start, p.from), End: min(c.End, p.to)})
		}
		if c.End > p.to {
			break
		}
		n.comments = n.comments[1:]
	}
	return out
}

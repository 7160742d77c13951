package lexical

import "math"

// Weights are how much a word counts by the field that it stands in, from 0 to a
// million; others count as the nearest, and what is no number as 0. The zero value is 1
// for each.
type Weights struct{ Symbol, Body, Comment float64 }

func (w Weights) list() [quote]float32 {
	if w == (Weights{}) {
		return [quote]float32{1, 1, 1}
	}
	field := func(v float64) float32 { return float32(bounded(v, 1e6)) }
	return [quote]float32{symbol: field(w.Symbol), body: field(w.Body), comment: field(w.Comment)}
}

// Scores are those of all documents and all parts, 0 for one without a word of the
// query.
type Scores struct{ Docs, Parts []float32 }

func (x *Index) zero() Scores {
	return Scores{make([]float32, x.Docs()), make([]float32, x.Parts())}
}

// Score ranks documents and parts. The score is the sum, over the words of the
// query, of
//
//	weight · idf · (k1+1) · tf / (k1+tf)
//
// where tf is the sum, over the fields, of weight · count / (1-b + b·length/mean).
func (x *Index) Score(q Query, w Weights) Scores {
	s := x.zero()
	for _, t := range q.terms {
		if id, ok := x.find(t.term); ok {
			x.docs.score(x.docs.of(id), x.docs.top(id, t.weight, x.k1), x.k1, w.list(), s.Docs)
			x.parts.score(x.parts.of(id), x.parts.top(id, t.weight, x.k1), x.k1, w.list(), s.Parts)
		}
	}
	return s
}

// top is what a word adds at most.
func (l *list) top(id int, weight float64, k1 float32) float32 {
	return float32(weight * l.idf(id) * float64(k1+1))
}

// score adds what postings give. Nearly all the time of a query is spent in it, so
// it has no calls, and no branch that is ever taken.
func (l *list) score(found postings, top, k1 float32, w [quote]float32, to []float32) {
	norms, inSymbol, inBody, inComment := l.norms, w[symbol], w[body], w[comment]
	for i := range found.len() {
		p := found.at(i)
		if int(p.at) >= len(norms) || int(p.at) >= len(to) {
			continue // of a damaged file
		}
		norm := &norms[p.at]
		tf := float(p.counts>>(32-symbolBits))*norm[symbol]*inSymbol +
			float(p.counts&(1<<bodyBits-1))*norm[body]*inBody +
			float(p.counts>>bodyBits&(1<<commentBits-1))*norm[comment]*inComment
		to[p.at] += top * tf / (k1 + tf)
	}
}

// float is a count of less than 23 bits, put into the fraction of 2²³. The
// instruction that converts integers, CVTSI2SS, would wait for what was in its
// register before, and with it each posting for the one before.
func float(c counts) float32 {
	return math.Float32frombits(0x4B000000|uint32(c)) - 1<<23
}

// idf is that of Robertson and Spärck Jones with one added, so that a word that all
// have does not count against them.
func (l *list) idf(id int) float64 {
	df := float64(l.df(id))
	return math.Log(1 + (float64(len(l.norms))-df+0.5)/(df+0.5))
}

// Cover gives the share of a query that each document and part has at all, where a
// word counts by its rarity alone.
func (x *Index) Cover(q Query) Scores {
	s := x.zero()
	x.cover(q, &x.docs, s.Docs)
	x.cover(q, &x.parts, s.Parts)
	return s
}

func (x *Index) cover(q Query, l *list, to []float32) {
	var all float64
	for _, t := range q.terms {
		if id, ok := x.find(t.term); ok {
			idf := l.idf(id)
			all += idf
			found := l.of(id)
			for i := range found.len() {
				if at := found.at(i).at; int(at) < len(to) {
					to[at] += float32(idf)
				}
			}
		}
	}
	if all > 0 {
		for i := range to {
			to[i] /= float32(all)
		}
	}
}

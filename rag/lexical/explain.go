package lexical

import (
	"cmp"
	"slices"
	"sort"
)

// Share is what a word of a query adds to a score.
type Share struct {
	Word  string // as it is first written in the query
	Score float32
}

// Explain takes the score of a document apart: the words of the query that add to it,
// best first. The shares add up to the score.
func (x *Index) Explain(q Query, w Weights, doc int) []Share {
	return x.explain(&x.docs, q, w, doc)
}

// ExplainPart is Explain for a part.
func (x *Index) ExplainPart(q Query, w Weights, part int) []Share {
	return x.explain(&x.parts, q, w, part)
}

func (x *Index) explain(l *list, q Query, w Weights, at int) (out []Share) {
	scores := make([]float32, len(l.norms))
	for _, t := range q.terms {
		id, ok := x.find(t.term)
		if !ok {
			continue
		}
		all := l.of(id)
		i := sort.Search(all.len(), func(i int) bool { return int(all.at(i).at) >= at })
		if i < all.len() && int(all.at(i).at) == at {
			scores[at] = 0
			l.score(all[postingSize*i:postingSize*(i+1)], l.top(id, t.weight, x.k1), x.k1, w.list(), scores)
			if scores[at] > 0 {
				out = append(out, Share{t.word, scores[at]})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Share) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

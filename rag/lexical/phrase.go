package lexical

import "math"

// maxRows is how many rows of a phrase are looked up.
const maxRows = 100

// Phrases scores documents and parts by how much of each phrase stands in them in
// quotation marks, word for word: the share of the phrase's runs of three words,
// from a half on, over the root of how many documents (or parts) have as much. A
// phrase of fewer words scores nothing, and of a long one the first 100 runs count.
func (x *Index) Phrases(phrases []string) Scores {
	s := x.zero()
	for _, p := range phrases {
		var rows []int
		said := 0
		runs(p, func(t Term) {
			if said == maxRows {
				return
			}
			said++
			if id, ok := x.find(t); ok {
				rows = append(rows, id)
			}
		})
		if len(rows) > 0 {
			// A message is longer than the constant that it begins with, so rows that
			// nobody has do not count, up to two thirds of all.
			all := math.Max(float64(len(rows)), float64(said)/3)
			x.docs.phrase(rows, all, s.Docs)
			x.parts.phrase(rows, all, s.Parts)
		}
	}
	return s
}

func (l *list) phrase(rows []int, all float64, to []float32) {
	hits := map[uint32]float64{}
	for _, id := range rows {
		found := l.of(id)
		for i := range found.len() {
			if at := found.at(i).at; int(at) < len(to) {
				hits[at]++
			}
		}
	}
	enough := 0
	for _, n := range hits {
		if n/all >= 0.5 {
			enough++
		}
	}
	for at, n := range hits {
		if share := n / all; share >= 0.5 {
			to[at] += float32(share / math.Sqrt(float64(enough)))
		}
	}
}

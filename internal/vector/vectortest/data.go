package vectortest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/repomind/repomind/internal/vector"
)

// Clustered gives items whose vectors lie around centres, as embeddings of code are.
func Clustered(n, dim int) []vector.Item {
	r := rand.New(rand.NewPCG(1, 2))
	centres := make([][]float32, max(n/100, 1))
	for i := range centres {
		centres[i] = Gauss(r, dim, nil, 1)
	}
	items := make([]vector.Item, n)
	for i := range items {
		items[i] = vector.Item{
			ID: fmt.Sprintf("%016x", r.Uint64()), Vector: Gauss(r, dim, centres[r.IntN(len(centres))], 0.5),
			Meta: vector.Meta{"path": vector.Text(fmt.Sprintf("pkg/%d/file.go", i/20)), "start": vector.Int(int64(i)), "end": vector.Int(int64(i + 9))},
		}
	}
	return items
}

// Gauss gives a vector that is normally distributed around a centre, nil for zero.
func Gauss(r *rand.Rand, dim int, centre []float32, spread float64) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64() * spread)
		if centre != nil {
			v[i] += centre[i]
		}
	}
	return v
}

// Queries are near to items, but not equal to any.
func Queries(items []vector.Item, n int) [][]float32 {
	r := rand.New(rand.NewPCG(3, 4))
	list := make([][]float32, n)
	for i := range list {
		list[i] = Gauss(r, len(items[0].Vector), items[r.IntN(len(items))].Vector, 0.3)
	}
	return list
}

// Recall is the share of the ten nearest that a collection finds.
func Recall(tb testing.TB, c vector.Collection, items []vector.Item, asks [][]float32) float64 {
	hits, all := 0, 0
	for _, q := range asks {
		want := Nearest(tb, items, q, 10)
		got, err := c.Query(tb.Context(), vector.Query{Vector: q})
		if err != nil {
			tb.Fatal(err)
		}
		for _, m := range got {
			if slices.ContainsFunc(want, func(w vector.Match) bool { return w.ID == m.ID }) {
				hits++
			}
		}
		all += len(want)
	}
	return float64(hits) / float64(all)
}

// Nearest is the answer by the definition: all products of all unit vectors.
func Nearest(tb testing.TB, items []vector.Item, q []float32, k int) []vector.Match {
	tb.Helper()
	q, err := vector.Unit(q, len(q))
	if err != nil {
		tb.Fatal(err)
	}
	items, err = vector.Prepare(items, len(q))
	if err != nil {
		tb.Fatal(err)
	}
	all := make([]vector.Match, len(items))
	for i, it := range items {
		all[i] = vector.Match{ID: it.ID, Meta: it.Meta}
		for j, x := range it.Vector {
			all[i].Score += float64(x) * float64(q[j])
		}
	}
	slices.SortFunc(all, func(a, b vector.Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(k, len(all))]
}

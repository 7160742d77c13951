package code

import (
	"math"
	"testing"
)

// The example of a page that all others point to, by hand: with start s = 1/3 for
// each, rank(a) = 0.05 + 0.85·(b + c), b = c = 0.05 + 0.85·a/2.
func TestPageRank(t *testing.T) {
	third := []float64{1. / 3, 1. / 3, 1. / 3}
	g := links{nodes: 3, edges: []edge{{1, 0, 1}, {2, 0, 5}, {0, 1, 1}, {0, 2, 1}}}
	rank := g.pageRank(third)
	a := (0.05 + 0.85*0.1) / (1 - 0.85*0.85)
	want := []float64{a, 0.05 + 0.85*a/2, 0.05 + 0.85*a/2}
	for i := range want {
		if math.Abs(rank[i]-want[i]) > 1e-4 {
			t.Errorf("rank of %d: %.5f, want %.5f", i, rank[i], want[i])
		}
	}
	lonely := links{nodes: 3}.pageRank(third)
	for i, r := range lonely {
		if math.Abs(r-1./3) > 1e-9 {
			t.Errorf("without edges: rank of %d: %f, want a third", i, r)
		}
	}
}

package pagerank_test

import (
	"math"
	"testing"

	"github.com/repomind/repomind/internal/pagerank"
)

// The example of a page that all others point to, by hand: with start s = 1/3 for
// each, rank(a) = 0.05 + 0.85·(b + c), b = c = 0.05 + 0.85·a/2.
func TestPageRank(t *testing.T) {
	third := []float64{1. / 3, 1. / 3, 1. / 3}
	g := pagerank.Graph{Nodes: 3, Edges: []pagerank.Edge{{From: 1, To: 0, Weight: 1}, {From: 2, To: 0, Weight: 5}, {From: 0, To: 1, Weight: 1}, {From: 0, To: 2, Weight: 1}}}
	rank := g.Rank(third)
	a := (0.05 + 0.85*0.1) / (1 - 0.85*0.85)
	want := []float64{a, 0.05 + 0.85*a/2, 0.05 + 0.85*a/2}
	for i := range want {
		if math.Abs(rank[i]-want[i]) > 1e-4 {
			t.Errorf("rank of %d: %.5f, want %.5f", i, rank[i], want[i])
		}
	}
	lonely := pagerank.Graph{Nodes: 3}.Rank(third)
	for i, r := range lonely {
		if math.Abs(r-1./3) > 1e-9 {
			t.Errorf("without edges: rank of %d: %f, want a third", i, r)
		}
	}
}

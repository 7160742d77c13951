package code

import "math"

// links is a weighted graph as a list of edges.
type links struct {
	nodes int
	edges []edge
}

type edge struct {
	from, to int32
	weight   float64
}

// pageRank is the share of a walker's time at each node, by power iteration with
// damping 0.85 (Page, Brin 1998). Where the walker jumps, and where it goes from a
// node without edges, is told by start, which adds up to 1.
func (g links) pageRank(start []float64) []float64 {
	const damping, rounds, enough = 0.85, 50, 1e-7
	out := make([]float64, g.nodes)
	for _, e := range g.edges {
		out[e.from] += e.weight
	}
	rank, next := make([]float64, g.nodes), make([]float64, g.nodes)
	copy(rank, start)
	for range rounds {
		lost := 0.0
		for i, r := range rank {
			next[i] = 0
			if out[i] == 0 {
				lost += r
			}
		}
		for _, e := range g.edges {
			next[e.to] += damping * rank[e.from] * e.weight / out[e.from]
		}
		change := 0.0
		for i := range next {
			next[i] += (1 - damping + damping*lost) * start[i]
			change += math.Abs(next[i] - rank[i])
		}
		rank, next = next, rank
		if change < enough {
			break
		}
	}
	return rank
}

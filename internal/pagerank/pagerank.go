// Package pagerank ranks the nodes of a graph by what leads to them.
package pagerank

import "math"

// Graph is a weighted graph of nodes numbered from 0, as a list of edges.
type Graph struct {
	Nodes int
	Edges []Edge
}

// Edge leads from a node to another. Its weight is above zero.
type Edge struct {
	From, To int32
	Weight   float64
}

// Rank is the share of a walker's time at each node, by power iteration with damping
// 0.85 (Page, Brin 1998). Where the walker jumps, and where it goes from a node without
// edges, is told by start, one share for each node, which add up to 1: personalised
// PageRank (Haveliwala, WWW 2002).
func (g Graph) Rank(start []float64) []float64 {
	const damping, rounds, enough = 0.85, 50, 1e-7
	out := make([]float64, g.Nodes)
	for _, e := range g.Edges {
		out[e.From] += e.Weight
	}
	rank, next := make([]float64, g.Nodes), make([]float64, g.Nodes)
	copy(rank, start)
	for range rounds {
		lost := 0.0
		for i, r := range rank {
			next[i] = 0
			if out[i] == 0 {
				lost += r
			}
		}
		for _, e := range g.Edges {
			next[e.To] += damping * rank[e.From] * e.Weight / out[e.From]
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

// Package rank turns what several signals say of the same candidates into one
// order: a weighted sum whose weights are fitted on real cases, and reciprocal
// rank fusion for lists that have nothing but an order in common.
package rank

import (
	"cmp"
	"slices"
)

// Signal is one reason to look at a candidate.
type Signal struct {
	Name   string
	Weight float64
	// Sign is what the weight may be: +1 not below zero, -1 not above, 0 either.
	Sign int
}

// Table is the signals of a ranking, in the order of a Row.
type Table []Signal

// Row is what each signal of a Table says of one candidate: 0 for nothing, about
// 1 for as much as it ever says.
type Row []float32

// Score is the weighted sum of a row.
func (t Table) Score(r Row) float64 {
	var s float64
	for i, x := range r {
		if x != 0 {
			s += t[i].Weight * float64(x)
		}
	}
	return s
}

// Weights are the weights of the table alone.
func (t Table) Weights() []float64 {
	w := make([]float64, len(t))
	for i, s := range t {
		w[i] = s.Weight
	}
	return w
}

// Order gives the indexes 0..len(scores)-1, the best score first; equal ones keep
// their order.
func Order(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// RRF fuses lists of candidates, the best first in each, by reciprocal rank: a
// candidate has the sum of 1/(k+rank) over the lists that hold it, rank from 1
// (Cormack, Clarke and Büttcher, SIGIR 2009). k is 60 there; it keeps one first
// place from outvoting three thirds.
func RRF[T comparable](k float64, lists ...[]T) map[T]float64 {
	scores := map[T]float64{}
	for _, list := range lists {
		seen := make(map[T]bool, len(list))
		for i, c := range list {
			if !seen[c] {
				seen[c] = true
				scores[c] += 1 / (k + float64(i+1))
			}
		}
	}
	return scores
}

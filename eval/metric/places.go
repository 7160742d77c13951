// Package metric scores ranked answers against what is known to be right, and
// says how far chance could have made the score.
//
// A ranked list and the gold of a case give [Places], which give the usual
// figures. The figures of many cases are [Score] values, of which [Bootstrap]
// gives the mean with an interval and the difference between two systems.
package metric

import (
	"math"
	"slices"
)

// Places are where the gold items of one case stand in a ranked list, one place
// for each item in its order. They count from 1; 0 is not found.
//
// With no gold item there is nothing to score: every figure is NaN, and a
// Bootstrap refuses it. Leave such a case out.
type Places []int

// Find looks up each gold item in the ranked list. An item that is ranked twice
// counts where it comes first; the second one is a place lost.
func Find(gold, ranked []string) Places {
	at := map[string]int{}
	for i, item := range ranked {
		if at[item] == 0 {
			at[item] = i + 1
		}
	}
	p := make(Places, len(gold))
	for i, g := range gold {
		p[i] = at[g]
	}
	return p
}

// Hit is hit@k: 1 if a gold item is among the first k, else 0.
func (p Places) Hit(k int) float64 { return p.score(truth(p.within(k) > 0)) }

// Recall is recall@k: the share of the gold items that is among the first k.
func (p Places) Recall(k int) float64 { return p.score(float64(p.within(k)) / float64(len(p))) }

// All is all-gold accuracy@k: 1 if every gold item is among the first k, else 0.
func (p Places) All(k int) float64 { return p.score(truth(p.within(k) == len(p))) }

// Reciprocal is 1 over the first place at which a gold item stands, 0 if none
// does. Its mean over cases is MRR.
func (p Places) Reciprocal() float64 {
	first := 0
	for _, place := range p {
		if place > 0 && (first == 0 || place < first) {
			first = place
		}
	}
	if first == 0 {
		return p.score(0)
	}
	return 1 / float64(first)
}

// Average is average precision: the precision at the place of each gold item,
// 0 for one that is not found, over the number of gold items. Its mean over cases
// is MAP. Gold items that share a place, as lines in one chunk do, are one found
// item as far as precision goes, so Average is never above 1.
func (p Places) Average() float64 {
	found := slices.DeleteFunc(slices.Sorted(slices.Values(p)), func(place int) bool { return place < 1 })
	sum, distinct, last := 0.0, 0, 0
	for _, place := range found {
		if place != last {
			distinct, last = distinct+1, place
		}
		sum += float64(distinct) / float64(place)
	}
	return p.score(sum / float64(len(p)))
}

func (p Places) within(k int) int {
	n := 0
	for _, place := range p {
		if place > 0 && place <= k {
			n++
		}
	}
	return n
}

func (p Places) score(v float64) float64 {
	if len(p) == 0 {
		return math.NaN()
	}
	return v
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Score is one figure of one case.
type Score struct {
	Case  string // its id
	Repo  string // the repository that it is from
	Value float64
}

// ByRepo gives one score a repository, the mean of its cases, sorted by name; Case
// is the repository's name too. The mean of these is the macro average, in which a
// repository with many cases weighs no more than one with few.
func ByRepo(scores []Score) []Score {
	sums := map[string][2]float64{} // sum, count
	for _, s := range scores {
		t := sums[s.Repo]
		sums[s.Repo] = [2]float64{t[0] + s.Value, t[1] + 1}
	}
	out := make([]Score, 0, len(sums))
	for repo, t := range sums {
		out = append(out, Score{Case: repo, Repo: repo, Value: t[0] / t[1]})
	}
	slices.SortFunc(out, func(a, b Score) int { return cmp.Compare(a.Case, b.Case) })
	return out
}

// pair gives for each case the score of b less that of a, in the order of a.
func pair(a, b []Score) ([]Score, error) {
	other, err := byCase(b)
	if err != nil {
		return nil, err
	}
	if _, err := byCase(a); err != nil {
		return nil, err
	}
	out := make([]Score, len(a))
	for i, s := range a {
		t, ok := other[s.Case]
		switch {
		case !ok:
			return nil, fmt.Errorf("case %q is only in the first run", s.Case)
		case t.Repo != s.Repo:
			return nil, fmt.Errorf("case %q is from %q in the first run and from %q in the second", s.Case, s.Repo, t.Repo)
		}
		out[i] = Score{Case: s.Case, Repo: s.Repo, Value: t.Value - s.Value}
		delete(other, s.Case)
	}
	for _, t := range b {
		if _, left := other[t.Case]; left {
			return nil, fmt.Errorf("case %q is only in the second run", t.Case)
		}
	}
	return out, nil
}

// byCase refuses what has no mean: a case twice, a value that is no number.
func byCase(scores []Score) (map[string]Score, error) {
	all := make(map[string]Score, len(scores))
	for _, s := range scores {
		if _, twice := all[s.Case]; twice {
			return nil, fmt.Errorf("case %q has two scores", s.Case)
		}
		if math.IsNaN(s.Value) || math.IsInf(s.Value, 0) {
			return nil, fmt.Errorf("case %q has the score %v", s.Case, s.Value)
		}
		all[s.Case] = s
	}
	return all, nil
}

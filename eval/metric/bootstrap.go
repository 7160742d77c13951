package metric

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// ErrNoScores says that there is nothing to take the mean of.
var ErrNoScores = errors.New("there are no scores")

// Bootstrap gives means with confidence intervals: percentiles of the means of
// samples that are drawn with replacement from the scores (Efron and Tibshirani,
// An Introduction to the Bootstrap, 1993, chapter 13). Same seed and same scores in
// the same order give the same interval.
type Bootstrap struct {
	Resamples int     // Zero means 10,000; the most is 1,000,000.
	Level     float64 // of confidence, between 0 and 1. Zero means 0.95.
	Seed      uint64
	// Clustered draws whole repositories in place of single cases, since cases of
	// one repository are alike. The interval is mostly wider, and the honest one
	// for repositories that nobody has seen. It needs more than a few of them.
	Clustered bool
}

// Interval is a mean and how sure it is.
type Interval struct {
	Mean      float64
	Low, High float64
	Cases     int
	Repos     int
}

// String is "0.540 [0.481, 0.600]".
func (i Interval) String() string { return fmt.Sprintf("%.3f [%.3f, %.3f]", i.Mean, i.Low, i.High) }

// Difference compares a second run with a first one on the same cases.
type Difference struct {
	Interval            // of second less first, case by case
	First, Second       float64
	Better, Worse, Same int // cases in which the second is higher, lower, equal
}

// Sure says that the interval does not hold 0.
func (d Difference) Sure() bool { return d.Low > 0 || d.High < 0 }

// Mean gives the mean of the scores. It is ErrNoScores without any, and an error
// where a case comes twice or its score is not a number.
func (b Bootstrap) Mean(scores []Score) (Interval, error) {
	b, err := b.withDefaults()
	if err != nil {
		return Interval{}, err
	}
	if len(scores) == 0 {
		return Interval{}, ErrNoScores
	}
	if _, err := byCase(scores); err != nil {
		return Interval{}, err
	}
	return b.interval(scores), nil
}

// Compare gives how much higher the second run is. Both must have the same cases,
// in any order; each sample is drawn for both alike.
func (b Bootstrap) Compare(first, second []Score) (Difference, error) {
	diff, err := pair(first, second)
	if err != nil {
		return Difference{}, fmt.Errorf("pair the cases: %w", err)
	}
	i, err := b.Mean(diff)
	if err != nil {
		return Difference{}, err
	}
	d := Difference{Interval: i, First: mean(first), Second: mean(second)}
	for _, s := range diff {
		switch {
		case s.Value > 0:
			d.Better++
		case s.Value < 0:
			d.Worse++
		default:
			d.Same++
		}
	}
	return d, nil
}

func (b Bootstrap) withDefaults() (Bootstrap, error) {
	b.Resamples = cmp.Or(b.Resamples, 10_000)
	b.Level = cmp.Or(b.Level, 0.95)
	switch {
	case b.Resamples < 1 || b.Resamples > 1_000_000:
		return b, fmt.Errorf("bootstrap: Resamples is %d, not from 1 to 1,000,000", b.Resamples)
	case !(b.Level > 0 && b.Level < 1):
		return b, fmt.Errorf("bootstrap: Level is %v, not between 0 and 1", b.Level)
	}
	return b, nil
}

// unit is what is drawn as one: a case, or all cases of a repository.
type unit struct {
	sum   float64
	cases int
}

func (b Bootstrap) interval(scores []Score) Interval {
	repos := units(scores, func(s Score) string { return s.Repo })
	drawn := repos
	if !b.Clustered {
		drawn = units(scores, func(s Score) string { return s.Case })
	}
	means := b.means(drawn)
	slices.Sort(means)
	// Percentiles for any number of samples: the k-th from either end, k being the
	// whole part of (B+1)α (section 12.5 of the book). Rounding must not lose one
	// where (B+1)α is whole.
	k := int(math.Floor(float64(len(means)+1)*(1-b.Level)/2 + 1e-9))
	k = max(k, 1)
	return Interval{Mean: mean(scores), Low: means[k-1], High: means[len(means)-k], Cases: len(scores), Repos: len(repos)}
}

// units are in the order of the scores, so that a seed means something.
func units(scores []Score, key func(Score) string) []unit {
	at := map[string]int{}
	var all []unit
	for _, s := range scores {
		i, seen := at[key(s)]
		if !seen {
			i = len(all)
			at[key(s)] = i
			all = append(all, unit{})
		}
		all[i].sum += s.Value
		all[i].cases++
	}
	return all
}

func (b Bootstrap) means(all []unit) []float64 {
	draw := rand.New(rand.NewPCG(b.Seed, 0))
	means := make([]float64, b.Resamples)
	for i := range means {
		var total unit
		for range all {
			u := all[draw.IntN(len(all))]
			total.sum += u.sum
			total.cases += u.cases
		}
		means[i] = total.sum / float64(total.cases)
	}
	return means
}

func mean(scores []Score) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += s.Value
	}
	return sum / float64(len(scores))
}

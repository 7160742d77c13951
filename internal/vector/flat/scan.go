package flat

import (
	"context"
	"math"
	"slices"

	"github.com/repomind/repomind/internal/vector"
)

// candidate is a row that may belong to the answer: its score is at most most.
type candidate struct {
	row  int
	most float64
}

// scan looks at the int8 rows of some segments.
type scan struct {
	g        *generation
	p        *probe
	q        vector.Query
	from, to int // segments

	rows  []candidate
	least []float64 // the q.K greatest scores that rows have at least, ascending
	err   error
}

func (s *scan) run(ctx context.Context) (err error) {
	defer guard(&err)()
	var sums [segmentRows]int32
	for n := s.from; n < s.to; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		first := n * segmentRows
		out := sums[:min(segmentRows, len(s.g.codes)-first)]
		scanRows(s.p.q, int8s(s.g.mapped[s.g.at8(first):][:len(out)*s.g.width]), out)
		s.take(first, out)
	}
	s.prune()
	return nil
}

// take keeps the rows whose upper bound reaches the bar.
func (s *scan) take(first int, sums []int32) {
	bar := s.bar()
	codes := s.g.codes[first:][:len(sums)]
	for i, sum := range sums {
		mid, radius := s.p.bounds(sum, codes[i])
		// Not so for a dead row, whose radius is a NaN.
		if mid+radius >= bar && has(s.g.metas[first+i], s.q.Where) {
			s.rows = append(s.rows, candidate{first + i, mid + radius})
			bar = s.raise(mid - radius)
		}
	}
	if len(s.rows) > 4096 && len(s.rows) > 2*s.q.K {
		s.prune()
	}
}

// bar is the score that an answer has at least, once q.K rows were seen.
func (s *scan) bar() float64 {
	if len(s.least) < s.q.K {
		return math.Inf(-1)
	}
	return s.least[0]
}

func (s *scan) raise(score float64) float64 {
	at, _ := slices.BinarySearch(s.least, score)
	switch {
	case len(s.least) < s.q.K:
		s.least = slices.Insert(s.least, at, score)
	case at > 0:
		copy(s.least, s.least[1:at])
		s.least[at-1] = score
	}
	return s.bar()
}

// prune drops the rows that were taken under a lower bar.
func (s *scan) prune() {
	bar, kept := s.bar(), s.rows[:0]
	for _, c := range s.rows {
		if c.most >= bar {
			kept = append(kept, c)
		}
	}
	s.rows = kept
}

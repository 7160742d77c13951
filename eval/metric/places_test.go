package metric_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/eval/metric"
)

func TestFindGivesFirstPlaces(t *testing.T) {
	got := metric.Find([]string{"b", "x", "d"}, []string{"a", "b", "c", "b", "d"})
	if diff := cmp.Diff(metric.Places{2, 0, 5}, got); diff != "" {
		t.Error(diff)
	}
}

// The figures of each row are worked out by hand from their definitions.
func TestFigures(t *testing.T) {
	for _, tt := range []struct {
		name                                            string
		places                                          metric.Places
		hit1, hit3, recall3, all3, all5, reciprocal, ap float64
	}{
		{"all first", metric.Places{1, 2}, 1, 1, 1, 1, 1, 1, 1},
		{"one of two", metric.Places{3, 0}, 0, 1, 0.5, 0, 0, 1. / 3, (1. / 3) / 2},
		{"out of order", metric.Places{5, 2}, 0, 1, 0.5, 0, 1, 0.5, (1./2 + 2./5) / 2},
		{"textbook", metric.Places{1, 3, 6}, 1, 1, 2. / 3, 0, 0, 1, (1 + 2./3 + 3./6) / 3},
		{"two golds in one chunk", metric.Places{2, 2}, 0, 1, 1, 1, 1, 0.5, 0.5},
		{"a chunk of two and one", metric.Places{1, 1, 2}, 1, 1, 1, 1, 1, 1, 1},
		{"nothing", metric.Places{0}, 0, 0, 0, 0, 0, 0, 0},
	} {
		p := tt.places
		got := []float64{p.Hit(1), p.Hit(3), p.Recall(3), p.All(3), p.All(5), p.Reciprocal(), p.Average()}
		want := []float64{tt.hit1, tt.hit3, tt.recall3, tt.all3, tt.all5, tt.reciprocal, tt.ap}
		if !slices.EqualFunc(got, want, near) {
			t.Errorf("%s: hit@1, hit@3, recall@3, all@3, all@5, 1/rank, AP of %v are %v, want %v", tt.name, p, got, want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestNothingIsAmongTheFirstNone(t *testing.T) {
	p := metric.Places{1, 0}
	for _, k := range []int{0, -1} {
		if got := []float64{p.Hit(k), p.Recall(k), p.All(k)}; !slices.Equal(got, []float64{0, 0, 0}) {
			t.Errorf("hit, recall, all at %d are %v, want 0", k, got)
		}
	}
}

func TestNoGoldHasNoFigure(t *testing.T) {
	p := metric.Find(nil, []string{"a"})
	for name, v := range map[string]float64{"hit": p.Hit(1), "recall": p.Recall(1), "all": p.All(1), "reciprocal": p.Reciprocal(), "average": p.Average()} {
		if !math.IsNaN(v) {
			t.Errorf("%s is %v, want NaN", name, v)
		}
	}
}

// What holds for every list: no figure leaves 0 to 1, none at k+1 is below that at
// k, all gold found means some found, and a better list never scores worse.
func TestFiguresOfAnyList(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		ranked := make([]string, draw.IntN(12))
		for i := range ranked {
			ranked[i] = strconv.Itoa(draw.IntN(15)) // some twice
		}
		gold := make([]string, 1+draw.IntN(4))
		for i, g := range draw.Perm(15)[:len(gold)] {
			gold[i] = strconv.Itoa(g)
		}
		p := metric.Find(gold, ranked)
		var hit, recall, all float64
		for k := range len(ranked) + 2 {
			h, r, a := p.Hit(k), p.Recall(k), p.All(k)
			if h < hit || r < recall || a < all || a > r || r > h || h > 1 {
				t.Fatalf("gold %v in %v: at %d hit %v, recall %v, all %v after %v, %v, %v", gold, ranked, k, h, r, a, hit, recall, all)
			}
			hit, recall, all = h, r, a
		}
		if ap := p.Average(); ap < 0 || ap > 1 || (ap > 0) != (hit > 0) || p.Reciprocal() < ap/float64(len(gold)) {
			t.Fatalf("gold %v in %v: AP %v, hit %v, 1/rank %v", gold, ranked, ap, hit, p.Reciprocal())
		}
		if ahead := metric.Find(gold, append(slices.Clone(gold), ranked...)); ahead.Average() != 1 || ahead.All(len(gold)) != 1 {
			t.Fatalf("gold %v at the head scores %v", gold, ahead.Average())
		}
	}
}

package rank_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/rank"
)

func TestScore(t *testing.T) {
	table := rank.Table{{Name: "a", Weight: 2}, {Name: "b", Weight: -0.5}, {Name: "c", Weight: 8}}
	if diff := cmp.Diff([]float64{2, -0.5, 8}, table.Weights()); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		row  rank.Row
		want float64
	}{
		{nil, 0},
		{rank.Row{1}, 2},
		{rank.Row{1, 1, 0.25}, 3.5},
		{rank.Row{0, 1, 0}, -0.5},
		{rank.Row{-1, 0, 0}, -2},
	} {
		if got := table.Score(tt.row); got != tt.want {
			t.Errorf("score of %v: %g, want %g", tt.row, got, tt.want)
		}
	}
}

// TestWeightsAreACopy: who fits weights must not change the table.
func TestWeightsAreACopy(t *testing.T) {
	table := rank.Table{{Weight: 1}}
	table.Weights()[0] = 7
	if table[0].Weight != 1 {
		t.Error("the table has changed")
	}
}

// TestOrder: equal scores keep their order, and what is no number comes last.
func TestOrder(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		scores []float64
		want   []int
	}{
		{nil, []int{}},
		{[]float64{1}, []int{0}},
		{[]float64{1, 3, 2}, []int{1, 2, 0}},
		{[]float64{0, 1, 0, 1, 0}, []int{1, 3, 0, 2, 4}},
		{[]float64{nan, -1, nan, math.Inf(-1)}, []int{1, 3, 0, 2}},
	} {
		if diff := cmp.Diff(tt.want, rank.Order(tt.scores)); diff != "" {
			t.Errorf("order of %v (-want +got):\n%s", tt.scores, diff)
		}
	}
}

func TestOrderIsStable(t *testing.T) {
	scores := make([]float64, 1000)
	for i := range scores {
		scores[i] = float64(i % 3)
	}
	order := rank.Order(scores)
	for i := 1; i < len(order); i++ {
		a, b := order[i-1], order[i]
		if scores[a] < scores[b] || scores[a] == scores[b] && a > b {
			t.Fatalf("%d stands before %d", a, b)
		}
	}
}

func TestRRF(t *testing.T) {
	one, two, three := 1/float64(61), 1/float64(62), 1/float64(63)
	for _, tt := range []struct {
		name  string
		lists [][]string
		want  map[string]float64
	}{
		{"no list", nil, map[string]float64{}},
		{"an empty one", [][]string{{}}, map[string]float64{}},
		{"one", [][]string{{"a", "b"}}, map[string]float64{"a": one, "b": two}},
		{"three", [][]string{{"a", "b", "c"}, {"b", "a"}, {"b"}}, map[string]float64{
			"a": one + two, "b": two + one + one, "c": three,
		}},
		// The first place counts, and what follows keeps the place that it has.
		{"twice in a list", [][]string{{"a", "a", "b", "a"}}, map[string]float64{"a": one, "b": three}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, rank.RRF(60, tt.lists...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRRFHearsTheMany: with k 60, three third places stand above one first place;
// with k 0 they do not.
func TestRRFHearsTheMany(t *testing.T) {
	lists := [][]int{{1, 8, 3}, {9, 7, 3}, {6, 5, 3}}
	if s := rank.RRF(60, lists...); s[3] <= s[1] {
		t.Errorf("k 60: thirds %g, first %g", s[3], s[1])
	}
	if s := rank.RRF(0, lists...); s[3] != 1 || s[1] != 1 {
		t.Errorf("k 0: thirds %g, first %g", s[3], s[1])
	}
}

package rank_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/rank"
)

// sigmoid is the probability that a wrong row is taken for a right one which is x
// better.
func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(x)) }

// exact goes slowly enough to stop at the minimum.
func exact(pull float64) rank.Fit { return rank.Fit{Steps: 5000, Rate: 0.01, Pull: pull} }

// TestFitFindsTheMinimum: the loss of one signal is known, so is the pull that puts
// its minimum at 1, where the slopes of both cancel out.
func TestFitFindsTheMinimum(t *testing.T) {
	table := rank.Table{{Name: "a", Sign: 1}}
	for _, tt := range []struct {
		name  string
		c     rank.Case
		slope float64 // of the loss at 1, downwards
	}{
		{"one right, one wrong", rank.Case{Rows: []rank.Row{{1}, {0}}, Gold: []bool{true, false}}, sigmoid(1)},
		{"two right", rank.Case{Rows: []rank.Row{{1}, {0}, {2}}, Gold: []bool{true, false, true}}, (sigmoid(1) + 2*sigmoid(2)) / 2},
		{"two wrong", rank.Case{Rows: []rank.Row{{0}, {1}, {0}}, Gold: []bool{false, true, false}}, 2 / (2 + math.E)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := exact(tt.slope/2).Weights(table, []rank.Case{tt.c})
			if math.Abs(got[0]-1) > 1e-6 {
				t.Errorf("weight %.9f, want 1", got[0])
			}
		})
	}
}

// oneRight is a case whose right row has x, and whose wrong one is all zero.
func oneRight(group string, x ...float32) rank.Case {
	return rank.Case{Group: group, Rows: []rank.Row{x, make(rank.Row, len(x))}, Gold: []bool{true, false}}
}

// TestFitKeepsSigns: evidence against a sign takes the weight to zero and no further.
func TestFitKeepsSigns(t *testing.T) {
	table := rank.Table{
		{Name: "up, has to be down", Weight: -0.5, Sign: -1},
		{Name: "down, has to be up", Weight: 0.5, Sign: 1},
		{Name: "up, may be either", Weight: -0.1},
		{Name: "down, may be either", Weight: 0.1},
		{Name: "never said", Weight: 0.7, Sign: 1},
	}
	got := rank.Fit{}.Weights(table, []rank.Case{oneRight("", 1, -1, 1, -1, 0)})
	if diff := cmp.Diff([]float64{0, 0, 0.7}, []float64{got[0], got[1], got[4]}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got[2] < 1 || got[3] != -got[2] {
		t.Errorf("free weights %g and %g", got[2], got[3])
	}
	if table[0].Weight != -0.5 {
		t.Error("the table has changed")
	}
}

// TestFitLearnsNothingFrom cases that say nothing.
func TestFitLearnsNothingFrom(t *testing.T) {
	table := rank.Table{{Weight: 0.3, Sign: 1}, {Weight: -2}}
	for name, cases := range map[string][]rank.Case{
		"no case":    nil,
		"no row":     {{}},
		"none right": {{Rows: []rank.Row{{1, 0}, {0, 1}}, Gold: []bool{false, false}}},
		"all right":  {{Rows: []rank.Row{{1, 0}, {0, 1}}, Gold: []bool{true, true}}},
		"all alike":  {{Rows: []rank.Row{{0, 0}, {0, 0}}, Gold: []bool{true, false}}},
	} {
		if diff := cmp.Diff(table.Weights(), rank.Fit{}.Weights(table, cases)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFitStaysFinite: scores that are further apart than exp reaches.
func TestFitStaysFinite(t *testing.T) {
	table := rank.Table{{Weight: 1000}}
	cases := []rank.Case{{Rows: []rank.Row{{9}, {1}, {0}}, Gold: []bool{true, true, false}}, {Rows: []rank.Row{{0}, {9}}, Gold: []bool{true, false}}}
	for _, w := range (rank.Fit{}).Weights(table, cases) {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			t.Errorf("weight %g", w)
		}
	}
}

// groups are cases of two honest projects, and of one that says the contrary.
func groups() []rank.Case {
	return []rank.Case{
		oneRight("honest", 1, 0), oneRight("poison", -1, 0), oneRight("other", 1, 1), oneRight("honest", 1, 0.5), oneRight("poison", -1, -1),
	}
}

// TestLeaveOutSeesNoneOfItsGroup: the weights of a case are those of the other groups,
// and poison in a group is for the others alone.
func TestLeaveOutSeesNoneOfItsGroup(t *testing.T) {
	table := rank.Table{{Weight: 0.1}, {Weight: 0.1}}
	all := groups()
	got := rank.Fit{}.LeaveOut(table, all)
	for i, others := range [][]int{{1, 2, 4}, {0, 2, 3}, {0, 1, 3, 4}, {1, 2, 4}, {0, 2, 3}} {
		var rest []rank.Case
		for _, k := range others {
			rest = append(rest, all[k])
		}
		if diff := cmp.Diff(rank.Fit{}.Weights(table, rest), got[i]); diff != "" {
			t.Errorf("case %d (-want +got):\n%s", i, diff)
		}
	}
	if got[1][0] < 1 || got[0][0] > 0 {
		t.Errorf("without the poison %g, with it %g", got[1][0], got[0][0])
	}
	if diff := cmp.Diff(groups(), all); diff != "" {
		t.Errorf("the cases have changed (-want +got):\n%s", diff)
	}
}

// TestLeaveOutOfOneGroup: with nothing to learn from, the table's own weights judge.
func TestLeaveOutOfOneGroup(t *testing.T) {
	table := rank.Table{{Weight: 0.25}}
	got := rank.Fit{}.LeaveOut(table, []rank.Case{oneRight("a", 1), oneRight("a", 1)})
	if diff := cmp.Diff([][]float64{{0.25}, {0.25}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFitIsTheSameOnEachRun(t *testing.T) {
	table := rank.Table{{Weight: 0.1}, {Weight: 0.1}}
	want := rank.Fit{}.LeaveOut(table, groups())
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(n)
		if diff := cmp.Diff(want, rank.Fit{}.LeaveOut(table, groups())); diff != "" {
			t.Errorf("on %d processors (-want +got):\n%s", n, diff)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	table := make(rank.Table, 40)
	c := rank.Case{Gold: make([]bool, 180)}
	for i := range c.Gold {
		row := make(rank.Row, len(table))
		for s := range row {
			row[s] = float32((i*31+s*17)%97) / 97
		}
		c.Rows = append(c.Rows, row)
	}
	c.Gold[3] = true
	for b.Loop() {
		rank.Fit{Steps: 10}.Weights(table, []rank.Case{c})
	}
}

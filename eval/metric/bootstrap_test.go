package metric_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/eval/metric"
)

// run makes scores of cases c0, c1, … of one repository.
func run(repo string, values ...float64) []metric.Score {
	var all []metric.Score
	for i, v := range values {
		all = append(all, metric.Score{Case: fmt.Sprint(repo, i), Repo: repo, Value: v})
	}
	return all
}

// Two scores, 0 and 1, drawn twice give 0, 1/2 and 1 with chances 1/4, 1/2 and
// 1/4. So every interval of a level above 1/2 is [0, 1] and below it [1/2, 1/2].
func TestIntervalOfTwoScores(t *testing.T) {
	for level, want := range map[float64]metric.Interval{
		0:   {Mean: .5, Low: 0, High: 1, Cases: 2, Repos: 1}, // 0.95
		.6:  {Mean: .5, Low: 0, High: 1, Cases: 2, Repos: 1},
		.4:  {Mean: .5, Low: .5, High: .5, Cases: 2, Repos: 1},
		.01: {Mean: .5, Low: .5, High: .5, Cases: 2, Repos: 1},
	} {
		got, err := metric.Bootstrap{Level: level, Seed: 7}.Mean(run("r", 0, 1))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("level %v: %v\n%s", level, err, diff)
		}
	}
}

// A has three cases of score 1, B one of score 0. Two draws of a repository give
// AA, AB, BA, BB: means 1, 3/4, 3/4, 0, so [3/4, 3/4] at a level below 1/2. Four
// draws of a case give 1/2 or less with the chance 1 - (3/4)^4 - 4(3/4)^3/4 = .262
// and 1 with (3/4)^4 = .316, so [1/2, 1] at the level .52, which cuts .24 off
// either end.
func TestIntervalOfRepositories(t *testing.T) {
	scores := append(run("a", 1, 1, 1), run("b", 0)...)
	for clustered, want := range map[bool]metric.Interval{
		true:  {Mean: .75, Low: .75, High: .75, Cases: 4, Repos: 2},
		false: {Mean: .75, Low: .5, High: 1, Cases: 4, Repos: 2},
	} {
		level := .52 // from .24 to .76
		if clustered {
			level = .4
		}
		got, err := metric.Bootstrap{Level: level, Clustered: clustered}.Mean(scores)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("clustered %v: %v\n%s", clustered, err, diff)
		}
	}
}

// With 1,000 cases the interval is close to that of the normal distribution.
func TestIntervalOfManyScores(t *testing.T) {
	values := make([]float64, 1000)
	for i := range 600 {
		values[i] = 1
	}
	got, err := metric.Bootstrap{}.Mean(run("r", values...))
	if err != nil {
		t.Fatal(err)
	}
	half := 1.96 * math.Sqrt(.6*.4/1000)
	if math.Abs(got.Low-(.6-half)) > .002 || math.Abs(got.High-(.6+half)) > .002 {
		t.Errorf("interval is %v, want about .6 ± %.3f", got, half)
	}
}

// The interval ends on the k-th sample from either end, k = ⌊(B+1)α⌋.
func TestPercentileOfFewSamples(t *testing.T) {
	scores := run("r", 0, 1, 2, 4, 8, 16, 32)
	for _, tt := range []struct {
		resamples int
		level     float64
		k         int
	}{{999, .9, 50}, {1000, .9, 50}, {999, .95, 25}, {39, .95, 1}, {10, .95, 1}, {1, .95, 1}, {5, .0001, 2}, {5, 1e-12, 3}} {
		got, err := metric.Bootstrap{Resamples: tt.resamples, Level: tt.level, Seed: 3}.Mean(scores)
		if err != nil {
			t.Fatal(err)
		}
		means := resample(scores, tt.resamples, 3)
		if low, high := means[tt.k-1], means[len(means)-tt.k]; got.Low != low || got.High != high {
			t.Errorf("%d samples at %v: %v, want from %v to %v", tt.resamples, tt.level, got, low, high)
		}
	}
}

func TestSameSeedSameInterval(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	values := make([]float64, 50)
	for i := range values {
		values[i] = draw.Float64()
	}
	mean := func(seed uint64) metric.Interval {
		i, err := metric.Bootstrap{Seed: seed}.Mean(run("r", values...))
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	if mean(1) != mean(1) || mean(1) == mean(2) {
		t.Errorf("seeds 1, 1, 2 give %v, %v, %v", mean(1), mean(1), mean(2))
	}
}

func TestCompare(t *testing.T) {
	first := run("r", 0, 0.25, 0.5, 1)
	second := run("r", 0.25, 0.5, 0.75, 1.25)
	second[0], second[3] = second[3], second[0] // order does not matter
	got, err := metric.Bootstrap{}.Compare(first, second)
	want := metric.Difference{
		Interval: metric.Interval{Mean: .25, Low: .25, High: .25, Cases: 4, Repos: 1},
		First:    .4375, Second: .6875, Better: 4,
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if !got.Sure() {
		t.Error("a quarter more in each case is not sure")
	}
}

func TestSureEitherWay(t *testing.T) {
	for want, all := range map[bool][]metric.Interval{
		true:  {{Low: .1, High: .2}, {Low: -.2, High: -.1}},
		false: {{Low: -.1, High: .1}, {Low: 0, High: .1}, {Low: -.1, High: 0}},
	} {
		for _, i := range all {
			if got := (metric.Difference{Interval: i}).Sure(); got != want {
				t.Errorf("sure is %v for %v", got, i)
			}
		}
	}
}

func TestCompareCountsCases(t *testing.T) {
	got, err := metric.Bootstrap{}.Compare(run("r", 0, 1, 1, 0, 1), run("r", 1, 0, 1, 0, 0))
	want := metric.Difference{
		Interval: metric.Interval{Mean: -.2, Low: -.8, High: .4, Cases: 5, Repos: 1},
		First:    .6, Second: .4, Better: 1, Worse: 2, Same: 2,
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if got.Sure() {
		t.Error("two worse and one better is sure")
	}
}

func TestCompareRefusesOtherCases(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second []metric.Score
		want          string
	}{
		{"one more", run("r", 1, 1), run("r", 1), `pair the cases: case "r1" is only in the first run`},
		{"one less", run("r", 1), run("r", 1, 1), `pair the cases: case "r1" is only in the second run`},
		{"one twice", append(run("r", 1), run("r", 1)...), run("r", 1), `pair the cases: case "r0" has two scores`},
		{"another repository", run("r", 1), []metric.Score{{Case: "r0", Repo: "q"}}, `pair the cases: case "r0" is from "r" in the first run and from "q" in the second`},
		{"no number", run("r", 1), run("r", math.NaN()), `pair the cases: case "r0" has the score NaN`},
	} {
		if _, err := (metric.Bootstrap{}).Compare(tt.first, tt.second); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestMeanRefuses(t *testing.T) {
	if _, err := (metric.Bootstrap{}).Mean(nil); !errors.Is(err, metric.ErrNoScores) {
		t.Errorf("no scores: %v", err)
	}
	if _, err := (metric.Bootstrap{}).Compare(nil, nil); !errors.Is(err, metric.ErrNoScores) {
		t.Errorf("compare no scores: %v", err)
	}
	for _, tt := range []struct {
		b      metric.Bootstrap
		scores []metric.Score
		want   string
	}{
		{metric.Bootstrap{Resamples: -1}, run("r", 1), "bootstrap: Resamples is -1, not from 1 to 1,000,000"},
		{metric.Bootstrap{Resamples: 1_000_001}, run("r", 1), "bootstrap: Resamples is 1000001, not from 1 to 1,000,000"},
		{metric.Bootstrap{Level: 1}, run("r", 1), "bootstrap: Level is 1, not between 0 and 1"},
		{metric.Bootstrap{Level: math.NaN()}, run("r", 1), "bootstrap: Level is NaN, not between 0 and 1"},
		{metric.Bootstrap{}, run("r", 1, math.Inf(1)), `case "r1" has the score +Inf`},
		{metric.Bootstrap{}, append(run("r", 1), run("r", 1)...), `case "r0" has two scores`},
	} {
		if _, err := tt.b.Mean(tt.scores); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

func TestByRepo(t *testing.T) {
	got := metric.ByRepo(append(run("b", 0, .5), run("a", 1)...))
	want := []metric.Score{{Case: "a", Repo: "a", Value: 1}, {Case: "b", Repo: "b", Value: .25}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestIntervalString(t *testing.T) {
	if got := (metric.Interval{Mean: .54, Low: .4812, High: .6}).String(); got != "0.540 [0.481, 0.600]" {
		t.Error(got)
	}
}

func BenchmarkMean(b *testing.B) {
	values := make([]float64, 265)
	for i := range 150 {
		values[i] = 1
	}
	scores := run("r", values...)
	for b.Loop() {
		if _, err := (metric.Bootstrap{}).Mean(scores); err != nil {
			b.Fatal(err)
		}
	}
}

// resample is the plain way: draw, add up, sort.
func resample(scores []metric.Score, n int, seed uint64) []float64 {
	draw := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, n)
	for i := range means {
		for range scores {
			means[i] += scores[draw.IntN(len(scores))].Value
		}
		means[i] /= float64(len(scores))
	}
	slices.Sort(means)
	return means
}

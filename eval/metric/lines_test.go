package metric_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/eval/metric"
	"github.com/repomind/repomind/internal/source"
)

func spans(t *testing.T, texts ...string) []source.Span {
	t.Helper()
	var all []source.Span
	for _, text := range texts {
		s, err := source.ParseSpan(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func TestFindLines(t *testing.T) {
	ranked := spans(t, "a.go:1-9", "b.go:10-20", "a.go:10-20", "c.go", "a.go:18-40")
	gold := spans(t, "a.go:9-10", "a.go:10", "a.go:20-25", "a.go:41", "b.go:9", "b.go:1-99", "c.go:7", "b.go", "d.go")
	want := metric.Places{1, 3, 3, 0, 0, 2, 4, 2, 0}
	if diff := cmp.Diff(want, metric.FindLines(gold, ranked)); diff != "" {
		t.Error(diff)
	}
}

func TestASpanWithoutAnEndIsOneLine(t *testing.T) {
	gold := []source.Span{{Path: "a.go", Start: 5}}
	ranked := []source.Span{{Path: "a.go", Start: 4}, {Path: "a.go", Start: 5}}
	if diff := cmp.Diff(metric.Places{2}, metric.FindLines(gold, ranked)); diff != "" {
		t.Error(diff)
	}
	if got := metric.Coverage(gold, ranked, 2); got != 1 {
		t.Errorf("coverage is %v, want 1", got)
	}
}

func TestCoverage(t *testing.T) {
	// Ten gold lines: 1 to 6 of a.go, 11 and 12 of a.go, 1 and 2 of b.go.
	gold := spans(t, "a.go:1-6", "a.go:2-3", "a.go:5-6", "a.go:11-12", "b.go:1-2")
	ranked := spans(t, "a.go:4-11", "a.go:5-11", "c.go:1-99", "b.go", "a.go:1-3")
	for k, want := range map[int]float64{-1: 0, 0: 0, 1: .4, 2: .4, 3: .4, 4: .6, 5: .9, 99: .9} {
		if got := metric.Coverage(gold, ranked, k); got != want {
			t.Errorf("coverage@%d is %v, want %v", k, got, want)
		}
	}
	if got := metric.Coverage(spans(t, "a.go"), ranked, 5); !math.IsNaN(got) {
		t.Errorf("coverage of no lines is %v, want NaN", got)
	}
}

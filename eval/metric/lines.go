package metric

import (
	"cmp"
	"math"
	"slices"

	"github.com/repomind/repomind/internal/source"
)

// FindLines gives for each gold span the place of the first ranked span that
// shares a line with it. A span without lines is its whole file.
func FindLines(gold, ranked []source.Span) Places {
	p := make(Places, len(gold))
	for i, g := range gold {
		p[i] = 1 + slices.IndexFunc(ranked, func(s source.Span) bool { return overlap(g, s) })
	}
	return p
}

func overlap(a, b source.Span) bool {
	return a.Path == b.Path && (a.Start == 0 || b.Start == 0 || a.Start <= last(b) && b.Start <= last(a))
}

// last is the last line of a span that has lines.
func last(s source.Span) int { return max(s.Start, s.End) }

// Coverage is the share of the gold lines that the first k ranked spans hold. A
// line that is gold twice counts once. A gold span without lines has none to
// count; without any gold line Coverage is NaN.
func Coverage(gold, ranked []source.Span, k int) float64 {
	all := merge(gold)
	total, covered := 0, 0
	for _, g := range all {
		total += g.Lines()
		covered += common(g, ranked[:min(max(k, 0), len(ranked))])
	}
	if total == 0 {
		return math.NaN()
	}
	return float64(covered) / float64(total)
}

// common is how many lines of g the spans hold.
func common(g source.Span, spans []source.Span) int {
	var parts []source.Span
	for _, s := range spans {
		if overlap(g, s) && s.Start == 0 {
			return g.Lines()
		} else if overlap(g, s) {
			parts = append(parts, source.Span{Path: g.Path, Start: max(g.Start, s.Start), End: min(last(g), last(s))})
		}
	}
	n := 0
	for _, part := range merge(parts) {
		n += part.Lines()
	}
	return n
}

// merge joins spans that overlap, so that no line is in two; it drops those
// without lines.
func merge(spans []source.Span) []source.Span {
	sorted := slices.SortedFunc(slices.Values(spans), bySpan)
	var out []source.Span
	for _, s := range sorted {
		if s.Start < 1 {
			continue
		}
		if n := len(out); n > 0 && overlap(out[n-1], s) {
			out[n-1].End = max(last(out[n-1]), last(s))
		} else {
			out = append(out, s)
		}
	}
	return out
}

func bySpan(a, b source.Span) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
}

package issue

import (
	"slices"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/rag"
)

// maxPlaces is how many places a report has.
const maxPlaces = 5

// rankingOf makes the list of places of what was found: the files in their order, so that
// it is never worse than the retriever's, each with the best definition in it, or the best
// lines where it has none.
func rankingOf(res rag.Result) *Ranking {
	r := &Ranking{Ran: res.Ran, Strong: strong(res)}
	for i, f := range res.Files[:min(len(res.Files), maxPlaces)] {
		l := report.Location{Path: f.Path, Rank: i + 1, Score: f.Score, Why: reasons(f.Why)}
		if j := bestIn(res.Symbols, f.Path); j >= 0 {
			l.Symbol, l.Start, l.End = res.Symbols[j].Name, res.Symbols[j].Span.Start, res.Symbols[j].Span.End
		} else if j := slices.IndexFunc(res.Chunks, func(c rag.Chunk) bool { return c.Span.Path == f.Path }); j >= 0 {
			l.Symbol, l.Start, l.End = res.Chunks[j].Symbol, res.Chunks[j].Span.Start, res.Chunks[j].Span.End
		}
		r.Places = append(r.Places, l)
	}
	return r
}

// bestIn is the best definition in a file, -1 for none: a function rather than the class
// around it, which says less.
func bestIn(all []rag.Symbol, path string) int {
	first := -1
	for i, s := range all {
		if s.Path != path {
			continue
		}
		if k := code.Kind(s.Kind); k == code.Function || k == code.Method {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

package main

import (
	"github.com/repomind/repomind/eval/metric"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/rank"
)

// weights are those of the three tables.
type weights struct{ files, chunks, symbols []float64 }

func current() weights {
	return weights{rag.FileSignals().Weights(), rag.ChunkSignals().Weights(), rag.SymbolSignals().Weights()}
}

// order gives the paths of files, and all chunks and symbols with the scores that
// they depend on filled in, the best first.
func (w weights) order(s seen) (files []string, chunks, symbols []rag.Candidate) {
	scores := make([]float64, len(s.Files))
	for i, f := range s.Files {
		scores[i] = sum(w.files, f.Row)
	}
	for _, i := range rank.Order(scores) {
		files = append(files, s.Files[i].Span.Path)
	}
	fill(s, scores)
	parts := make([]float64, len(s.Chunks))
	for i, c := range s.Chunks {
		parts[i] = sum(w.chunks, c.Row)
	}
	for _, i := range rank.Order(parts) {
		chunks = append(chunks, s.Chunks[i])
	}
	fillSymbols(s, scores, parts)
	names := make([]float64, len(s.Symbols))
	for i, c := range s.Symbols {
		names[i] = sum(w.symbols, c.Row)
	}
	for _, i := range rank.Order(names) {
		symbols = append(symbols, s.Symbols[i])
	}
	return files, chunks, symbols
}

// fillSymbols tells symbols the scores of their chunks and file, against the best.
func fillSymbols(s seen, files, chunks []float64) {
	top, best := largest(files), largest(chunks)
	of := map[int][]int{}
	for i, c := range s.Chunks {
		of[c.File] = append(of[c.File], i)
	}
	for _, c := range s.Symbols {
		var most, all float64
		n := 0
		for _, i := range of[c.File] {
			p := s.Chunks[i].Span
			if p.End < c.Span.Start || p.Start > c.Span.End || c.Type && p.Start > c.Span.Start {
				continue
			}
			share := max(0, chunks[i]/best)
			most = max(most, share)
			all += share
			n++
		}
		c.Row[rag.BestChunk], c.Row[rag.MeanChunk] = float32(most), float32(all/float64(max(1, n)))
		c.Row[rag.SymbolFile] = float32(max(0, files[c.File]/top))
	}
}

// fill tells chunks the score of their file, against the best.
func fill(s seen, files []float64) {
	top := largest(files)
	for _, c := range s.Chunks {
		c.Row[rag.InFile] = float32(max(0, files[c.File]/top))
	}
}

// largest is the best score, at least a little, to divide by.
func largest(scores []float64) float64 {
	top := 1e-9
	for _, s := range scores {
		top = max(top, s)
	}
	return top
}

func sum(w []float64, r rank.Row) float64 {
	var s float64
	for i, x := range r {
		if x != 0 {
			s += w[i] * float64(x)
		}
	}
	return s
}

// places are where the gold of a case stands in the lists.
type places struct{ files, lines, functions metric.Places }

func (w weights) places(s seen) places {
	files, chunks, symbols := w.order(s)
	var spans []source.Span
	var names []string
	for _, c := range chunks {
		spans = append(spans, c.Span)
	}
	for _, c := range symbols {
		names = append(names, c.Span.Path+":"+c.Symbol)
	}
	same := metric.SameLast
	if s.Gold.Parsed {
		same = metric.SameSymbol
	}
	return places{
		files:     metric.Find(s.Gold.Files, files),
		lines:     metric.FindLines(s.Gold.Lines, spans[:min(len(spans), 50)]),
		functions: metric.FindSymbols(s.Gold.Functions, names[:min(len(names), 50)], same),
	}
}

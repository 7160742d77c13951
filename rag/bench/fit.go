package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/eval/metric"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/rank"
)

// fit prints the weights that all cases ask for.
func fit(ctx context.Context, o options) error {
	cases, err := load(ctx, o)
	if err != nil {
		return err
	}
	fileTable, chunkTable, symbolTable := start(o)
	files := o.fit.Weights(fileTable, without(o.drop, fileTable, fileCases(cases)))
	chunks := o.fit.Weights(chunkTable, without(o.drop, chunkTable, chunkCases(cases, func(int) weights { return reference().with(files, nil) })))
	symbols := o.fit.Weights(symbolTable, without(o.drop, symbolTable, symbolCases(cases, func(int) weights { return reference().with(files, chunks) })))
	fmt.Println("files:")
	printWeights(rag.FileSignals(), files)
	fmt.Println("\nchunks:")
	printWeights(rag.ChunkSignals(), chunks)
	fmt.Println("\nsymbols:")
	printWeights(rag.SymbolSignals(), symbols)
	return nil
}

func printWeights(t rank.Table, w []float64) {
	for i, s := range t {
		fmt.Printf("  %-32s %6.2f\n", s.Name, w[i])
	}
}

// start gives the tables with the weights that fits begin at and are held to: those
// that were set by hand before anything was measured. So a signal that is rare
// keeps its weight until cases speak against it, and the table at hand does not
// hold its own successor.
func start(o options) (files, chunks, symbols rank.Table) {
	w := reference()
	files, chunks, symbols = rag.FileSignals(), rag.ChunkSignals(), rag.SymbolSignals()
	for i := range files {
		files[i].Weight = o.scale * w.files[i]
	}
	for i := range chunks {
		chunks[i].Weight = o.scale * w.chunks[i]
	}
	for i := range symbols {
		symbols[i].Weight = o.scale * w.symbols[i]
	}
	for _, t := range []rank.Table{files, chunks, symbols} {
		for i, s := range t {
			if slices.Contains(strings.Split(o.drop, ";"), s.Name) {
				t[i].Weight = 0 // and a fit to rows without it leaves it there
			}
		}
	}
	return files, chunks, symbols
}

// leaveOut gives each case the weights that were fitted without its repository.
func leaveOut(o options, cases []seen) []weights {
	fileTable, chunkTable, symbolTable := start(o)
	files := o.fit.LeaveOut(fileTable, without(o.drop, fileTable, fileCases(cases)))
	chunks := o.fit.LeaveOut(chunkTable, without(o.drop, chunkTable, chunkCases(cases, func(i int) weights { return reference().with(files[i], nil) })))
	symbols := o.fit.LeaveOut(symbolTable, without(o.drop, symbolTable, symbolCases(cases, func(i int) weights { return reference().with(files[i], chunks[i]) })))
	out := make([]weights, len(cases))
	for i := range out {
		out[i] = weights{files[i], chunks[i], symbols[i]}
	}
	return out
}

// vectorSignals are those that need an encoder.
const vectorSignals = "vectors are near;vectors, fused"

// without takes signals, named with semicolons between, out of the rows.
func without(drop string, t rank.Table, cases []rank.Case) []rank.Case {
	for k, s := range t {
		if slices.Contains(strings.Split(drop, ";"), s.Name) {
			for _, c := range cases {
				for _, row := range c.Rows {
					row[k] = 0
				}
			}
		}
	}
	return cases
}

// with replaces weights that are given.
func (w weights) with(files, chunks []float64) weights {
	w.files = files
	if chunks != nil {
		w.chunks = chunks
	}
	return w
}

func fileCases(cases []seen) []rank.Case {
	out := make([]rank.Case, len(cases))
	for i, s := range cases {
		c := rank.Case{Group: s.Input.Repo.String()}
		for _, f := range s.Files {
			c.Rows = append(c.Rows, slices.Clone(f.Row))
			c.Gold = append(c.Gold, slices.Contains(s.Gold.Files, f.Span.Path))
		}
		out[i] = c
	}
	return out
}

// hardest is how many wrong chunks a case keeps for fitting: those that are nearest.
const hardest = 150

func chunkCases(cases []seen, of func(i int) weights) []rank.Case {
	return hard(cases, holdsLine, func(i int) []rag.Candidate {
		_, chunks, _ := of(i).order(cases[i])
		return chunks
	})
}

func symbolCases(cases []seen, of func(i int) weights) []rank.Case {
	return hard(cases, isGold, func(i int) []rag.Candidate {
		_, _, symbols := of(i).order(cases[i])
		return symbols
	})
}

// hard keeps of each case the right candidates and the hardest wrong ones.
func hard(cases []seen, right func(seen, rag.Candidate) bool, order func(i int) []rag.Candidate) []rank.Case {
	out := make([]rank.Case, len(cases))
	for i, s := range cases {
		c := rank.Case{Group: s.Input.Repo.String()}
		for n, candidate := range order(i) {
			gold := right(s, candidate)
			if gold || n < hardest {
				c.Rows = append(c.Rows, slices.Clone(candidate.Row))
				c.Gold = append(c.Gold, gold)
			}
		}
		out[i] = c
	}
	return out
}

func isGold(s seen, c rag.Candidate) bool {
	same := metric.SameLast
	if s.Gold.Parsed {
		same = metric.SameSymbol
	}
	return slices.ContainsFunc(s.Gold.Functions, func(g string) bool { return same(g, c.Span.Path+":"+c.Symbol) })
}

func holdsLine(s seen, c rag.Candidate) bool {
	for _, g := range s.Gold.Lines {
		if g.Path == c.Span.Path && g.Start <= c.Span.End && max(g.End, g.Start) >= c.Span.Start {
			return true
		}
	}
	return false
}

// filesOnly prints how well files are ranked by weights fitted without their
// repository: for trying signals.
func filesOnly(ctx context.Context, o options) error {
	cases, err := load(ctx, o)
	if err != nil {
		return err
	}
	table, _, _ := start(o)
	left := o.fit.LeaveOut(table, without(o.drop, table, fileCases(cases)))
	var n, first, five, ten, hard, hardFive float64
	for i, s := range cases {
		scores := make([]float64, len(s.Files))
		for k, f := range s.Files {
			scores[k] = sum(left[i], f.Row)
		}
		var files []string
		for _, k := range rank.Order(scores) {
			files = append(files, s.Files[k].Span.Path)
		}
		p := metric.Find(s.Gold.Files, files)
		n++
		first += p.Hit(1)
		five += p.Hit(5)
		ten += p.Hit(10)
		if s.Mentions.Harder() {
			hard++
			hardFive += p.Hit(5)
		}
	}
	fmt.Printf("@1 %.3f  @5 %.3f  @10 %.3f  harder @5 %.3f  without %q\n", first/n, five/n, ten/n, hardFive/max(1, hard), o.drop)
	return nil
}

package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/repomind/repomind/eval/metric"
	"github.com/repomind/repomind/rag"
)

// system is a way to rank, by the weights for each case.
type system struct {
	name    string
	of      func(i int) weights
	against []int  // systems that it is compared with, case by case
	cases   []seen // with other evidence than the usual; nil is the usual
}

// honest is the ranking that no case is judged by weights of its own.
const honest = "fitted without its repository"

func table(ctx context.Context, o options) error {
	cases, err := load(ctx, o)
	if err != nil {
		return err
	}
	var all []weights
	if o.encoder != nil {
		all = leaveOut(o, cases)
	}
	o.drop += ";" + vectorSignals
	left := leaveOut(o, cases)
	plain, err := plainly(ctx, o, cases)
	if err != nil {
		return err
	}
	systems := []system{
		{name: "BM25 of files", of: func(int) weights { return alone("words", "words") }},
		{name: "four queries, fused by rank", of: func(int) weights { return alone("queries, fused", "queries, fused") }},
		{name: "reference's formula", of: func(int) weights { return reference() }, cases: plain},
		{name: "reference's formula, our reading of the issue", of: func(int) weights { return reference() }},
		{name: "as fitted", of: func(int) weights { return current() }},
		{name: honest, of: func(i int) weights { return left[i] }, against: []int{0, 2, 3}},
	}
	if o.encoder != nil {
		systems = append(systems,
			system{name: "vectors of the best chunks alone", of: func(int) weights { return alone("vectors are near", "vectors are near") }},
			system{name: honest + ", with vectors", of: func(i int) weights { return all[i] }, against: []int{5}})
	}
	for _, sub := range []struct {
		name string
		has  func(seen) bool
	}{
		{"all", func(seen) bool { return true }},
		{"harder: the issue names neither file nor function", func(s seen) bool { return s.Mentions.Harder() }},
		{"python/mypy", func(s seen) bool { return s.Input.Repo.String() == "python/mypy" }},
	} {
		section(sub.name, cases, sub.has, systems, o.misses)
	}
	return nil
}

// figures are the columns of the table.
var figures = []struct {
	name string
	of   func(places) (float64, bool)
}{
	{"file@1", func(p places) (float64, bool) { return p.files.Hit(1), true }},
	{"file@5", func(p places) (float64, bool) { return p.files.Hit(5), true }},
	{"file@10", func(p places) (float64, bool) { return p.files.Hit(10), true }},
	{"MRR", func(p places) (float64, bool) { return p.files.Reciprocal(), true }},
	{"symbol@5", func(p places) (float64, bool) { return p.functions.Hit(5), len(p.functions) > 0 }},
	{"symbol@10", func(p places) (float64, bool) { return p.functions.Hit(10), len(p.functions) > 0 }},
	{"line@10", func(p places) (float64, bool) { return p.lines.Hit(10), len(p.lines) > 0 }},
}

func section(name string, cases []seen, has func(seen) bool, systems []system, misses bool) {
	fmt.Printf("\n%s\n\n| ranking |", name)
	for _, f := range figures {
		fmt.Printf(" %s |", f.name)
	}
	fmt.Printf("\n| --- |%s\n", strings.Repeat(" --- |", len(figures)))
	scores := make([][][]metric.Score, len(systems))
	for n, s := range systems {
		scores[n] = s.scores(cases, has, misses && name == "all" && s.name == honest)
		row(s.name, func(k int) (metric.Interval, error) { return metric.Bootstrap{}.Mean(scores[n][k]) })
	}
	for n, s := range systems {
		for _, m := range s.against {
			row(s.name+" − "+systems[m].name, func(k int) (metric.Interval, error) {
				d, err := metric.Bootstrap{}.Compare(scores[m][k], scores[n][k])
				return d.Interval, err
			})
		}
	}
}

// row prints one line; a figure that no case has is left empty.
func row(name string, of func(figure int) (metric.Interval, error)) {
	fmt.Printf("| %s |", name)
	for k := range figures {
		if m, err := of(k); err == nil {
			fmt.Printf(" %.3f [%.2f, %.2f]", m.Mean, m.Low, m.High)
		}
		fmt.Print(" |")
	}
	fmt.Println()
}

// scores are those of each figure.
func (s system) scores(cases []seen, has func(seen) bool, misses bool) [][]metric.Score {
	out := make([][]metric.Score, len(figures))
	for i, c := range cases {
		if !has(c) {
			continue
		}
		if s.cases != nil {
			c = s.cases[i]
		}
		p := s.of(i).places(c)
		if misses && p.files.Hit(1) == 0 {
			fmt.Fprintln(os.Stderr, c.ID, p.files)
		}
		for k, f := range figures {
			if value, ok := f.of(p); ok {
				out[k] = append(out[k], metric.Score{Case: c.ID, Repo: c.Input.Repo.String(), Value: value})
			}
		}
	}
	return out
}

// alone is a ranking by single signals.
func alone(file, chunk string) weights {
	w := weights{make([]float64, len(rag.FileSignals())), make([]float64, len(rag.ChunkSignals())), make([]float64, len(rag.SymbolSignals()))}
	w.symbols[rag.BestChunk] = 1
	for i, s := range rag.FileSignals() {
		if s.Name == file {
			w.files[i] = 1
		}
	}
	for i, s := range rag.ChunkSignals() {
		if s.Name == chunk {
			w.chunks[i] = 1
		}
	}
	return w
}

// reference is the formula that was written by hand before anything was measured.
func reference() weights {
	byHand := map[string]float64{
		"words": .5, "words of a chunk": .6, "words of three chunks": .4, "words of the path": .25, "title": .3,
		"title in a chunk": .2, "path is named": .9, "file name is named": .35, "module is named": .45,
		"called like a word": .08, "in a trace": .35, "near the break": .25, "defines a name": .25,
		"has the message": .4, "similar commits": .35, "changed of late": .12, "changed often": .1,
		"stands for its directory": -.1,
	}
	w := alone("", "")
	for i, s := range rag.FileSignals() {
		w.files[i] = byHand[s.Name]
	}
	for i, s := range rag.ChunkSignals() {
		w.chunks[i] = map[string]float64{"words": 1, "title": .5, "its file": 1}[s.Name]
	}
	return w
}

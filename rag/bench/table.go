package main

import (
	"context"
	"fmt"
	"os"

	"github.com/repomind/repomind/eval/metric"
	"github.com/repomind/repomind/rag"
)

// system is a way to rank, by the weights for each case.
type system struct {
	name string
	of   func(i int) weights
}

func table(ctx context.Context, o options) error {
	cases, err := load(ctx, o)
	if err != nil {
		return err
	}
	left := leaveOut(o, cases)
	systems := []system{
		{"BM25 of files", func(int) weights { return alone("words", "words") }},
		{"reference's formula", func(int) weights { return reference() }},
		{"as fitted", func(int) weights { return current() }},
		{"fitted without its repository", func(i int) weights { return left[i] }},
	}
	for _, sub := range []struct {
		name string
		has  func(seen) bool
	}{
		{"all", func(seen) bool { return true }},
		{"harder: the issue names neither file nor function", func(s seen) bool { return s.Mentions.Harder() }},
		{"python/mypy", func(s seen) bool { return s.Input.Repo.String() == "python/mypy" }},
	} {
		if err := print(sub.name, cases, sub.has, systems, o.misses); err != nil {
			return err
		}
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

func print(name string, cases []seen, has func(seen) bool, systems []system, misses bool) error {
	fmt.Printf("\n%s\n\n| ranking |", name)
	for _, f := range figures {
		fmt.Printf(" %s |", f.name)
	}
	fmt.Printf("\n| --- |")
	for range figures {
		fmt.Print(" --- |")
	}
	fmt.Println()
	for _, s := range systems {
		scores := make([][]metric.Score, len(figures))
		for i, c := range cases {
			if !has(c) {
				continue
			}
			p := s.of(i).places(c)
			if misses && name == "all" && s.name == "fitted without its repository" && p.files.Hit(1) == 0 {
				fmt.Fprintln(os.Stderr, c.ID, p.files)
			}
			for k, f := range figures {
				if value, ok := f.of(p); ok {
					scores[k] = append(scores[k], metric.Score{Case: c.ID, Repo: c.Input.Repo.String(), Value: value})
				}
			}
		}
		fmt.Printf("| %s |", s.name)
		for k := range figures {
			m, err := metric.Bootstrap{}.Mean(scores[k])
			if err != nil {
				fmt.Print(" |")
				continue
			}
			fmt.Printf(" %.3f [%.2f, %.2f] |", m.Mean, m.Low, m.High)
		}
		fmt.Println()
	}
	return nil
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

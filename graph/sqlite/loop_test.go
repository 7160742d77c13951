package sqlite_test

import (
	"context"
	"testing"

	"github.com/repomind/repomind/graph"
)

// work is the state of the graphs that are run on a file.
type work struct {
	N    int
	Text string
	Log  []string
}

var (
	number = graph.Last("n", func(s *work) *int { return &s.N })
	text   = graph.Last("text", func(s *work) *string { return &s.Text })
	log    = graph.Append("log", func(s *work) *[]string { return &s.Log })
)

// loop is a graph of so many steps, which count and write what more returns.
func loop(t *testing.T, s graph.Checkpointer, steps int, more func(work) graph.Update[work]) *graph.App[work] {
	t.Helper()
	g := graph.New("loop", number, text, log)
	g.Node("count", func(_ context.Context, w work) (graph.Update[work], error) {
		return append(more(w), number.Set(w.N+1)), nil
	}, graph.MaxVisits(steps))
	g.Edge(graph.Begin, "count")
	g.Branch("count", func(w work) string {
		if w.N < steps {
			return "count"
		}
		return graph.End
	}, "count", graph.End)
	app, err := g.Compile(graph.Config{Store: s, MaxSteps: steps})
	if err != nil {
		t.Fatal(err)
	}
	return app
}

// logging writes s to the log in each step, unless it is empty.
func logging(s string) func(work) graph.Update[work] {
	return func(work) (u graph.Update[work]) {
		if s != "" {
			u = graph.Update[work]{log.Set([]string{s})}
		}
		return u
	}
}

// runLoop runs a thread "t" of so many steps with a constant text.
func runLoop(t *testing.T, s graph.Checkpointer, steps int, constant, logged string) {
	t.Helper()
	if _, err := loop(t, s, steps, logging(logged)).Run(t.Context(), "t", graph.Start(work{Text: constant})); err != nil {
		t.Fatal(err)
	}
}

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// rich has every kind of node, exit, cycle and option.
func rich() *graph.Graph[draft] {
	keep := func(draft) graph.Update[draft] { return nil }
	inner := newDraft("inner")
	chain(inner, "x", "y")
	g := newDraft("rich")
	g.Node("plan", still, graph.MaxVisits(3))
	read := graph.Task(g, "read", stillTask, graph.MaxVisits(9))
	deep := graph.SubTask(g, "deep", inner, func(string) draft { return draft{} }, keep)
	graph.Sub(g, "merge", inner, func(s draft) draft { return s }, keep)
	g.Node("ask", still, graph.MaxVisits(2), graph.Timeout(1), graph.Retry(graph.Policy{}))
	g.Node("again", still, graph.MaxVisits(1))
	g.Branch(graph.Begin, nowhere, "plan", "again", graph.End)
	g.Fan("plan", sendNothing, "merge", read, deep)
	g.Branch("merge", nowhere, "plan", "ask", graph.End)
	g.Fan("ask", sendNothing, "again", read) // a task may serve two fans
	g.Branch("again", nowhere, "again", "ask", graph.End)
	return g
}

func TestCompileFindsNoProblemInARichGraph(t *testing.T) {
	if _, err := rich().Compile(graph.Config{MaxSteps: 1, Concurrency: 1, LeaseTTL: time.Millisecond}); err != nil {
		t.Error(err)
	}
}

func TestCompiledGraphIsImmutable(t *testing.T) {
	g := newDraft("draft")
	chain(g, "a")
	app, err := g.Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	hash, drawing := app.Hash(), app.Mermaid()
	g.Node("b", still)
	g.Edge("a", "b")
	g.Validate(func(draft) error { return errors.New("added later") })
	if _, err := g.Compile(graph.Config{}); err == nil {
		t.Error("the changed graph compiles")
	}
	if app.Hash() != hash || app.Mermaid() != drawing {
		t.Error("the compiled graph changed with its source")
	}
	if _, err := app.Run(t.Context(), "t", graph.Start(draft{})); err != nil {
		t.Error(err)
	}
}

func TestAppServesManyGoroutines(t *testing.T) {
	g := newDraft("draft")
	g.Node("a", func(_ context.Context, s draft) (graph.Update[draft], error) {
		return graph.Update[draft]{draftNotes.Set([]string{s.Title})}, nil
	})
	g.Edge(graph.Begin, "a")
	g.Edge("a", graph.End)
	var apps [2]*graph.App[draft]
	for i := range apps { // the same graph, and the same fields, twice
		app, err := g.Compile(graph.Config{Store: graph.NewMemory()})
		if err != nil {
			t.Fatal(err)
		}
		apps[i] = app
	}
	if apps[0].Hash() != apps[1].Hash() {
		t.Errorf("one graph has two hashes, %s and %s", apps[0].Hash(), apps[1].Hash())
	}
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			title := fmt.Sprint(i)
			s, err := apps[i%2].Run(t.Context(), title, graph.Start(draft{Title: title}))
			if diff := cmp.Diff(draft{title, []string{title}}, s); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
	wg.Wait()
}

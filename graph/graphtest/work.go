package graphtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/repomind/repomind/graph"
)

// work is the state of the graphs that the suite runs.
type work struct {
	N    int
	Log  []string
	Note string
	OK   bool
}

var (
	number = graph.Reduce("n", func(s *work) *int { return &s.N }, func(a, b int) int { return a + b })
	log    = graph.Append("log", func(s *work) *[]string { return &s.Log })
	note   = graph.Last("note", func(s *work) *string { return &s.Note })
	ok     = graph.Last("ok", func(s *work) *bool { return &s.OK })
)

type update = graph.Update[work]

// calls counts how often nodes were entered.
type calls struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *calls) add(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[name]++
	return c.n[name]
}

// String is for comparison: "gate=2 plan=1".
func (c *calls) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var s []string
	for _, name := range slices.Sorted(maps.Keys(c.n)) {
		s = append(s, fmt.Sprintf("%s=%d", name, c.n[name]))
	}
	return strings.Join(s, " ")
}

// logs is a node that writes its name to the log.
func (c *calls) logs(name string) graph.Node[work] {
	return func(context.Context, work) (update, error) {
		c.add(name)
		return update{log.Set([]string{name})}, nil
	}
}

// asks is a node that wants an approval.
func (c *calls) asks(name string) graph.Node[work] {
	return func(ctx context.Context, s work) (update, error) {
		c.add(name)
		yes, err := graph.Interrupt[bool](ctx, "approve", s.Note)
		return update{ok.Set(yes), log.Set([]string{fmt.Sprint(name, " ", yes)})}, err
	}
}

func newGraph(name string) *graph.Graph[work] { return graph.New(name, number, log, note, ok) }

// line connects nodes from Begin to End.
func line[S any](g *graph.Graph[S], names ...string) {
	from := graph.Begin
	for _, to := range append(names, graph.End) {
		g.Edge(from, to)
		from = to
	}
}

func compile[S any](e *env, g *graph.Graph[S]) *graph.App[S] {
	e.Helper()
	app, err := g.Compile(graph.Config{Store: e.store, Now: e.clock.now, DetectMutation: true})
	e.must(err)
	return app
}

// pauses runs a thread that must pause and gives its open questions.
func pauses[S any](e *env, app *graph.App[S], thread string, in graph.Input[S]) []graph.Pause {
	e.Helper()
	_, err := app.Run(e.Context(), thread, in)
	p, ok := errors.AsType[*graph.Paused](err)
	if !ok {
		e.Fatalf("got error %v, want a pause", err)
	}
	return p.Pauses
}

// finish runs a thread to its end, with yes as the answer to every question.
func finish[S any](e *env, app *graph.App[S], thread string, in graph.Input[S]) S {
	e.Helper()
	for {
		s, err := app.Run(e.Context(), thread, in)
		p, ok := errors.AsType[*graph.Paused](err)
		if !ok {
			e.must(err)
			return s
		}
		var yes []graph.Answer
		for _, p := range p.Pauses {
			yes = append(yes, graph.AnswerTo(p.ID, true, "alice"))
		}
		in = graph.Resume[S](yes...)
	}
}

func yes(p graph.Pause) graph.Input[work] {
	return graph.Resume[work](graph.AnswerTo(p.ID, true, "alice"))
}

func state[S any](e *env, app *graph.App[S], thread string) graph.Snapshot[S] {
	e.Helper()
	s, err := app.State(e.Context(), thread)
	e.must(err)
	return s
}

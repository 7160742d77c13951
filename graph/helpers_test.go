package graph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cenkalti/backoff/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/graph"
)

// plan is the state of most tests: one member for each kind of field, and a map.
type plan struct {
	Text  string
	Total int
	Log   []string
	Tags  map[string]string
}

type planUpdate = graph.Update[plan]

var (
	planText  = graph.Last("text", func(s *plan) *string { return &s.Text })
	planTotal = graph.Reduce("total", func(s *plan) *int { return &s.Total }, func(a, b int) int { return a + b })
	planLog   = graph.Append("log", func(s *plan) *[]string { return &s.Log })
	planTags  = graph.Last("tags", func(s *plan) *map[string]string { return &s.Tags })
)

func newPlan() *graph.Graph[plan] {
	return graph.New("plan", planText, planTotal, planLog, planTags)
}

func logs(words ...string) planUpdate { return planUpdate{planLog.Set(words)} }

// logNode logs word, each time it runs.
func logNode(word string) graph.Node[plan] {
	return func(context.Context, plan) (planUpdate, error) { return logs(word), nil }
}

// lineOf leads through nodes named "a", "b", and so on.
func lineOf(nodes ...graph.Node[plan]) *graph.Graph[plan] {
	g, last := newPlan(), graph.Begin
	for i, fn := range nodes {
		name := string(rune('a' + i))
		g.Node(name, fn)
		g.Edge(last, name)
		last = name
	}
	g.Edge(last, graph.End)
	return g
}

// fanOf sends 0 to n-1 to the task "part", which leads to the node "join".
func fanOf(n int, part func(context.Context, int) (planUpdate, error), o ...graph.NodeOption) *graph.Graph[plan] {
	g := newPlan()
	task := graph.Task(g, "part", part, o...)
	g.Node("join", func(_ context.Context, s plan) (planUpdate, error) {
		return planUpdate{planText.Set(s.Text + fmt.Sprintf("joined %d;", len(s.Log)))}, nil
	})
	g.Fan(graph.Begin, numbered(n, task.Send), "join", task)
	g.Edge("join", graph.End)
	return g
}

func numbered(n int, send func(int) graph.Send[plan]) func(plan) []graph.Send[plan] {
	return func(plan) []graph.Send[plan] {
		sends := make([]graph.Send[plan], n)
		for i := range sends {
			sends[i] = send(i)
		}
		return sends
	}
}

func logPart(i int) planUpdate { return logs(fmt.Sprint("part ", i)) }

// partsLog is what logPart logs of 0 to n-1.
func partsLog(n int) (log []string) {
	for i := range n {
		log = append(log, fmt.Sprint("part ", i))
	}
	return log
}

// noWait is for retries that need no pause between them.
func noWait() backoff.BackOff { return &backoff.ZeroBackOff{} }

func ready[S any](t testing.TB, g *graph.Graph[S], cfg graph.Config) *graph.App[S] {
	t.Helper()
	app, err := g.Compile(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return app
}

// questions are what a run waits for.
func questions(t testing.TB, err error) []graph.Pause {
	t.Helper()
	p, ok := errors.AsType[*graph.Paused](err)
	if !ok {
		t.Fatalf("run ended with %v, want a pause", err)
	}
	return p.Pauses
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error is %v, want %v", err, want)
	}
}

func wantText(t testing.TB, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Fatalf("error is %v, want %q in it", err, part)
		}
	}
}

// same compares values, errors in them as errors.Is does.
func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // much faster than cmp on the bytes of a dump
		return
	}
	if d := cmp.Diff(want, got, cmpopts.EquateErrors()); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

func wantStatus[S any](t testing.TB, app *graph.App[S], thread string, want graph.Status) graph.Snapshot[S] {
	t.Helper()
	s, err := app.State(context.Background(), thread)
	if err != nil || s.Status != want {
		t.Fatalf("thread %q is %q (%v), want %q", thread, s.Status, err, want)
	}
	return s
}

// tally counts by name.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *tally) add(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int{}
	}
	c.n[name]++
	return c.n[name]
}

// seen is what has been counted up to now.
func (c *tally) seen() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.n)
}

func (c *tally) want(t testing.TB, want map[string]int) {
	t.Helper()
	same(t, "counts", c.seen(), want)
}

// gauge knows how many are at work, and the most that ever were.
type gauge struct{ now, most atomic.Int64 }

func (g *gauge) enter() (leave func()) {
	n := g.now.Add(1)
	for m := g.most.Load(); n > m && !g.most.CompareAndSwap(m, n); m = g.most.Load() {
	}
	return func() { g.now.Add(-1) }
}

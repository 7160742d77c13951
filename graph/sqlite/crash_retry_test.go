//go:build linux

package sqlite_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/repomind/repomind/graph"
)

type task struct{ Said string }

var said = graph.Last("said", func(s *task) *string { return &s.Said })

// A node that takes the process down is not tried for ever, see graph.Policy and
// graph.TaskStarted. That must not depend on how the thread came to the node.
func TestNodeThatKillsItsProcessRunsOutOfAttempts(t *testing.T) {
	for _, first := range []string{"nothing", "pause", "failure"} {
		t.Run("after a "+first, func(t *testing.T) {
			dir := t.TempDir()
			last, dead := "", true
			for n := 0; dead && n < 10; n++ {
				last, dead = start(t, job{Role: "doomed", Dir: dir, Name: first}).end()
			}
			if dead || !strings.Contains(last, "no attempt is left after 3") {
				t.Errorf("child ended with %q, killed %v; want no attempt left after 3", last, dead)
			}
			n := 0
			for _, e := range readJournal(t, dir) {
				if e.What == entered {
					n++
				}
			}
			if n != 3 {
				t.Errorf("the node was entered %d times, want 3", n)
			}
		})
	}
}

// A run that is cancelled ends in order, so its attempts do not count.
func TestCancelledRunUsesUpNoAttempts(t *testing.T) {
	for _, where := range []string{"node", "sub-graph"} {
		t.Run("in a "+where, func(t *testing.T) {
			store, err := openStore(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			in := graph.Start(task{})
			for n := range 5 {
				ctx, cancel := context.WithCancel(t.Context())
				app, err := patient(where, cancel).Compile(graph.Config{Store: store})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := app.Run(ctx, thread, in); !errors.Is(err, context.Canceled) {
					t.Fatalf("run %d gave %v, want it cancelled", n, err)
				}
				in = graph.Continue[task]()
			}
		})
	}
}

// patient has a node with three attempts that waits for the end of its context.
func patient(where string, entered func()) *graph.Graph[task] {
	g := graph.New("patient", said)
	g.Node("node", func(ctx context.Context, _ task) (graph.Update[task], error) {
		entered()
		<-ctx.Done()
		return nil, ctx.Err()
	}, graph.Retry(graph.Policy{Attempts: 3}))
	g.Edge(graph.Begin, "node")
	g.Edge("node", graph.End)
	if where == "node" {
		return g
	}
	outer := graph.New("outer", said)
	graph.Sub(outer, "sub", g, func(s task) task { return s }, func(task) graph.Update[task] { return nil })
	outer.Edge(graph.Begin, "sub")
	outer.Edge("sub", graph.End)
	return outer
}

func TestThreadIsRunningAfterItWasResumed(t *testing.T) {
	dir := t.TempDir()
	c := start(t, job{Role: "travel", Dir: dir, At: "join", Do: "hold"}) // after two questions
	c.want("ready", "holds")
	if got := owner(t, openHere(t, dir)); got.Status != graph.StatusRunning {
		t.Errorf("thread is %q, want %q: process %d runs it", got.Status, graph.StatusRunning, got.Owner.PID)
	}
	c.tell("go on")
	c.finish()
}

// serveDoomed runs a thread in which one node kills the process in each of its
// three attempts.
func serveDoomed(ctx context.Context, j job) error {
	log, err := openJournal(j.Dir)
	if err != nil {
		return err
	}
	store, err := openStore(ctx, j.Dir)
	if err != nil {
		return err
	}
	app, err := doomed(log, j.Name).Compile(graph.Config{Store: store})
	if err != nil {
		return err
	}
	_, err = app.Run(ctx, thread, graph.Continue[task]())
	if errors.Is(err, graph.ErrNoThread) {
		_, err = app.Run(ctx, thread, graph.Start(task{}))
	}
	var p *graph.Paused
	switch {
	case errors.As(err, &p):
		_, err = app.Run(ctx, thread, graph.Resume[task](graph.AnswerTo("", "yes", "alice")))
	case errors.Is(err, errFirst):
		_, err = app.Run(ctx, thread, graph.Continue[task]())
	}
	return err
}

var errFirst = errors.New("the first run fails")

func doomed(log journal, first string) *graph.Graph[task] {
	g := graph.New("doomed", said)
	failed := false
	g.Node("first", func(ctx context.Context, _ task) (graph.Update[task], error) {
		switch {
		case first == "pause":
			yes, err := graph.Interrupt[string](ctx, "go on", nil)
			return graph.Update[task]{said.Set(yes)}, err
		case first == "failure" && !failed:
			failed = true
			return nil, errFirst
		}
		return nil, nil
	})
	g.Node("doomed", func(ctx context.Context, _ task) (graph.Update[task], error) {
		p, i := here(ctx)
		log.note(entry{What: entered, Place: p, Attempt: i.Attempt})
		killSelf()
		return nil, nil
	}, graph.Retry(graph.Policy{Attempts: 3}))
	g.Edge(graph.Begin, "first")
	g.Edge("first", "doomed")
	g.Edge("doomed", graph.End)
	return g
}

package graphtest

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/cenkalti/backoff/v4"

	"github.com/repomind/repomind/graph"
)

func engineSuperseded(e *env) {
	var c calls
	g := newGraph("lost")
	g.Node("plan", c.logs("plan"))
	g.Node("slow", func(context.Context, work) (update, error) {
		e.clock.pass(2 * ttl)
		e.acquire("t", elsewhere)
		return update{note.Set("late")}, nil
	})
	line(g, "plan", "slow")
	_, err := compile(e, g).Run(e.Context(), "t", graph.Start(work{}))
	e.refused(err, graph.ErrSuperseded)
	got := state(e, compile(e, g), "t")
	e.equal(got.State, work{Log: []string{"plan"}})
	e.equal(got.Next, []string{"slow"})
	e.equal(e.load("t", -1).Owner, elsewhere)
	_, err = compile(e, g).Run(e.Context(), "t", graph.Continue[work]())
	e.refused(err, graph.ErrBusy)
}

func engineReuse(e *env) {
	var c calls
	g := newGraph("reuse")
	g.Node("gate", c.asks("gate"))
	line(g, "gate")
	app := compile(e, g)
	old := pauses(e, app, "t", graph.Start(work{}))[0]
	run := state(e, app, "t").Run
	_, err := app.Run(e.Context(), "t", graph.Start(work{}))
	e.refused(err, graph.ErrThreadExists)

	e.must(e.store.Delete(e.Context(), "t"))
	p := pauses(e, app, "t", graph.Start(work{}))[0]
	if p.ID == old.ID || state(e, app, "t").Run == run {
		e.Errorf("question %s of run %s is as before", p.ID, run)
	}
	_, err = app.Run(e.Context(), "t", yes(old))
	e.refused(err, graph.ErrUnknownInterrupt)
	finish(e, app, "t", yes(p))
}

func engineRunning(e *env) {
	var c calls
	var seen graph.Status
	g := newGraph("running")
	g.Node("gate", c.asks("gate"))
	g.Node("look", func(ctx context.Context, _ work) (update, error) {
		l, err := e.store.Load(ctx, "t", -1)
		if err == nil {
			seen = l.Status
		}
		return nil, err
	})
	line(g, "gate", "look")
	finish(e, compile(e, g), "t", graph.Start(work{}))
	e.equal(seen, graph.StatusRunning)
}

// mortal is a store in a process that can end: nothing reaches it any more.
type mortal struct {
	graph.Checkpointer
	ended atomic.Bool
}

var errEnded = errors.New("the process has ended")

func (m *mortal) Commit(ctx context.Context, l graph.Lease, thread string, c graph.Checkpoint) error {
	if m.ended.Load() {
		return errEnded
	}
	return m.Checkpointer.Commit(ctx, l, thread, c)
}

func (m *mortal) PutTasks(ctx context.Context, l graph.Lease, thread string, step int, rows []graph.TaskRow) error {
	if m.ended.Load() {
		return errEnded
	}
	return m.Checkpointer.PutTasks(ctx, l, thread, step, rows)
}

func (m *mortal) Release(ctx context.Context, l graph.Lease, s graph.Status) error {
	if m.ended.Load() {
		return errEnded
	}
	return m.Checkpointer.Release(ctx, l, s)
}

func engineAttempts(e *env) {
	var c calls
	kills := false
	m := &mortal{Checkpointer: e.store}
	g := newGraph("attempts")
	g.Node("work", func(context.Context, work) (update, error) {
		c.add("work")
		m.ended.Store(kills)
		return nil, errors.New("no")
	}, graph.Retry(graph.Policy{Attempts: 2, BackOff: func() backoff.BackOff { return &backoff.ZeroBackOff{} }}))
	line(g, "work")
	app, err := g.Compile(graph.Config{Store: m, Now: e.clock.now})
	e.must(err)
	run := func(in graph.Input[work]) error {
		m.ended.Store(false)
		_, err := app.Run(e.Context(), "t", in)
		e.clock.pass(ttl)
		return err
	}
	if _, ok := errors.AsType[*graph.NodeError](run(graph.Start(work{}))); !ok {
		e.Fatal("the node did not fail")
	}
	e.equal(c.String(), "work=2") // both attempts, in an orderly way

	kills = true
	for range 2 {
		e.refused(run(graph.Continue[work]()), errEnded)
	}
	e.equal(c.String(), "work=4") // each took the process down
	if err, ok := errors.AsType[*graph.NodeError](run(graph.Continue[work]())); !ok {
		e.Errorf("got error %v, want that no attempt is left", err)
	}
	e.equal(c.String(), "work=4")
}

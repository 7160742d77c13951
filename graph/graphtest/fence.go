package graphtest

import (
	"context"
	"time"

	"github.com/repomind/repomind/graph"
)

var fenceTests = tests{
	{"a lease that was taken over writes nothing", takenOver},
	{"a lease that was released writes nothing", afterRelease},
	{"the lease of a deleted thread does not write into the next one of its name", afterDelete},
	{"a lease does not write to a thread that is not its own", foreignThread},
	{"a lease that ran out and that nobody took still writes", ranOut},
}

type write struct {
	name string
	do   func(context.Context, graph.Checkpointer, graph.Lease) error
}

// writes has every method that needs a lease, for the thread "t" at step 1 with
// its sub-thread "t|1.0" at step 0.
var writes = []write{
	{"Renew", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error { return s.Renew(ctx, l) }},
	{"Release", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.Release(ctx, l, graph.StatusFailed)
	}},
	{"Commit", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.Commit(ctx, l, "t", step(2))
	}},
	{"Commit that ends a sub-thread", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		c := step(2)
		c.Ended = []string{"t|1.0"}
		return s.Commit(ctx, l, "t", c)
	}},
	{"Commit to a sub-thread", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.Commit(ctx, l, "t|1.0", step(1))
	}},
	{"Commit of a new sub-thread", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.Commit(ctx, l, "t|1.1", checkpoint(0, first()...))
	}},
	{"PutTasks", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.PutTasks(ctx, l, "t", 1, []graph.TaskRow{done(0, `"late"`), done(1, `"late"`)})
	}},
	{"PutTasks of a pause", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.PutTasks(ctx, l, "t", 1, []graph.TaskRow{{Index: 1, State: graph.TaskPaused, Data: []byte(`"late"`)}})
	}},
	{"PutTasks of a sub-thread", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.PutTasks(ctx, l, "t|1.0", 0, []graph.TaskRow{done(0, `"late"`)})
	}},
	{"PutEffect", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.PutEffect(ctx, l, "t", 1, effect(1, "late", `1`))
	}},
	{"PutEffect of a sub-thread", func(ctx context.Context, s graph.Checkpointer, l graph.Lease) error {
		return s.PutEffect(ctx, l, "t|1.0", 0, effect(0, "late", `1`))
	}},
}

// midway makes the thread of which writes speaks.
func (e *env) midway() graph.Lease {
	l := e.begin("t", first()...)
	e.steps(l, "t", 1, 1)
	e.commit(l, "t|1.0", checkpoint(0, first()...))
	e.must(e.store.PutTasks(e.Context(), l, "t", 1, []graph.TaskRow{done(0, `"kept"`)}))
	e.must(e.store.PutEffect(e.Context(), l, "t", 1, effect(0, "kept", `1`)))
	return l
}

// fenced checks that no write by l happens.
func (e *env) fenced(l graph.Lease) {
	e.Helper()
	before := e.dump("t", "t|1.0", "t|1.1")
	for _, w := range writes {
		if err := w.do(e.Context(), e.store, l); err == nil {
			e.Errorf("%s was not refused", w.name)
		} else {
			e.refused(err, graph.ErrSuperseded)
		}
		e.equal(e.dump("t", "t|1.0", "t|1.1"), before)
		if e.Failed() {
			e.Fatalf("by %s", w.name)
		}
	}
}

func takenOver(e *env) {
	old := e.midway()
	e.clock.pass(ttl)
	l := e.acquire("t", self(e.T))
	e.fenced(old)
	e.steps(l, "t", 2, 2)
}

func afterRelease(e *env) {
	l := e.midway()
	e.release(l, graph.StatusPaused)
	e.fenced(l)
}

func afterDelete(e *env) {
	old := e.midway()
	e.clock.pass(ttl)
	e.must(e.store.Delete(e.Context(), "t"))
	e.fenced(old)
	l := e.midway()
	if l.Run == old.Run {
		e.Errorf("the new thread has the old run %q", l.Run)
	}
	e.fenced(old)
	e.steps(l, "t", 2, 2)
}

func foreignThread(e *env) {
	l := e.begin("t", first()...)
	e.release(e.begin("tt", first()...), graph.StatusPaused)
	before := e.dump("t", "tt", "new", "tt|0.0")
	for name, err := range map[string]error{
		"PutTasks":                   e.store.PutTasks(e.Context(), l, "tt", 0, []graph.TaskRow{done(0, `1`)}),
		"PutEffect":                  e.store.PutEffect(e.Context(), l, "tt", 0, effect(0, "k", `1`)),
		"Commit":                     e.store.Commit(e.Context(), l, "tt", step(1)),
		"Commit to a new thread":     e.store.Commit(e.Context(), l, "new", checkpoint(0, first()...)),
		"Commit to a new sub-thread": e.store.Commit(e.Context(), l, "tt|0.0", checkpoint(0, first()...)),
	} {
		if err == nil {
			e.Errorf("%s was not refused", name)
		}
	}
	e.equal(e.dump("t", "tt", "new", "tt|0.0"), before)
}

func ranOut(e *env) {
	l := e.midway()
	e.clock.pass(24 * time.Hour)
	e.must(e.store.PutTasks(e.Context(), l, "t", 1, []graph.TaskRow{done(1, `1`)}))
	e.must(e.store.PutEffect(e.Context(), l, "t", 1, effect(1, "k", `1`)))
	e.steps(l, "t|1.0", 1, 1)
	e.steps(l, "t", 2, 2)
	e.release(l, graph.StatusDone)
	e.equal(e.load("t", -1).Status, graph.StatusDone)
}

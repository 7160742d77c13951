package graph

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.opentelemetry.io/otel/attribute"
)

// runner is one run of one graph, of the root or of a sub-graph.
type runner struct {
	app    *core
	ses    *session
	thread string
	step   int // of the last checkpoint, so that the next commit is step+1
	state  any // *S
	next   frontier
	chains []chain

	migrated bool     // the state was loaded from rows of an older graph
	dropped  []string // the fields that only they have
}

func (a *core) runner(ses *session, thread string) *runner {
	return &runner{app: a, state: a.ops.zero(), ses: ses, thread: thread, chains: make([]chain, len(a.fields))}
}

// loop runs steps until the end, a pause or a failure.
func (r *runner) loop(ctx context.Context) error {
	for len(r.next.tasks) > 0 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := r.limits(); err != nil {
			return err
		}
		if err := r.superstep(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) limits() error {
	if limit := r.ses.cfg.MaxSteps; r.step >= limit {
		return fmt.Errorf("%w: thread %q made %d steps; Continue with a higher MaxSteps", ErrStepLimit, r.thread, limit)
	}
	for _, t := range r.next.tasks {
		limit, ok := r.ses.cfg.visits[t.node]
		if !ok {
			limit = t.n.opts.maxVisits
		}
		if t.n.opts.maxVisits > 0 && r.next.visits[t.node] > limit {
			return fmt.Errorf("%w: thread %q ran %q %d times; Continue with a higher VisitLimit", ErrVisitLimit, r.thread, t.node, limit)
		}
	}
	return nil
}

// superstep runs the tasks of the frontier and commits what they wrote.
func (r *runner) superstep(ctx context.Context) (err error) {
	if r.ses.tracer != nil {
		var end func(error)
		ctx, end = r.ses.span(ctx, "graph.step", attribute.Int("graph.step", r.step), attribute.Int("graph.tasks", len(r.next.tasks)))
		defer func() { end(err) }()
	}
	for _, t := range r.next.tasks {
		t.step = r.step
	}
	before, err := r.snapshot()
	if err != nil {
		return err
	}
	err = r.tasks(ctx)
	if mutated := r.unchanged(before); mutated != nil {
		return mutated
	}
	if err != nil {
		return err
	}
	return r.close(ctx)
}

func (r *runner) emit(kind EventKind, data any) {
	if r.ses.sink != nil {
		r.ses.emit(Event{Kind: kind, Thread: r.thread, Step: r.step, Data: data})
	}
}

func labels(tasks []*task) []string {
	names := make([]string, len(tasks))
	for i, t := range tasks {
		names[i] = t.label
	}
	return names
}

// tasks runs what is left to run and reports what keeps the step open.
func (r *runner) tasks(ctx context.Context) error {
	for {
		if err := r.runAll(ctx); err != nil {
			return err
		}
		err := r.unfinished(ctx)
		if _, paused := err.(*Paused); !paused || r.thread != r.ses.root {
			return err
		}
		if woken, lookErr := r.answered(ctx); !woken || lookErr != nil {
			return both(err, lookErr)
		}
	}
}

func (r *runner) unfinished(ctx context.Context) error {
	var failures []error
	var pauses []Pause
	open := false
	for _, t := range r.next.tasks {
		switch t.state {
		case TaskDone:
			continue
		case TaskFailed:
			failures = append(failures, t.err)
		case TaskPaused:
			pauses = append(pauses, r.ses.open(t.pauses)...)
		}
		open = true
	}
	switch {
	case !open:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(failures) == 1:
		return failures[0]
	case len(failures) > 0:
		return errors.Join(failures...)
	}
	return &Paused{r.ses.root, pauses}
}

// answered wakes tasks whose questions were answered, by [App.Answer], while
// others were at work.
func (r *runner) answered(ctx context.Context) (woken bool, err error) {
	l, err := r.ses.store.Load(context.WithoutCancel(ctx), r.thread, -1)
	if err != nil {
		return false, err
	}
	r.ses.know(l.Answers)
	return r.wake(), nil
}

// close merges the step's writes, chooses what follows, and commits both.
func (r *runner) close(ctx context.Context) error {
	state := r.app.ops.clone(r.state)
	touched, err := r.app.merge(state, r.next.tasks)
	if err != nil {
		return r.reject(ctx, err)
	}
	if err := r.app.valid(state); err != nil {
		return r.invalid(ctx, fmt.Errorf("after %s: %w", strings.Join(labels(r.next.tasks), ", "), err))
	}
	next, err := r.after(state)
	if err != nil {
		return r.reject(ctx, err)
	}
	return r.commit(ctx, state, next, touched)
}

// commit makes a state and a frontier durable, then the runner's own.
func (r *runner) commit(ctx context.Context, state any, next frontier, touched []touch) error {
	if r.ses.store != nil {
		if r.migrated {
			touched = nil // so that no later load meets rows of the older graph
		}
		c, err := r.checkpoint(state, next, r.step+1, touched)
		if err != nil {
			return r.unstorable(ctx, err)
		}
		if err := r.ses.store.Commit(context.WithoutCancel(ctx), r.ses.lease, r.thread, c); err != nil {
			return err
		}
		r.stored(c.Fields)
		r.migrated, r.dropped = false, nil
	}
	if r.next.from == "" && r.ses.sink != nil {
		r.next.tasks[0].emit(EventTaskDone, r.next.tasks[0].told)
	}
	r.state, r.next = state, next
	r.step++
	if r.ses.sink != nil {
		r.emit(EventCheckpoint, r.app.ops.value(r.view()))
	}
	return nil
}

func (r *runner) checkpoint(s any, next frontier, step int, touched []touch) (Checkpoint, error) {
	c := Checkpoint{Step: step, Graph: r.app.hash, At: r.ses.cfg.Now()}
	var err error
	if c.Fields, err = r.rows(s, step, touched); err != nil {
		return c, err
	}
	for _, t := range r.next.tasks {
		if t.n.kind.sub() {
			c.Ended = append(c.Ended, t.subThread())
		}
	}
	for _, name := range r.dropped {
		c.Fields = append(c.Fields, FieldRow{Field: name, Step: step, Data: []byte(dropped)})
	}
	c.Frontier, err = next.encode()
	return c, err
}

// reject keeps the results of a step that cannot be closed, for the program to be
// mended without paying for them again.
func (r *runner) reject(ctx context.Context, err error) error {
	err = fmt.Errorf("graph: thread %q, step %d: %w", r.thread, r.step, err)
	if r.next.from != "" || r.ses.store == nil {
		return err // in a fan they are stored
	}
	t := r.next.tasks[0]
	writes, encodeErr := r.encodeUpdate(t.update)
	if encodeErr != nil {
		return both(err, encodeErr)
	}
	t.writes = writes
	return both(err, r.put(ctx, t))
}

// unstorable makes a state that cannot be encoded the failure of the node that
// wrote it. In a fan that is known already, unless a reducer is to blame.
func (r *runner) unstorable(ctx context.Context, err error) error {
	if r.next.from != "" {
		return err
	}
	t := r.next.tasks[0]
	t.fail(r, err)
	return both(t.err, r.put(ctx, t))
}

// invalid drops the results of a step that made the state invalid, for its tasks
// to be run again.
func (r *runner) invalid(ctx context.Context, err error) error {
	err = fmt.Errorf("graph: thread %q, step %d: %w", r.thread, r.step, err)
	for _, t := range r.next.tasks {
		t.state, t.err = TaskFailed, err
	}
	return both(err, r.put(ctx, r.next.tasks...))
}

// snapshot encodes the state before a step if mutation is to be detected.
func (r *runner) snapshot() ([]FieldRow, error) {
	if !r.ses.cfg.DetectMutation {
		return nil, nil
	}
	return r.rows(r.state, r.step, nil)
}

func (r *runner) unchanged(before []FieldRow) error {
	if before == nil {
		return nil
	}
	now, err := r.snapshot()
	if err != nil {
		return err
	}
	for i, row := range now {
		if string(row.Data) != string(before[i].Data) {
			return fmt.Errorf("%w: field %q in step %d, by %s; copy it before changing it", ErrMutated, row.Field, r.step, strings.Join(labels(r.next.tasks), ", "))
		}
	}
	return nil
}

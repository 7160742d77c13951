package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"
	"go.opentelemetry.io/otel/attribute"
)

// task is one execution of a node in a step.
type task struct {
	scope
	n      *node
	spec   taskSpec
	arg    any
	state  TaskState // empty: not run, or not to the end
	update []write
	told   any         // the Update[S] that update comes from
	writes []writeData // the update encoded, of a task in a fan
	err    error
}

// taskSpec is a task as the frontier of a checkpoint keeps it.
type taskSpec struct {
	Node string          `json:"node"`
	Arg  json.RawMessage `json:"arg,omitempty"`
}

// taskData is the Data of a TaskRow.
type taskData struct {
	Writes []writeData `json:"writes,omitempty"`
	Pauses []Pause     `json:"pauses,omitempty"`
	Error  string      `json:"error,omitempty"`
}

type writeData struct {
	Field   string          `json:"field"`
	Version int             `json:"version,omitempty"`
	Reset   bool            `json:"reset,omitempty"`
	Value   json.RawMessage `json:"value"`
}

// execute runs a task to one of its outcomes, with as many attempts as its policy
// allows. What it cannot put into the task it returns: that the store failed.
func (r *runner) execute(ctx context.Context, t *task) error {
	policy := t.n.opts.retry
	wait, err := guard(func() (backoff.BackOff, error) { return policy.backOff(), nil })
	if t.err = nil; err != nil {
		t.fail(r, err)
		return nil
	}
	for {
		if t.attempt >= policy.attempts() {
			t.fail(r, fmt.Errorf("no attempt is left after %d, the last of which ended with the process", t.attempt))
			return nil
		}
		t.attempt++
		if policy != nil && r.ses.store != nil {
			if err := r.begun(ctx, t); err != nil {
				return err
			}
		}
		update, err := r.attempt(ctx, t)
		if err == nil {
			err = r.keep(t, update)
		}
		switch {
		case len(t.pauses) > 0 && onlyPauses(err):
			t.state, t.err = TaskPaused, &Paused{r.ses.root, t.pauses}
			return nil
		case err == nil && len(t.pauses) > 0:
			err = backoff.Permanent(fmt.Errorf("node went on after Interrupt %q returned a pause; return that error", t.pauses[0].Key))
		case err == nil:
			t.state = TaskDone
			return nil
		case ctx.Err() != nil:
			t.err = context.Cause(ctx) // neither done nor failed: it can go on later
			return nil
		}
		delay, bad := guard(func() (time.Duration, error) { return policy.delay(wait, err), nil })
		if bad != nil {
			t.fail(r, errors.Join(err, bad))
			return nil
		}
		if delay == backoff.Stop || t.attempt >= policy.attempts() {
			t.fail(r, err)
			return nil
		}
		t.emit(EventTaskRetry, err)
		if !sleep(ctx, delay) {
			t.err = context.Cause(ctx)
			return nil
		}
	}
}

// begun records that an attempt begins, so that it counts even if it takes the
// process down.
func (r *runner) begun(ctx context.Context, t *task) error {
	row := TaskRow{Index: t.index, State: TaskStarted, Attempt: t.attempt, Data: []byte("{}")}
	return r.ses.store.PutTasks(context.WithoutCancel(ctx), r.ses.lease, r.thread, r.step, []TaskRow{row})
}

// keep takes what a node returned, in a fan also in the form to be stored, so
// that what cannot be stored is the failure of this task alone.
func (r *runner) keep(t *task, u []write) error {
	if err := r.app.known(u); err != nil {
		return backoff.Permanent(err)
	}
	t.update, t.writes = u, nil
	if r.ses.store == nil || r.next.from == "" {
		return nil
	}
	var err error
	if t.writes, err = r.encodeUpdate(u); err != nil {
		return backoff.Permanent(err)
	}
	return nil
}

func (r *runner) encodeUpdate(u []write) ([]writeData, error) {
	writes := make([]writeData, 0, len(u))
	for _, w := range u {
		s := w.field.spec()
		value, err := w.field.encodeValue(w.value)
		if err != nil {
			return nil, &FieldError{r.thread, r.step, s.name, err}
		}
		writes = append(writes, writeData{s.name, s.version, w.reset, value})
	}
	return writes, nil
}

func (t *task) fail(r *runner, err error) {
	if p, ok := err.(*backoff.PermanentError); ok {
		err = p.Err
	}
	t.state, t.err = TaskFailed, &NodeError{r.thread, r.step, t.label, t.attempt, err}
	t.emit(EventTaskFailed, t.err)
}

// attempt calls the node once, on a state whose lists it can append to.
func (r *runner) attempt(ctx context.Context, t *task) (update []write, err error) {
	if !t.n.kind.sub() {
		free, err := r.ses.slot(ctx)
		if err != nil {
			return nil, err
		}
		defer free()
	}
	t.used, t.pauses = nil, nil
	t.emit(EventTaskStart, nil)
	if r.ses.tracer != nil {
		var end func(error)
		ctx, end = r.ses.span(ctx, "graph.node", attribute.String("graph.node", t.node),
			attribute.String("graph.task", t.label), attribute.Int("graph.attempt", t.attempt))
		defer func() { end(err) }()
	}
	in := context.WithValue(ctx, scopeKey{}, &t.scope)
	if limit := t.n.opts.timeout; limit > 0 {
		var cancel func()
		in, cancel = context.WithTimeout(in, limit)
		defer cancel()
	}
	err = safely(func() (err error) { update, t.told, err = t.n.run(in, r.view(), t.arg); return err })
	if err != nil && in.Err() != nil && ctx.Err() == nil {
		err = fmt.Errorf("timeout of %v: %w", t.n.opts.timeout, err)
	}
	return update, err
}

// view is the state as a node gets it.
func (r *runner) view() any { return r.app.view(r.state) }

// view gives a state for functions of the user, each of which takes a copy. Its
// lists have no spare capacity, in which the engine appends.
func (a *core) view(s any) any {
	if len(a.lists) == 0 {
		return s
	}
	s = a.ops.clone(s)
	for _, f := range a.lists {
		f.clip(s)
	}
	return s
}

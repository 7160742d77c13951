package graph

import (
	"errors"
	"fmt"
	"slices"
)

// load brings a stored thread into the runner: its state, its frontier, and what
// the tasks of the open step have already done. It gives the open questions.
func (r *runner) load(l *Loaded) ([]Pause, error) {
	if err := r.adopt(l); err != nil {
		return nil, err
	}
	c := &l.Checkpoint
	r.step = c.Step
	c.Fields = slices.DeleteFunc(slices.Clone(c.Fields), func(row FieldRow) bool { return string(row.Data) == dropped })
	if err := r.fields(r.state, c); err != nil {
		return nil, err
	}
	r.stored(c.Fields)
	var err error
	if r.next, err = r.restore(c.Frontier); err != nil {
		return nil, err
	}
	return r.outcomes(l)
}

// adopt checks that the checkpoint is one of this graph, or migrates it.
func (r *runner) adopt(l *Loaded) error {
	a, c := r.app, &l.Checkpoint
	if r.migrated = c.Graph != a.hash; !r.migrated {
		return nil
	}
	fn, ok := a.migrations[c.Graph]
	if !ok {
		return fmt.Errorf("%w: thread %q was written by %q, this is %q with hash %q; allow it with Migrate(%q, …)",
			ErrGraphChanged, l.Thread, c.Graph, a.name, a.hash, c.Graph)
	}
	for _, row := range c.Fields {
		if _, ok := a.byName[row.Field]; !ok && !slices.Contains(r.dropped, row.Field) {
			r.dropped = append(r.dropped, row.Field)
		}
	}
	if fn == nil {
		return nil
	}
	if err := safely(func() error { return fn(l) }); err != nil {
		return fmt.Errorf("graph: migrate thread %q from %q: %w", l.Thread, c.Graph, err)
	}
	return nil
}

// fields decodes the rows of c into s.
func (r *runner) fields(s any, c *Checkpoint) error {
	for _, row := range c.Fields {
		i, ok := r.app.byName[row.Field]
		if !ok {
			return &FieldError{r.thread, row.Step, row.Field, ErrUnknownField}
		}
		f := r.app.fields[i]
		data, err := f.spec().upgrade(row.Version, row.Data)
		if err == nil {
			err = f.load(s, data, row.Delta)
		}
		if err != nil {
			return &FieldError{r.thread, row.Step, row.Field, err}
		}
	}
	return nil
}

// outcomes gives the tasks of the open step what is stored of them.
func (r *runner) outcomes(l *Loaded) ([]Pause, error) {
	for _, t := range r.next.tasks {
		t.fresh, t.step = false, r.step
	}
	var pauses []Pause
	for _, row := range l.Tasks {
		if row.Index < 0 || row.Index >= len(r.next.tasks) {
			return nil, fmt.Errorf("graph: thread %q, step %d: stored task %d is not in the frontier", r.thread, r.step, row.Index)
		}
		t := r.next.tasks[row.Index]
		var d taskData
		if err := decodeJSON(row.Data, &d); err != nil {
			return nil, fmt.Errorf("graph: thread %q, step %d: stored result of %s: %w", r.thread, r.step, t.label, err)
		}
		switch row.State {
		case TaskDone:
			u, err := r.decodeUpdate(d.Writes)
			if err != nil {
				return nil, err
			}
			t.state, t.update, t.writes, t.attempt = TaskDone, u, d.Writes, row.Attempt
		case TaskPaused:
			t.state, t.pauses = TaskPaused, d.Pauses
			pauses = append(pauses, d.Pauses...)
		case TaskFailed:
			t.err = errors.New(d.Error) // to be seen; it will be tried again
			pauses = append(pauses, d.Pauses...)
		case TaskStarted:
			if r.ses.lease.Was == StatusRunning { // else the run ended in order, and counting begins anew
				t.attempt = row.Attempt
			}
		default:
			return nil, fmt.Errorf("graph: thread %q, step %d: stored result of %s has the unknown state %q", r.thread, r.step, t.label, row.State)
		}
	}
	for _, e := range l.Effects {
		if e.Task < 0 || e.Task >= len(r.next.tasks) {
			return nil, fmt.Errorf("graph: thread %q, step %d: stored effect %q is of task %d, which is not in the frontier", r.thread, r.step, e.Key, e.Task)
		}
		r.next.tasks[e.Task].remember(e.Key, e.Data)
	}
	return pauses, nil
}

func (r *runner) decodeUpdate(writes []writeData) ([]write, error) {
	var u []write
	for _, w := range writes {
		i, ok := r.app.byName[w.Field]
		if !ok {
			return nil, &FieldError{r.thread, r.step, w.Field, ErrUnknownField}
		}
		f := r.app.fields[i]
		data, err := f.spec().upgrade(w.Version, w.Value)
		var v any
		if err == nil {
			v, err = f.decodeValue(data)
		}
		if err != nil {
			return nil, &FieldError{r.thread, r.step, w.Field, err}
		}
		u = append(u, write{f, v, w.Reset})
	}
	return u, nil
}

// wake lets the paused tasks run whose questions are answered, a sub-graph as soon
// as one of them is, and says whether there are any.
func (r *runner) wake() (woken bool) {
	for _, t := range r.next.tasks {
		if t.state != TaskPaused {
			continue
		}
		open := r.ses.open(t.pauses)
		if len(open) == 0 || t.n.kind.sub() && len(open) < len(t.pauses) {
			t.state, t.attempt, t.fresh, woken = "", 0, false, true
		} else {
			t.err = &Paused{r.ses.root, t.pauses}
		}
	}
	return woken
}

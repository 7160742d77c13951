package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// load brings a stored thread into the runner: its state, its frontier, and what
// the tasks of the open step have already done. It gives the open questions.
func (r *runner[S]) load(l *Loaded) ([]Pause, error) {
	c, err := r.app.adopt(l)
	if err != nil {
		return nil, err
	}
	r.step = c.Step
	if err := r.fields(&r.state, c); err != nil {
		return nil, err
	}
	r.stored(c.Fields)
	if r.next, err = r.restore(c.Frontier); err != nil {
		return nil, err
	}
	return r.outcomes(l)
}

// adopt checks that the checkpoint is one of this graph, or migrates it.
func (a *App[S]) adopt(l *Loaded) (*Checkpoint, error) {
	c := &l.Checkpoint
	if c.Graph == a.hash {
		return c, nil
	}
	fn, ok := a.migrations[c.Graph]
	if !ok {
		return nil, fmt.Errorf("%w: thread %q was written by %q, this is %q with hash %q; allow it with Migrate(%q, …)",
			ErrGraphChanged, l.Thread, c.Graph, a.name, a.hash, c.Graph)
	}
	if fn == nil {
		return c, nil
	}
	_, err := guard(func() (struct{}, error) { return struct{}{}, fn(l) })
	if err != nil {
		return nil, fmt.Errorf("graph: migrate thread %q from %q: %w", l.Thread, c.Graph, err)
	}
	return c, nil
}

// fields decodes the rows of c into s.
func (r *runner[S]) fields(s *S, c *Checkpoint) error {
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
func (r *runner[S]) outcomes(l *Loaded) ([]Pause, error) {
	for _, t := range r.next.tasks {
		t.fresh, t.step = false, r.step
	}
	for _, e := range l.Effects {
		if e.Task < len(r.next.tasks) {
			m := &memo{done: make(chan struct{}), data: e.Data}
			close(m.done)
			r.next.tasks[e.Task].remember(e.Key, m)
		}
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
		case TaskStarted:
			if l.Status == StatusRunning { // else the run ended in order, and counting begins anew
				t.attempt = row.Attempt
			}
		}
	}
	return pauses, nil
}

func (r *runner[S]) decodeUpdate(writes []writeData) (Update[S], error) {
	var u Update[S]
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
		u = append(u, Write[S]{f, v, w.Reset})
	}
	return u, nil
}

// wake lets the paused tasks run whose questions are answered; a sub-graph runs
// as soon as one of them is.
func (r *runner[S]) wake() {
	for _, t := range r.next.tasks {
		if t.state != TaskPaused {
			continue
		}
		open := slices.DeleteFunc(slices.Clone(t.pauses), func(p Pause) bool {
			_, ok := r.ses.answers[p.ID]
			return ok
		})
		if len(open) == 0 || t.n.kind.sub() && len(open) < len(t.pauses) {
			t.state, t.pauses = "", nil
		} else {
			t.err = &Paused{r.ses.root, t.pauses}
		}
	}
}

// begin makes the first checkpoint of a thread with state s.
func (r *runner[S]) begin(s S) (Checkpoint, error) {
	r.state = s
	for _, f := range r.app.lists {
		f.clip(&r.state)
	}
	if v := r.app.validate; v != nil {
		_, err := guard(func() (struct{}, error) { return struct{}{}, v(r.state) })
		if err != nil {
			return Checkpoint{}, fmt.Errorf("%w: at the start: %w", ErrInvalidState, err)
		}
	}
	next, err := r.leave(Begin, r.state)
	if err != nil || r.ses.store == nil {
		r.next = next
		return Checkpoint{}, err
	}
	c, err := r.checkpoint(&r.state, next, 0, nil)
	r.next = next
	return c, err
}

// putAnswers checks answers against the open questions and records them.
func (s *session) putAnswers(ctx context.Context, answers []Answer, pending []Pause) error {
	rows, err := checkAnswers(answers, pending, s.answers, s.cfg.Now())
	if err != nil || len(rows) == 0 {
		return err
	}
	if err := s.store.PutAnswers(context.WithoutCancel(ctx), s.root, rows); err != nil {
		return err
	}
	for _, row := range rows {
		if _, ok := s.answers[row.ID]; !ok {
			s.answers[row.ID] = row
		}
	}
	return nil
}

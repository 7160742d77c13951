package graph

import (
	"context"
	"crypto/rand"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Snapshot is a thread at one of its checkpoints.
type Snapshot[S any] struct {
	Thread string
	Run    string
	Step   int
	At     time.Time
	State  S
	Next   []string // the tasks that follow; none at the end

	// Of the newest checkpoint only:
	Status  Status
	Failed  []string    // the errors of failed tasks
	Pauses  []Pause     // open questions
	Answers []AnswerRow // every answer that the thread was given
}

// State gives the newest snapshot of a thread. It takes no lease.
func (a *App[S]) State(ctx context.Context, thread string) (Snapshot[S], error) {
	l, r, pending, err := a.peek(ctx, thread, -1)
	if err != nil {
		return Snapshot[S]{}, err
	}
	s := r.snap(l.Checkpoint.At)
	s.Run, s.Status, s.Answers = l.Run, l.Status, l.Answers
	s.Pauses = slices.DeleteFunc(pending, func(p Pause) bool {
		return slices.ContainsFunc(l.Answers, func(a AnswerRow) bool { return a.ID == p.ID })
	})
	for _, t := range r.next.tasks {
		if t.err != nil {
			s.Failed = append(s.Failed, t.err.Error())
		}
	}
	return s, nil
}

// peek loads a thread to look at.
func (a *App[S]) peek(ctx context.Context, thread string, step int) (*Loaded, *runner[S], []Pause, error) {
	cfg := a.cfg.with(nil)
	if cfg.Store == nil {
		return nil, nil, nil, ErrNoStore
	}
	l, err := cfg.Store.Load(ctx, thread, step)
	if err != nil {
		return nil, nil, nil, err
	}
	r := a.runner(newSession(cfg, thread, nil, false), thread)
	pending, err := r.load(l)
	return l, r, pending, err
}

func (r *runner[S]) snap(at time.Time) Snapshot[S] {
	return Snapshot[S]{Thread: r.thread, Step: r.step, At: at, State: r.view(), Next: labels(r.next.tasks)}
}

// History gives the checkpoints that are kept of a thread, oldest first.
func (a *App[S]) History(ctx context.Context, thread string) iter.Seq2[Snapshot[S], error] {
	return func(yield func(Snapshot[S], error) bool) {
		cfg := a.cfg.with(nil)
		if cfg.Store == nil {
			yield(Snapshot[S]{}, ErrNoStore)
			return
		}
		r := a.runner(newSession(cfg, thread, nil, false), thread)
		for c, err := range cfg.Store.History(ctx, thread) {
			if err == nil {
				_, err = r.load(&Loaded{ThreadInfo: ThreadInfo{Thread: thread}, Checkpoint: c})
			}
			if err != nil {
				yield(Snapshot[S]{}, err)
				return
			}
			if !yield(r.snap(c.At), nil) {
				return
			}
		}
	}
}

// Answer records answers without running the thread; whoever runs it may be at
// work in another branch. It refuses what [Resume] refuses.
func (a *App[S]) Answer(ctx context.Context, thread string, answers ...Answer) error {
	l, r, pending, err := a.peek(ctx, thread, -1)
	if err != nil {
		return err
	}
	for _, row := range l.Answers {
		r.ses.answers[row.ID] = row
	}
	return r.ses.putAnswers(ctx, answers, pending)
}

// Fork makes the thread "to" from a checkpoint of another one, with u applied to
// its state; Continue runs it. A negative step is the newest. What had been done
// of the following step, its answers and effects included, is not taken along, and
// neither is what comes next chosen anew. The old thread does not change.
func (a *App[S]) Fork(ctx context.Context, from string, step int, to string, u Update[S]) error {
	if !printable(to) {
		return fmt.Errorf("graph: %q cannot be a thread", to)
	}
	if err := a.known(u); err != nil {
		return err
	}
	l, r, _, err := a.peek(ctx, from, step)
	if err != nil {
		return err
	}
	c := l.Checkpoint
	c.Graph, c.At = a.hash, r.ses.cfg.Now()
	if c.Fields, err = r.change(c.Fields, u); err != nil {
		return fmt.Errorf("graph: fork %q at step %d: %w", from, c.Step, err)
	}
	claim := Claim{Owner: self(), TTL: r.ses.cfg.LeaseTTL, Run: rand.Text()}
	lease, err := r.ses.store.Begin(ctx, to, claim, c)
	if err != nil {
		return err
	}
	return r.ses.store.Release(context.WithoutCancel(ctx), lease, StatusRunning)
}

// change applies u to the loaded state and replaces the rows of what it touched.
func (r *runner[S]) change(rows []FieldRow, u Update[S]) ([]FieldRow, error) {
	touched, err := r.app.merge(&r.state, []*task[S]{{scope: scope{label: "Fork"}, update: u}})
	if err != nil {
		return nil, err
	}
	if v := r.app.validate; v != nil {
		if err := v(r.state); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalidState, err)
		}
	}
	r.chains = slices.Repeat([]chain{{deltas: 1 << 62}}, len(r.chains)) // so that every row is whole
	whole, err := r.rows(&r.state, r.step, touched)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(row FieldRow) bool { return touched[r.app.byName[row.Field]].by != "" })
	return append(rows, whole...), nil
}

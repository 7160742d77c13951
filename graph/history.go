package graph

import (
	"context"
	"crypto/rand"
	"fmt"
	"iter"
	"math"
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

// snapshot gives a Snapshot, whose State is a *S, its type.
func snapshot[S any](s Snapshot[any]) Snapshot[S] {
	t := Snapshot[S]{Thread: s.Thread, Run: s.Run, Step: s.Step, At: s.At, Next: s.Next,
		Status: s.Status, Failed: s.Failed, Pauses: s.Pauses, Answers: s.Answers}
	if p, ok := s.State.(*S); ok {
		t.State = *p
	}
	return t
}

// State gives the newest snapshot of a thread. It takes no lease.
func (a *App[S]) State(ctx context.Context, thread string) (Snapshot[S], error) {
	s, err := a.core.newest(ctx, thread)
	return snapshot[S](s), err
}

func (a *core) newest(ctx context.Context, thread string) (Snapshot[any], error) {
	l, r, pending, err := a.peek(ctx, thread)
	if err != nil {
		return Snapshot[any]{}, err
	}
	s := r.snap(l.Checkpoint.At)
	s.Run, s.Status, s.Answers = l.Run, l.Status, l.Answers
	r.ses.know(l.Answers)
	s.Pauses = r.ses.open(pending)
	for _, t := range r.next.tasks {
		if t.err != nil {
			s.Failed = append(s.Failed, t.err.Error())
		}
	}
	return s, nil
}

// peek loads a thread to look at, and gives its pauses too.
func (a *core) peek(ctx context.Context, thread string) (*Loaded, *runner, []Pause, error) {
	cfg := a.cfg.with(nil)
	if cfg.Store == nil {
		return nil, nil, nil, ErrNoStore
	}
	l, err := cfg.Store.Load(ctx, thread, -1)
	if err != nil {
		return nil, nil, nil, err
	}
	r := a.looker(cfg, thread)
	pending, err := r.load(l)
	return l, r, pending, err
}

// looker is a runner that runs nothing.
func (a *core) looker(cfg Config, thread string) *runner {
	return a.runner(newSession(cfg, thread, nil, false), thread)
}

func (r *runner) snap(at time.Time) Snapshot[any] {
	return Snapshot[any]{Thread: r.thread, Step: r.step, At: at, State: r.view(), Next: labels(r.next.tasks)}
}

// History gives the checkpoints that are kept of a thread, oldest first.
func (a *App[S]) History(ctx context.Context, thread string) iter.Seq2[Snapshot[S], error] {
	return func(yield func(Snapshot[S], error) bool) {
		for s, err := range a.core.history(ctx, thread) {
			if !yield(snapshot[S](s), err) {
				return
			}
		}
	}
}

func (a *core) history(ctx context.Context, thread string) iter.Seq2[Snapshot[any], error] {
	return func(yield func(Snapshot[any], error) bool) {
		cfg := a.cfg.with(nil)
		if cfg.Store == nil {
			yield(Snapshot[any]{}, ErrNoStore)
			return
		}
		info, err := cfg.Store.Load(ctx, thread, -1)
		if err != nil {
			yield(Snapshot[any]{}, err)
			return
		}
		r := a.looker(cfg, thread)
		for c, err := range cfg.Store.History(ctx, thread) {
			if err == nil {
				r, err = a.follow(ctx, cfg, r, thread, c)
			}
			if err != nil {
				yield(Snapshot[any]{}, err)
				return
			}
			s := r.snap(c.At)
			if s.Run = info.Run; !yield(s, nil) {
				return
			}
		}
	}
}

// follow brings r from one checkpoint to the next. What an older graph wrote is
// migrated as a whole, so it is loaded as a whole.
func (a *core) follow(ctx context.Context, cfg Config, r *runner, thread string, c Checkpoint) (*runner, error) {
	l := &Loaded{ThreadInfo: ThreadInfo{Thread: thread}, Checkpoint: c}
	if c.Graph != a.hash {
		var err error
		if l, err = cfg.Store.Load(ctx, thread, c.Step); err != nil {
			return nil, err
		}
		l.Tasks, l.Effects = nil, nil
		r = a.looker(cfg, thread)
	}
	_, err := r.load(l)
	return r, err
}

// Answer records answers without running the thread; whoever runs it may be at
// work in another branch. It refuses what [Resume] refuses.
func (a *App[S]) Answer(ctx context.Context, thread string, answers ...Answer) error {
	return a.core.answer(ctx, thread, answers)
}

func (a *core) answer(ctx context.Context, thread string, answers []Answer) error {
	l, r, pending, err := a.peek(ctx, thread)
	if err != nil {
		return err
	}
	r.ses.know(l.Answers)
	return r.ses.putAnswers(ctx, answers, pending)
}

// Fork makes the thread "to" from a checkpoint of another one, with u applied to
// its state; Continue runs it. A negative step is the newest. What the checkpoint
// says comes next stays, also if u would have led elsewhere; what had been done of
// it, its answers, effects and sub-graphs included, is not taken along. The old
// thread does not change.
func (a *App[S]) Fork(ctx context.Context, from string, step int, to string, u Update[S]) error {
	return a.core.fork(ctx, from, step, to, writes(u))
}

func (a *core) fork(ctx context.Context, from string, step int, to string, u []write) error {
	cfg := a.cfg.with(nil)
	switch {
	case cfg.Store == nil:
		return ErrNoStore
	case !printable(to):
		return badThread(to)
	}
	if err := a.known(u); err != nil {
		return err
	}
	l, err := cfg.Store.Load(ctx, from, step)
	if err != nil {
		return err
	}
	l.Tasks, l.Effects = nil, nil
	r := a.looker(cfg, from)
	if _, err = r.load(l); err != nil {
		return err
	}
	c, err := r.forked(l.Checkpoint, u)
	if err != nil {
		return fmt.Errorf("graph: fork %q at step %d: %w", from, l.Checkpoint.Step, err)
	}
	lease, err := cfg.Store.Begin(ctx, to, Claim{Owner: self(), TTL: cfg.LeaseTTL, Run: rand.Text()}, c)
	if err != nil {
		return err
	}
	return cfg.Store.Release(context.WithoutCancel(ctx), lease, StatusRunning)
}

// forked is the first checkpoint of a fork: the loaded rows, but for the fields
// that u touches, and all of them anew if they had to be migrated.
func (r *runner) forked(c Checkpoint, u []write) (Checkpoint, error) {
	touched, err := r.app.merge(r.state, []*task{{scope: scope{label: "Fork"}, update: u}})
	if err != nil {
		return c, err
	}
	if err := r.app.valid(r.state); err != nil {
		return c, err
	}
	old := c.Fields
	if r.migrated {
		old, touched = nil, nil
	}
	for i := range r.chains {
		r.chains[i].deltas = math.MaxInt / 2 // so that each new row is whole
	}
	rows, err := r.rows(r.state, r.step, touched)
	if err != nil {
		return c, err
	}
	for _, row := range old {
		if touched[r.app.byName[row.Field]].by == "" {
			rows = append(rows, row)
		}
	}
	frontier, err := r.next.encode()
	return Checkpoint{Step: c.Step, Graph: r.app.hash, Frontier: frontier, Fields: rows, At: r.ses.cfg.Now()}, err
}

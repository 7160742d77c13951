package graph

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"iter"

	"go.opentelemetry.io/otel/attribute"
)

// Run runs a thread until it is done, and gives its last state. A run that ends
// otherwise gives the state of its last checkpoint and the reason: *[Paused] when
// it waits for people, [NodeError] when nodes failed, [ErrStepLimit] and
// [ErrVisitLimit], or the cause of the end of ctx. All of these can be continued.
func (a *App[S]) Run(ctx context.Context, thread string, in Input[S], o ...RunOption) (S, error) {
	return a.drive(ctx, thread, in, o, nil)
}

// Stream is Run with its events. If the run does not end in StatusDone, the last
// pair holds the error that Run would return and no event. A slow reader slows
// the run down; leaving the loop cancels it and waits until its nodes returned.
func (a *App[S]) Stream(ctx context.Context, thread string, in Input[S], o ...RunOption) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		events := make(chan Event, 64)
		defer func() {
			cancel()
			for range events { // until the run is over
			}
		}()
		err := errGoexit
		go func() {
			defer close(events)
			_, err = a.drive(ctx, thread, in, o, func(e Event) { events <- e })
		}()
		for e := range events {
			if !yield(e, nil) {
				return
			}
		}
		if err != nil {
			yield(Event{}, err)
		}
	}
}

func (a *App[S]) drive(ctx context.Context, thread string, in Input[S], o []RunOption, sink func(Event)) (S, error) {
	cfg := a.cfg.with(o)
	if err := a.usable(thread, cfg, in); err != nil {
		return in.state, err
	}
	if err := ctx.Err(); err != nil {
		return in.state, context.Cause(ctx)
	}
	ses := newSession(cfg, thread, sink, a.nested)
	r := a.runner(ses, thread)
	var err error
	if in.start {
		err = r.start(ctx, in.state)
	} else {
		err = r.resume(ctx, in.answers)
	}
	if err != nil {
		return r.view(), err
	}
	err = r.drive(ctx)
	return r.view(), err
}

func (a *App[S]) usable(thread string, cfg Config, in Input[S]) error {
	switch {
	case !printable(thread):
		return fmt.Errorf("graph: %q cannot be a thread: want 1 to 256 printable characters without '|'", thread)
	case cfg.MaxSteps < 0 || cfg.Concurrency < 0:
		return fmt.Errorf("graph: MaxSteps %d and Concurrency %d must be at least 1", cfg.MaxSteps, cfg.Concurrency)
	case cfg.Store == nil && !in.start:
		return fmt.Errorf("%w: nothing to go on with", ErrNoStore)
	}
	for n := range cfg.visits {
		if _, ok := a.nodes[n]; !ok && !a.nested {
			return fmt.Errorf("graph: VisitLimit names the unknown node %q", n)
		}
	}
	return nil
}

// start begins the thread and leases it.
func (r *runner[S]) start(ctx context.Context, s S) error {
	r.ses.run = rand.Text()
	c, err := r.begin(s)
	if err != nil || r.ses.store == nil {
		return err
	}
	claim := Claim{Owner: self(), TTL: r.ses.cfg.LeaseTTL, Run: r.ses.run}
	if r.ses.lease, err = r.ses.store.Begin(ctx, r.thread, claim, c); err != nil {
		return err
	}
	r.stored(c.Fields)
	return nil
}

// resume leases the thread, loads it and records the answers. If that fails the
// thread is left as it was.
func (r *runner[S]) resume(ctx context.Context, answers []Answer) (err error) {
	claim := Claim{Owner: self(), TTL: r.ses.cfg.LeaseTTL}
	if r.ses.lease, err = r.ses.store.Acquire(ctx, r.thread, claim); err != nil {
		return err
	}
	was := StatusFailed
	defer func() {
		if err != nil {
			err = join(err, r.ses.store.Release(context.WithoutCancel(ctx), r.ses.lease, was))
		}
	}()
	l, err := r.ses.store.Load(ctx, r.thread, -1)
	if err != nil {
		return err
	}
	was, r.ses.run = l.Status, l.Run
	for _, row := range l.Answers {
		r.ses.answers[row.ID] = row
	}
	pending, err := r.load(l)
	if err != nil {
		return err
	}
	if err := r.ses.putAnswers(ctx, answers, pending); err != nil {
		return err
	}
	r.wake()
	return nil
}

// drive runs the loop under the lease and records how it ended.
func (r *runner[S]) drive(ctx context.Context) (err error) {
	if r.ses.tracer != nil {
		var end func(error)
		ctx, end = r.ses.span(ctx, "graph.run", attribute.String("graph.name", r.app.name),
			attribute.String("graph.thread", r.thread), attribute.String("graph.run", r.ses.run), attribute.String("graph.hash", r.app.hash))
		defer func() { end(err) }()
	}
	r.emit(EventRunStart, nil)
	defer func() { err = r.finish(ctx, err) }()
	held, release := r.ses.hold(ctx)
	defer release()
	err = errGoexit // unless the loop returns
	err = r.loop(held)
	return err
}

func (r *runner[S]) finish(ctx context.Context, err error) error {
	status := outcome(ctx, err)
	if status == StatusCancelled {
		err = fmt.Errorf("graph: thread %q was cancelled at step %d: %w", r.thread, r.step, err)
	}
	if r.ses.store != nil && !errors.Is(err, ErrSuperseded) {
		err = join(err, r.ses.store.Release(context.WithoutCancel(ctx), r.ses.lease, status))
	}
	r.emit(EventRunDone, status)
	return err
}

// join is errors.Join that leaves a single error as it is.
func join(err, other error) error {
	switch {
	case err == nil:
		return other
	case other == nil:
		return err
	}
	return errors.Join(err, other)
}

func outcome(ctx context.Context, err error) Status {
	var p *Paused
	switch {
	case err == nil:
		return StatusDone
	case errors.As(err, &p):
		return StatusPaused
	case ctx.Err() != nil:
		return StatusCancelled
	}
	return StatusFailed
}

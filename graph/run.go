package graph

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
)

// begin makes the first checkpoint of a thread with state s.
func (r *runner) begin(s any) (Checkpoint, error) {
	r.state = s
	for _, f := range r.app.lists {
		f.clip(r.state)
	}
	if err := r.app.valid(r.state); err != nil {
		return Checkpoint{}, fmt.Errorf("at the start: %w", err)
	}
	next, err := r.leave(Begin, r.state)
	if err != nil || r.ses.store == nil {
		r.next = next
		return Checkpoint{}, err
	}
	c, err := r.checkpoint(r.state, next, 0, nil)
	r.next = next
	return c, err
}

// start begins the thread and leases it.
func (r *runner) start(ctx context.Context, s any) error {
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
func (r *runner) resume(ctx context.Context, answers []Answer) (err error) {
	claim := Claim{Owner: self(), TTL: r.ses.cfg.LeaseTTL}
	if r.ses.lease, err = r.ses.store.Acquire(ctx, r.thread, claim); err != nil {
		return err
	}
	ready := false
	defer func() {
		if !ready {
			err = both(err, r.ses.store.Release(context.WithoutCancel(ctx), r.ses.lease, r.ses.lease.Was))
		}
	}()
	l, err := r.ses.store.Load(ctx, r.thread, -1)
	if err != nil {
		return err
	}
	r.ses.run = l.Run
	r.ses.know(l.Answers)
	pending, err := r.load(l)
	if err != nil {
		return err
	}
	if err := r.ses.putAnswers(ctx, answers, pending); err != nil {
		return err
	}
	r.wake()
	ready = true
	return nil
}

// run runs the loop under the lease and records how it ended.
func (r *runner) run(ctx context.Context) (err error) {
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

func (r *runner) finish(ctx context.Context, err error) error {
	status := outcome(ctx, err)
	if status == StatusCancelled {
		err = fmt.Errorf("graph: thread %q was cancelled at step %d: %w", r.thread, r.step, err)
	}
	if r.ses.store != nil && !lost(err) {
		err = both(err, r.ses.store.Release(context.WithoutCancel(ctx), r.ses.lease, status))
	}
	r.emit(EventRunDone, status)
	return err
}

// lost says that the lease is another runner's.
func lost(err error) bool {
	var inNode *NodeError
	return errors.Is(err, ErrSuperseded) && !errors.As(err, &inNode)
}

func outcome(ctx context.Context, err error) Status {
	_, paused := err.(*Paused) // of this thread: that of another one is inside a NodeError
	switch {
	case err == nil:
		return StatusDone
	case paused:
		return StatusPaused
	case ctx.Err() != nil:
		return StatusCancelled
	}
	return StatusFailed
}

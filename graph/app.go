package graph

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Run runs a thread until it is done, and gives its last state. A run that ends
// otherwise gives the state of its last checkpoint and the reason: *[Paused] when
// it waits for people, [NodeError] when nodes failed, [ErrStepLimit] and
// [ErrVisitLimit], or the cause of the end of ctx. All of these can be continued.
func (a *App[S]) Run(ctx context.Context, thread string, in Input[S], o ...RunOption) (S, error) {
	s, err := a.core.drive(ctx, thread, in.input, o, nil)
	return *s.(*S), err
}

// Stream is Run with its events. If the run does not end in StatusDone, the last
// pair holds the error that Run would return and no event. A slow reader slows
// the run down; leaving the loop cancels it and waits until its nodes returned.
func (a *App[S]) Stream(ctx context.Context, thread string, in Input[S], o ...RunOption) iter.Seq2[Event, error] {
	return a.core.stream(ctx, thread, in.input, o)
}

func (a *core) stream(ctx context.Context, thread string, in input, o []RunOption) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		events, over := make(chan Event, 64), make(chan struct{})
		err := errGoexit
		go func() {
			defer close(over)
			_, err = a.drive(ctx, thread, in, o, func(e Event) {
				select {
				case events <- e:
				case <-over: // a goroutine that a node left behind
				}
			})
		}()
		defer func() {
			cancel()
			for next(events, over) != nil { // until the run is over
			}
		}()
		for e := next(events, over); e != nil; e = next(events, over) {
			if !yield(*e, nil) {
				return
			}
		}
		if err != nil {
			yield(Event{}, err)
		}
	}
}

// next waits for an event. After the last one it gives nil.
func next(events <-chan Event, over <-chan struct{}) *Event {
	select {
	case e := <-events:
		return &e
	case <-over:
	}
	select {
	case e := <-events:
		return &e
	default:
		return nil
	}
}

func (a *core) drive(ctx context.Context, thread string, in input, o []RunOption, sink func(Event)) (any, error) {
	if !in.start {
		in.state = a.ops.zero()
	}
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
	err = r.run(ctx)
	return r.view(), err
}

func (a *core) usable(thread string, cfg Config, in input) error {
	switch {
	case !printable(thread):
		return badThread(thread)
	case cfg.MaxSteps < 1 || cfg.Concurrency < 1:
		return fmt.Errorf("graph: MaxSteps %d and Concurrency %d must be at least 1", cfg.MaxSteps, cfg.Concurrency)
	case cfg.Store == nil && !in.start:
		return fmt.Errorf("%w: nothing to go on with", ErrNoStore)
	}
	for n, limit := range cfg.visits {
		if !slices.Contains(a.bounds, n) || limit < 1 {
			return fmt.Errorf("graph: VisitLimit(%q, %d): want a node with MaxVisits (%s) and at least 1", n, limit, strings.Join(a.bounds, ", "))
		}
	}
	return nil
}

func badThread(thread string) error {
	return fmt.Errorf("graph: %q cannot be a thread: want 1 to 256 bytes of printable characters without '|'", thread)
}

// valid asks the function of [Graph.Validate].
func (a *core) valid(s any) error {
	if a.validate == nil {
		return nil
	}
	if err := safely(func() error { return a.validate(a.view(s)) }); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidState, err)
	}
	return nil
}

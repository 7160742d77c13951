package graph

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// session is what a run and the runs of its sub-graphs share.
type session struct {
	cfg     Config
	store   Checkpointer // nil: keep nothing
	lease   Lease
	root    string
	run     string
	answers map[string]AnswerRow
	slots   chan struct{} // one for each node at work; nil if a step's own limit is enough
	sink    func(Event)   // nil: nobody listens
	tracer  trace.Tracer  // nil: no spans

	turn chan struct{} // holds a token while an event is sent, so that they come in the order of seq
	seq  int64
}

func newSession(cfg Config, thread string, sink func(Event), nested bool) *session {
	s := &session{cfg: cfg, store: cfg.Store, root: thread, sink: sink, answers: map[string]AnswerRow{}, turn: make(chan struct{}, 1)}
	if nested {
		s.slots = make(chan struct{}, cfg.Concurrency)
	}
	if cfg.Tracer != nil {
		s.tracer = cfg.Tracer.Tracer("github.com/repomind/repomind/graph")
	}
	return s
}

func (s *session) emit(e Event) {
	s.turn <- struct{}{} // a mutex would not let the clock of testing/synctest go on
	defer func() { <-s.turn }()
	s.seq++
	e.Seq, e.Run, e.At = s.seq, s.run, s.cfg.Now()
	s.sink(e)
}

// slot waits for a place to run a node. Nodes of sub-graphs take one too, while
// the node that runs the sub-graph takes none, so a limit of 1 cannot deadlock.
func (s *session) slot(ctx context.Context) (free func(), err error) {
	if s.slots == nil {
		return func() {}, nil
	}
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// hold renews the lease until the returned function is called, and cancels ctx
// as soon as the lease is lost.
func (s *session) hold(ctx context.Context) (context.Context, func()) {
	if s.store == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(s.cfg.LeaseTTL / 3)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				// Another failure may pass; if not, the next commit is refused.
				if err := s.store.Renew(context.WithoutCancel(ctx), s.lease); errors.Is(err, ErrSuperseded) {
					cancel(err)
				}
			}
		}
	})
	return ctx, func() { cancel(nil); wg.Wait() }
}

// span starts a span; the function that ends it takes the outcome. A pause and
// a cancellation are no errors.
func (s *session) span(ctx context.Context, name string, attrs ...attribute.KeyValue) (context.Context, func(error)) {
	ctx, span := s.tracer.Start(ctx, name, trace.WithAttributes(attrs...))
	return ctx, func(err error) {
		var p *Paused
		switch {
		case errors.As(err, &p):
			span.AddEvent("paused", trace.WithAttributes(attribute.Int("graph.pauses", len(p.Pauses))))
		case err != nil && ctx.Err() == nil:
			span.SetStatus(codes.Error, err.Error())
		case err != nil:
			span.AddEvent("cancelled")
		}
		span.End()
	}
}

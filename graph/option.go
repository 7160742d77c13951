package graph

import (
	"cmp"
	"time"

	"github.com/cenkalti/backoff/v4"
	"go.opentelemetry.io/otel/trace"
)

// Config is what a compiled graph works with.
type Config struct {
	// Store keeps the checkpoints. Nil keeps none: nothing can be resumed, and
	// Interrupt fails with ErrNoStore.
	Store Checkpointer
	// Tracer makes the spans graph.run, graph.step and graph.node. Nil makes none.
	Tracer trace.TracerProvider
	// Concurrency is how many nodes of a run work at once. Zero means 16.
	Concurrency int
	// MaxSteps ends a run when its thread has made that many steps, those before a
	// pause or a Fork included; a sub-graph counts its own. Zero means 100.
	MaxSteps int
	// LeaseTTL is how long another host waits for a dead runner. Zero means 15 s.
	LeaseTTL time.Duration
	// DetectMutation makes a step fail with ErrMutated if a node changed the state
	// it was given. It encodes the state twice a step: for tests.
	DetectMutation bool
	// Now is the clock of checkpoints and events. Nil means time.Now.
	Now func() time.Time

	visits map[string]int
	within []*plan // the graphs being compiled, to find one inside itself
}

// RunOption changes the limits for one run.
type RunOption func(*limits)

type limits struct {
	maxSteps, concurrency *int
	visits                map[string]int
}

// MaxSteps replaces [Config].MaxSteps.
func MaxSteps(n int) RunOption { return func(l *limits) { l.maxSteps = &n } }

// Concurrency replaces [Config].Concurrency.
func Concurrency(n int) RunOption { return func(l *limits) { l.concurrency = &n } }

// VisitLimit replaces the [MaxVisits] of one node, also in sub-graphs, so that a
// run that reached it can go on.
func VisitLimit(node string, n int) RunOption {
	return func(l *limits) {
		if l.visits == nil {
			l.visits = map[string]int{}
		}
		l.visits[node] = n
	}
}

// with fills in the defaults, and replaces what the options of a run say.
func (c Config) with(o []RunOption) Config {
	c.Concurrency = cmp.Or(c.Concurrency, 16)
	c.MaxSteps = cmp.Or(c.MaxSteps, 100)
	c.LeaseTTL = cmp.Or(c.LeaseTTL, 15*time.Second)
	if c.Now == nil {
		c.Now = time.Now
	}
	var l limits
	for _, f := range o {
		f(&l)
	}
	if l.maxSteps != nil {
		c.MaxSteps = *l.maxSteps
	}
	if l.concurrency != nil {
		c.Concurrency = *l.concurrency
	}
	c.visits = l.visits
	return c
}

// NodeOption refines a node.
type NodeOption func(*nodeOptions)

type nodeOptions struct {
	retry     *Policy
	timeout   time.Duration
	maxVisits int
}

func options(o []NodeOption) (n nodeOptions) {
	for _, f := range o {
		f(&n)
	}
	return n
}

// MaxVisits bounds how often a thread enters a node; a task is entered once by a fan,
// however often it is sent to. Every cycle of a graph needs a node that has it.
func MaxVisits(n int) NodeOption { return func(o *nodeOptions) { o.maxVisits = n } }

// Timeout bounds each attempt of a node. A node that does not heed its context
// is waited for all the same.
func Timeout(d time.Duration) NodeOption { return func(o *nodeOptions) { o.timeout = d } }

// Retry repeats a node that failed, by p.
func Retry(p Policy) NodeOption { return func(o *nodeOptions) { o.retry = &p } }

// Policy says when and how often a node is tried again. An error made by
// backoff.Permanent, a panic, a pause, an error of this package that another attempt
// cannot cure, and the end of the run's context are never retried. An error with a method RetryAfter() time.Duration sets the least time
// to wait.
//
// Each attempt is recorded before it starts, so that a node that takes the whole
// process down is not tried for ever. When a run has ended as failed, the next
// Continue counts from one again.
type Policy struct {
	// Attempts is how often the node is tried in all. Zero means 3.
	Attempts int
	// BackOff makes the waiting times. Nil means backoff.NewExponentialBackOff
	// without a limit on the whole time.
	BackOff func() backoff.BackOff
	// If says whether an error is worth another attempt. Nil means every error.
	If func(error) bool
}

func (p *Policy) attempts() int {
	switch {
	case p == nil:
		return 1
	case p.Attempts == 0:
		return 3
	}
	return p.Attempts
}

func (p *Policy) backOff() backoff.BackOff {
	switch {
	case p == nil:
		return nil
	case p.BackOff != nil:
		return p.BackOff()
	}
	return backoff.NewExponentialBackOff(backoff.WithMaxElapsedTime(0))
}

package graphtest

import (
	"crypto/rand"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/graph"
)

// env is what a test works with: a store, its clock, and what it may not fail at.
type env struct {
	*testing.T
	store graph.Checkpointer
	clock *clock
	open  Open
}

func newEnv(t *testing.T, open Open) *env {
	c := &clock{t: epoch}
	return &env{T: t, store: open(t, c.now), clock: c, open: open}
}

// again opens one more handle.
func (e *env) again() *env {
	e.Helper()
	return &env{T: e.T, store: e.open(e.T, e.clock.now), clock: e.clock, open: e.open}
}

var epoch = time.Date(2026, 11, 5, 12, 0, 0, 123456789, time.UTC)

// clock moves only when it is told to.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

const ttl = 15 * time.Second

func claim(o graph.Owner) graph.Claim { return graph.Claim{Owner: o, TTL: ttl, Run: rand.Text()} }

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// refused checks that err is the one that is wanted.
func (e *env) refused(err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Errorf("got error %v, want %v", err, want)
	}
}

// equal compares values in which nil and empty are the same.
func (e *env) equal(got, want any) {
	e.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty(), data); d != "" {
		e.Errorf("-want +got:\n%s", d)
	}
}

// data is compared, and shown, as text.
var data = cmp.FilterValues(func(a, b []byte) bool { return len(a)+len(b) > 0 },
	cmp.Transformer("text", func(b []byte) string { return string(b) }))

// begin makes a thread whose first checkpoint has the rows, held by elsewhere.
func (e *env) begin(thread string, rows ...graph.FieldRow) graph.Lease {
	e.Helper()
	l, err := e.store.Begin(e.Context(), thread, claim(elsewhere), checkpoint(0, rows...))
	e.must(err)
	return l
}

func (e *env) acquire(thread string, o graph.Owner) graph.Lease {
	e.Helper()
	l, err := e.store.Acquire(e.Context(), thread, claim(o))
	e.must(err)
	return l
}

func (e *env) commit(l graph.Lease, thread string, c graph.Checkpoint) {
	e.Helper()
	e.must(e.store.Commit(e.Context(), l, thread, c))
}

// steps commits checkpoints up to the step last, each with a delta to log and a
// new n.
func (e *env) steps(l graph.Lease, thread string, first, last int) {
	e.Helper()
	for i := first; i <= last; i++ {
		e.commit(l, thread, step(i))
	}
}

func (e *env) release(l graph.Lease, s graph.Status) {
	e.Helper()
	e.must(e.store.Release(e.Context(), l, s))
}

func (e *env) load(thread string, step int) *graph.Loaded {
	e.Helper()
	l, err := e.store.Load(e.Context(), thread, step)
	e.must(err)
	return ordered(l)
}

// gone checks that a thread, or a step of it, is not there.
func (e *env) gone(thread string, step int) {
	e.Helper()
	_, err := e.store.Load(e.Context(), thread, step)
	e.refused(err, graph.ErrNoThread)
}

func (e *env) history(thread string) (all []graph.Checkpoint) {
	e.Helper()
	for c, err := range e.store.History(e.Context(), thread) {
		e.must(err)
		c.Fields = byField(c.Fields)
		all = append(all, c)
	}
	return all
}

func (e *env) threads() (all []graph.ThreadInfo) {
	e.Helper()
	for i, err := range e.store.Threads(e.Context()) {
		e.must(err)
		all = append(all, i)
	}
	return all
}

func (e *env) names() (all []string) {
	e.Helper()
	for _, i := range e.threads() {
		all = append(all, i.Thread)
	}
	return all
}

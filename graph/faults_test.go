package graph_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
)

// hooked has each call made by around, which may let it fail.
type hooked struct {
	graph.Checkpointer
	around func(call string, do func() error) error
}

func (h *hooked) Begin(ctx context.Context, thread string, c graph.Claim, first graph.Checkpoint) (l graph.Lease, err error) {
	err = h.around("Begin", func() error { l, err = h.Checkpointer.Begin(ctx, thread, c, first); return err })
	return l, err
}

func (h *hooked) Acquire(ctx context.Context, thread string, c graph.Claim) (l graph.Lease, err error) {
	err = h.around("Acquire", func() error { l, err = h.Checkpointer.Acquire(ctx, thread, c); return err })
	return l, err
}

func (h *hooked) Load(ctx context.Context, thread string, step int) (l *graph.Loaded, err error) {
	err = h.around("Load", func() error { l, err = h.Checkpointer.Load(ctx, thread, step); return err })
	return l, err
}

func (h *hooked) Renew(ctx context.Context, l graph.Lease) error {
	return h.around("Renew", func() error { return h.Checkpointer.Renew(ctx, l) })
}

func (h *hooked) Release(ctx context.Context, l graph.Lease, s graph.Status) error {
	return h.around("Release", func() error { return h.Checkpointer.Release(ctx, l, s) })
}

func (h *hooked) Commit(ctx context.Context, l graph.Lease, thread string, c graph.Checkpoint) error {
	return h.around("Commit", func() error { return h.Checkpointer.Commit(ctx, l, thread, c) })
}

func (h *hooked) PutTasks(ctx context.Context, l graph.Lease, thread string, step int, rows []graph.TaskRow) error {
	return h.around("PutTasks", func() error { return h.Checkpointer.PutTasks(ctx, l, thread, step, rows) })
}

func (h *hooked) PutEffect(ctx context.Context, l graph.Lease, thread string, step int, e graph.EffectRow) error {
	return h.around("PutEffect", func() error { return h.Checkpointer.PutEffect(ctx, l, thread, step, e) })
}

func (h *hooked) PutAnswers(ctx context.Context, thread string, rows []graph.AnswerRow) error {
	return h.around("PutAnswers", func() error { return h.Checkpointer.PutAnswers(ctx, thread, rows) })
}

var errKilled = errors.New("the process was killed")

// host is a machine whose processes share a store, and die as told.
type host struct {
	*graph.Memory
	shift atomic.Int64
}

func newHost() *host {
	h := &host{Memory: graph.NewMemory()}
	h.Memory.Now = func() time.Time { return time.Now().Add(time.Duration(h.shift.Load())) }
	return h
}

// process gives the store as a process sees it that is killed at a call: that
// call and all after it fail, or with made, it is made and only its answer lost.
// Leases of the processes before it have run out.
func (h *host) process(kill int, made bool) *mortal {
	h.shift.Add(int64(time.Hour))
	m := &mortal{kill: int64(kill), made: made}
	m.hooked = hooked{h.Memory, m.call}
	return m
}

// immortal is a kill that never comes.
const immortal = 1 << 30

type mortal struct {
	hooked
	kill  int64
	made  bool
	once  bool // the process lives on, and its store is well again
	calls atomic.Int64
}

func (m *mortal) call(_ string, do func() error) error {
	switch n := m.calls.Add(1); {
	case n == m.kill && m.made:
		return errors.Join(do(), errKilled)
	case n == m.kill, n > m.kill && !m.once:
		return errKilled
	}
	return do()
}

// dump is what a store holds of a thread, apart from who holds it and since when.
func dump(t testing.TB, store graph.Checkpointer, threads ...string) (all []graph.Loaded) {
	t.Helper()
	for _, thread := range threads {
		l, err := store.Load(context.Background(), thread, -1)
		if err != nil {
			t.Fatal(err)
		}
		l.Owner, l.Until, l.Updated = graph.Owner{}, time.Time{}, time.Time{}
		all = append(all, *l)
	}
	return all
}

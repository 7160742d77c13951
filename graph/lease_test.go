package graph_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/repomind/repomind/graph"
)

func TestLeaseIsRenewedWhileANodeWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := ready(t, lineOf(func(context.Context, plan) (planUpdate, error) {
			time.Sleep(10 * time.Minute)
			return logs("a"), nil
		}), graph.Config{Store: graph.NewMemory()})
		done := make(chan error)
		go func() {
			_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
			done <- err
		}()
		for range 100 {
			time.Sleep(5 * time.Second)
			_, err := app.Run(t.Context(), "t", graph.Continue[plan]())
			wantErr(t, err, graph.ErrBusy)
			wantStatus(t, app, "t", graph.StatusRunning)
		}
		wantErr(t, <-done, nil)
	})
}

// A runner that cannot renew its lease stops as soon as it learns that another
// one has the thread, and writes nothing more.
func TestLostLeaseEndsTheRunner(t *testing.T) {
	for _, learns := range []bool{true, false} { // by a renewal, or by a commit
		synctest.Test(t, func(t *testing.T) {
			store := graph.NewMemory()
			var connected, fast atomic.Bool
			partition := &hooked{Checkpointer: store, around: func(call string, do func() error) error {
				if call == "Renew" && !connected.Load() {
					return errors.New("no connection")
				}
				return do()
			}}
			g := lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
				if fast.Load() {
					return logs("second runner"), nil
				}
				select {
				case <-ctx.Done():
					return nil, context.Cause(ctx)
				case <-time.After(10 * time.Minute):
					return logs("first runner"), nil
				}
			})
			done := make(chan error)
			start := time.Now()
			go func() {
				_, err := ready(t, g, graph.Config{Store: partition}).Run(t.Context(), "t", graph.Start(plan{}))
				done <- err
			}()
			app := ready(t, g, graph.Config{Store: store})
			time.Sleep(14 * time.Second)
			_, err := app.Run(t.Context(), "t", graph.Continue[plan]())
			wantErr(t, err, graph.ErrBusy)
			time.Sleep(2 * time.Second) // the lease of 15 s is over
			fast.Store(true)
			s, err := app.Run(t.Context(), "t", graph.Continue[plan]())
			wantErr(t, err, nil)
			same(t, "log", s.Log, []string{"second runner"})
			connected.Store(learns)
			wantErr(t, <-done, graph.ErrSuperseded)
			same(t, "took", time.Since(start), map[bool]time.Duration{true: 20 * time.Second, false: 10 * time.Minute}[learns])
			same(t, "log", wantStatus(t, app, "t", graph.StatusDone).State.Log, []string{"second runner"})
		})
	}
}

// A thread that could not be read stays what it was.
func TestFailedLoadLeavesTheStatus(t *testing.T) {
	for _, status := range []graph.Status{graph.StatusPaused, graph.StatusDone, graph.StatusCancelled} {
		broken := false
		store := &hooked{Checkpointer: graph.NewMemory(), around: func(call string, do func() error) error {
			if call == "Load" && broken {
				return errors.New("disk error")
			}
			return do()
		}}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		app := ready(t, lineOf(func(ctx context.Context, s plan) (planUpdate, error) {
			switch status {
			case graph.StatusPaused:
				return asks("q", "?")(ctx, s)
			case graph.StatusCancelled:
				cancel()
				return nil, ctx.Err()
			}
			return nil, nil
		}), graph.Config{Store: store})
		_, _ = app.Run(ctx, "t", graph.Start(plan{}))
		wantStatus(t, app, "t", status)
		broken = true
		_, err := app.Run(t.Context(), "t", graph.Continue[plan]())
		wantText(t, err, "disk error")
		broken = false
		if s, err := app.State(t.Context(), "t"); err != nil || s.Status != status {
			t.Errorf("a thread that was %s is %s (%v)", status, s.Status, err)
		}
	}
}

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/repomind/repomind/graph"
)

func TestAttemptsCountFromOneAfterAnOrderlyEnd(t *testing.T) {
	for _, nested := range []bool{false, true} {
		for _, n := range []int{1, 2} { // alone and beside a sibling
			t.Run(fmt.Sprintf("nested %v, %d", nested, n), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var attempts []int
					healthy := false
					g := fanOf(n, func(ctx context.Context, i int) (planUpdate, error) {
						if i > 0 || healthy {
							return logPart(i), nil
						}
						attempts = append(attempts, graph.Info(ctx).Attempt)
						return nil, errors.New("down")
					}, graph.Retry(graph.Policy{BackOff: everySecond, Attempts: 2}))
					if nested {
						g = inSub(g)
					}
					app := ready(t, g, graph.Config{Store: graph.NewMemory()})
					in := graph.Start(plan{})
					for range 3 { // cancelled in its first attempt, or while waiting for the second
						ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
						_, err := app.Run(ctx, "t", in)
						cancel()
						wantErr(t, err, context.DeadlineExceeded)
						wantStatus(t, app, "t", graph.StatusCancelled)
						in = graph.Continue[plan]()
					}
					for range 2 {
						_, err := app.Run(t.Context(), "t", in)
						wantText(t, err, "attempt 2): down")
						wantStatus(t, app, "t", graph.StatusFailed)
					}
					same(t, "attempts", attempts, []int{1, 1, 1, 1, 2, 1, 2})
					healthy = true
					_, err := app.Run(t.Context(), "t", in)
					wantErr(t, err, nil)
				})
			})
		}
	}
}

// A node that takes its process down is not tried for ever, whatever the thread
// had been through before.
func TestAttemptsThatKillTheProcessCount(t *testing.T) {
	for _, before := range []graph.Status{graph.StatusRunning, graph.StatusPaused, graph.StatusFailed, graph.StatusCancelled} {
		for _, nested := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, nested %v", before, nested), func(t *testing.T) {
				h, entered, deadly := newHost(), 0, false
				var process *mortal
				g := fanOf(1, func(ctx context.Context, _ int) (planUpdate, error) {
					if deadly {
						entered++
						process.calls.Store(immortal) // from here on no call gets through
						return logPart(0), nil
					}
					switch before {
					case graph.StatusPaused:
						_, err := graph.Interrupt[bool](ctx, "q", "?")
						return nil, err
					case graph.StatusCancelled:
						<-ctx.Done()
						return nil, ctx.Err()
					}
					return nil, errors.New("down")
				}, graph.Retry(graph.Policy{BackOff: noWait, Attempts: 3}))
				if nested {
					g = inSub(g)
				}
				in := graph.Start(plan{})
				if before != graph.StatusRunning {
					app := ready(t, g, graph.Config{Store: h})
					ctx, cancel := context.WithCancel(t.Context())
					if before == graph.StatusCancelled {
						cancelWhenBegun(t, app, ctx, cancel)
					} else {
						_, _ = app.Run(ctx, "t", in)
					}
					cancel()
					in = graph.Continue[plan]()
					if s := wantStatus(t, app, "t", before); len(s.Pauses) > 0 {
						wantErr(t, app.Answer(t.Context(), "t", answer(true, "alice", "")...), nil)
					}
				}
				deadly = true
				var err error
				for range 4 {
					process = h.process(immortal, false)
					_, err = ready(t, g, graph.Config{Store: process}).Run(t.Context(), "t", in)
					in = graph.Continue[plan]()
				}
				wantText(t, err, "no attempt is left after 3, the last of which ended with the process")
				same(t, "entered", entered, 3)
			})
		}
	}
}

func cancelWhenBegun(t *testing.T, app *graph.App[plan], ctx context.Context, cancel func()) {
	for e, err := range app.Stream(ctx, "t", graph.Start(plan{})) {
		if err == nil && e.Kind == graph.EventTaskStart && e.Node == "part" {
			cancel()
		}
	}
}

// https://github.com/langchain-ai/langgraph/issues/9002: what handles a failure
// ran again although its write was kept.
func TestHandlerOfAFailureIsNotRunAgain(t *testing.T) {
	h := newHost()
	var ran tally
	g := newPlan()
	g.Node("work", func(context.Context, plan) (planUpdate, error) {
		ran.add("work")
		return planUpdate{planText.Set("failed: quota")}, nil
	})
	g.Node("handle", func(_ context.Context, s plan) (planUpdate, error) {
		ran.add("handle")
		return planUpdate{planText.Set("handled " + s.Text)}, nil
	})
	g.Node("next", func(context.Context, plan) (planUpdate, error) { ran.add("next"); return logs("next"), nil })
	g.Edge(graph.Begin, "work")
	g.Branch("work", func(s plan) string { return map[bool]string{true: "handle", false: "next"}[s.Text != ""] }, "handle", "next")
	g.Edge("handle", "next")
	g.Edge("next", graph.End)
	// Begin, work, handle, next: the process is killed when next is to be kept.
	_, err := ready(t, g, graph.Config{Store: h.process(4, false)}).Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, errKilled)
	s, err := ready(t, g, graph.Config{Store: h.process(immortal, false)}).Run(t.Context(), "t", graph.Continue[plan]())
	wantErr(t, err, nil)
	same(t, "state", s, plan{Text: "handled failed: quota", Log: []string{"next"}})
	ran.want(t, map[string]int{"work": 1, "handle": 1, "next": 2})
}

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/repomind/repomind/graph"
)

func everySecond() backoff.BackOff { return backoff.NewConstantBackOff(time.Second) }

// busy is an error that says when to come back.
type busy struct{ after time.Duration }

func (b busy) Error() string { return "busy" }

func (b busy) RetryAfter() time.Duration { return b.after }

func TestRetryWaitsBetweenAttempts(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		policy   graph.Policy
		fail     func(attempt int) error
		attempts int
		waited   time.Duration
		ends     string // empty: in success
	}{
		"three attempts unless said": {graph.Policy{BackOff: everySecond}, func(int) error { return down }, 3, 2 * time.Second, "part[0] (step 0, attempt 3): down"},
		"one attempt":                {graph.Policy{BackOff: everySecond, Attempts: 1}, func(int) error { return down }, 1, 0, "part[0] (step 0): down"},
		"success ends it": {graph.Policy{BackOff: everySecond, Attempts: 9}, func(n int) error {
			if n < 4 {
				return down
			}
			return nil
		}, 4, 3 * time.Second, ""},
		"later by the error":   {graph.Policy{BackOff: everySecond}, func(int) error { return fmt.Errorf("call: %w", busy{time.Minute}) }, 3, 2 * time.Minute, "call: busy"},
		"not sooner by it":     {graph.Policy{BackOff: everySecond}, func(int) error { return busy{time.Millisecond} }, 3, 2 * time.Second, "busy"},
		"permanent":            {graph.Policy{BackOff: everySecond}, func(int) error { return fmt.Errorf("call: %w", backoff.Permanent(down)) }, 1, 0, "part[0] (step 0): call: down"},
		"not worth it":         {graph.Policy{BackOff: everySecond, If: func(err error) bool { return err != down }}, func(int) error { return down }, 1, 0, "down"},
		"stopped by the waits": {graph.Policy{BackOff: func() backoff.BackOff { return &backoff.StopBackOff{} }}, func(int) error { return busy{time.Minute} }, 1, 0, "busy"},
		"panic":                {graph.Policy{BackOff: everySecond}, func(int) error { panic(down) }, 1, 0, "part[0] (step 0): panic: down"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start, attempts := time.Now(), 0
				app := ready(t, fanOf(1, func(ctx context.Context, _ int) (planUpdate, error) {
					attempts++
					same(t, "attempt", graph.Info(ctx).Attempt, attempts)
					return nil, c.fail(attempts)
				}, graph.Retry(c.policy)), graph.Config{Store: graph.NewMemory()})
				_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
				if c.ends == "" {
					wantErr(t, err, nil)
				} else {
					wantText(t, err, c.ends)
				}
				same(t, "attempts", attempts, c.attempts)
				same(t, "waited", time.Since(start), c.waited)
			})
		})
	}
}

func TestBackOffGrowsUnlessSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		app := ready(t, fanOf(1, func(context.Context, int) (planUpdate, error) { return nil, errors.New("down") },
			graph.Retry(graph.Policy{Attempts: 6})), graph.Config{})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		wantText(t, err, "attempt 6")
		// 0.5 s times 1.5 each time, give or take half of it
		if waited := time.Since(start); waited < 3*time.Second || waited > 10*time.Second {
			t.Errorf("waited for %v", waited)
		}
	})
}

func TestTimeoutBoundsEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		app := ready(t, fanOf(1, func(ctx context.Context, _ int) (planUpdate, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, graph.Timeout(10*time.Second), graph.Retry(graph.Policy{BackOff: everySecond})), graph.Config{Store: graph.NewMemory()})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, context.DeadlineExceeded)
		same(t, "took", time.Since(start), 32*time.Second)
		wantStatus(t, app, "t", graph.StatusFailed)
	})
}

func TestNodeThatIgnoresItsTimeoutIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		app := ready(t, fanOf(1, func(context.Context, int) (planUpdate, error) {
			time.Sleep(time.Minute)
			return logPart(0), nil
		}, graph.Timeout(time.Second)), graph.Config{})
		s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, nil)
		same(t, "log", s.Log, partsLog(1))
		same(t, "took", time.Since(start), time.Minute)
	})
}

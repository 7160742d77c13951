package llm_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

func failure(kind error, after time.Duration) *llm.Error {
	return &llm.Error{Op: "call x", Kind: kind, RetryAfter: after}
}

// timed notes when a model is called.
func timed(m llm.Model, at *[]time.Duration) llm.Model {
	start := time.Now()
	return modelFunc(func(ctx context.Context, req llm.Request) (llm.Response, error) {
		*at = append(*at, time.Since(start))
		return m.Generate(ctx, req)
	})
}

func TestRetry(t *testing.T) {
	down, limited := failure(llm.ErrUnavailable, 0), failure(llm.ErrRateLimited, 11*time.Second)
	for name, tt := range map[string]struct {
		replies []llmtest.Reply
		at      []time.Duration
		err     error
	}{
		"at once":            {[]llmtest.Reply{llmtest.Say("a")}, []time.Duration{0}, nil},
		"two, four, eight":   {[]llmtest.Reply{llmtest.Fail(down), llmtest.Fail(failure(llm.ErrAnswer, 0)), llmtest.Fail(down), llmtest.Say("a")}, []time.Duration{0, 2 * time.Second, 6 * time.Second, 14 * time.Second}, nil},
		"gives up":           {[]llmtest.Reply{llmtest.Fail(down), llmtest.Fail(down), llmtest.Fail(down), llmtest.Fail(down)}, []time.Duration{0, 2 * time.Second, 6 * time.Second, 14 * time.Second}, down},
		"Retry-After wins":   {[]llmtest.Reply{llmtest.Fail(limited), llmtest.Fail(down), llmtest.Say("a")}, []time.Duration{0, 11 * time.Second, 15 * time.Second}, nil},
		"too long a wait":    {[]llmtest.Reply{llmtest.Fail(failure(llm.ErrRateLimited, time.Hour))}, []time.Duration{0}, llm.ErrRateLimited},
		"not for a bad key":  {[]llmtest.Reply{llmtest.Fail(failure(llm.ErrAuth, 0))}, []time.Duration{0}, llm.ErrAuth},
		"not for the budget": {[]llmtest.Reply{llmtest.Fail(&llm.BudgetError{What: "calls"})}, []time.Duration{0}, llm.ErrBudget},
		"not when cancelled": {[]llmtest.Reply{llmtest.Fail(&llm.Error{Op: "call x", Kind: llm.ErrUnavailable, Err: context.Canceled})}, []time.Duration{0}, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var at []time.Duration
				resp, err := llm.Retry{Model: timed(llmtest.Script(t, tt.replies...), &at)}.Generate(t.Context(), ask("x"))
				if !errors.Is(err, tt.err) {
					t.Errorf("the error is %v, want %v", err, tt.err)
				}
				if diff := cmp.Diff(tt.at, at); diff != "" {
					t.Errorf("called at (-want +got):\n%s", diff)
				}
				if resp.Usage.Calls != len(tt.replies) {
					t.Errorf("%d tries are counted as %s", len(tt.replies), resp.Usage)
				}
			})
		})
	}
}

// TestRetryNotifies tells of each wait before it begins, and of nothing else.
func TestRetryNotifies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, limited, denied := failure(llm.ErrUnavailable, 0), failure(llm.ErrRateLimited, 11*time.Second), failure(llm.ErrAuth, 0)
		type told struct {
			At, Wait time.Duration
			Err      string
		}
		var got []told
		start := time.Now()
		m := llm.Retry{
			Model: llmtest.Script(t, llmtest.Fail(down), llmtest.Fail(limited), llmtest.Fail(denied)),
			Notify: func(wait time.Duration, err error) {
				got = append(got, told{time.Since(start), wait, err.Error()})
			},
		}
		if _, err := m.Generate(t.Context(), ask("x")); !errors.Is(err, llm.ErrAuth) {
			t.Fatal(err)
		}
		want := []told{{0, 2 * time.Second, down.Error()}, {2 * time.Second, 11 * time.Second, limited.Error()}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
	})
}

func TestRetryStopsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := llm.Retry{Model: llmtest.Script(t, llmtest.Fail(failure(llm.ErrUnavailable, 0)))}.Generate(ctx, ask("x"))
		want := "context deadline exceeded (while waiting to ask again after: call x: the provider is not available)"
		if !errors.Is(err, context.DeadlineExceeded) || err.Error() != want {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestLimitSpreadsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		limit := &llm.Limit{PerMinute: 30}
		m := limit.Guard(timed(llmtest.Script(t, llmtest.Say("a"), llmtest.Say("b"), llmtest.Say("c")), &at))
		for range 3 {
			if _, err := m.Generate(t.Context(), ask("x")); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff([]time.Duration{0, 2 * time.Second, 4 * time.Second}, at); diff != "" {
			t.Errorf("called at (-want +got):\n%s", diff)
		}
	})
}

func TestLimitHoldsAllModels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at []time.Duration
		limit := &llm.Limit{}
		first := limit.Guard(llmtest.Script(t, llmtest.Fail(failure(llm.ErrRateLimited, 5*time.Second))))
		second := limit.Guard(timed(llmtest.Script(t, llmtest.Say("a")), &at))
		if _, err := first.Generate(t.Context(), ask("x")); !errors.Is(err, llm.ErrRateLimited) {
			t.Fatal(err)
		}
		if _, err := second.Generate(t.Context(), ask("x")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]time.Duration{5 * time.Second}, at); diff != "" {
			t.Errorf("the other model was called at (-want +got):\n%s", diff)
		}
	})
}

func TestLimitConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		block := make(chan struct{})
		m := (&llm.Limit{Concurrent: 2}).Guard(modelFunc(func(context.Context, llm.Request) (llm.Response, error) {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			<-block
			running.Add(-1)
			return llm.Response{}, nil
		}))
		done := make(chan error)
		for range 5 {
			go func() {
				_, err := m.Generate(t.Context(), ask("x"))
				done <- err
			}()
		}
		for range 5 {
			synctest.Wait()
			block <- struct{}{}
			synctest.Wait()
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if most.Load() != 2 {
			t.Errorf("%d calls ran at once", most.Load())
		}
	})
}

func TestLimitGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := &llm.Limit{PerMinute: 1}
		m := limit.Guard(llmtest.Script(t, llmtest.Say("a")))
		if _, err := m.Generate(t.Context(), ask("x")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := m.Generate(ctx, ask("x")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call that may not wait gives %v", err)
		}
	})
}

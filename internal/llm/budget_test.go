package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

// costly is a model that takes the same for each call.
func costly(u llm.Usage) llm.Model {
	return modelFunc(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "a", Stop: llm.StopEnd, Usage: u}, nil
	})
}

// TestBudgetTakesNoNonsense has numbers that would turn a sum round, or give back
// what was spent.
func TestBudgetTakesNoNonsense(t *testing.T) {
	for _, u := range []llm.Usage{{Calls: 1, Input: 1 << 62, Output: 1 << 62}, {Calls: 1, Estimated: -1, Input: -1 << 40, Output: -5}, {Calls: -9}} {
		u.Cost = llm.Cost{Amount: -1 << 62, Status: llm.CostKnown}
		b := &llm.Budget{MaxTokens: 1000, MaxCalls: 3, Used: llm.Usage{Calls: 1, Input: 900}}
		m := b.Guard(costly(u))
		for range 4 {
			m.Generate(t.Context(), ask("x"))
		}
		if s := b.Spent(); s.Input < 900 || s.Output < 0 || s.Calls < 1 || s.Estimated < 0 || s.Cost.Amount < 0 {
			t.Errorf("after %+v it has spent %+v", u, s)
		}
	}
}

// TestBudgetAfterPanic shows that a call that ends in a panic is not under way for ever.
func TestBudgetAfterPanic(t *testing.T) {
	b := &llm.Budget{MaxCalls: 1}
	func() {
		defer func() { recover() }()
		b.Guard(modelFunc(func(context.Context, llm.Request) (llm.Response, error) { panic("bad model") })).Generate(t.Context(), ask("x"))
	}()
	if err := b.Err(); err != nil {
		t.Error(err)
	}
}

func TestBudget(t *testing.T) {
	each := llm.Usage{Calls: 1, Input: 100, Cached: 60, Output: 20, Cost: llm.Cost{Amount: llm.Dollars(0.01), Status: llm.CostKnown}}
	for name, tt := range map[string]struct {
		budget *llm.Budget
		calls  int
		err    string
	}{
		"none":   {&llm.Budget{}, 9, ""},
		"calls":  {&llm.Budget{MaxCalls: 3}, 3, "budget used up for calls: 3 of 3"},
		"tokens": {&llm.Budget{MaxTokens: 300}, 3, "budget used up for tokens: 360 of 300"},
		"close":  {&llm.Budget{MaxTokens: 121}, 1, "budget used up for tokens: 120 of 121"},
		"cost":   {&llm.Budget{MaxCost: llm.Dollars(0.03)}, 3, "budget used up for cost: $0.030 of $0.030"},
		"resume": {&llm.Budget{MaxCalls: 3, Used: llm.Usage{Calls: 2}}, 1, "budget used up for calls: 3 of 3"},
	} {
		t.Run(name, func(t *testing.T) {
			m := tt.budget.Guard(costly(each))
			calls, text := 0, ""
			for calls < 9 {
				if _, err := m.Generate(t.Context(), ask("hi")); err != nil {
					text = err.Error()
					if !errors.Is(err, llm.ErrBudget) {
						t.Errorf("the error is %v", err)
					}
					break
				}
				calls++
			}
			if calls != tt.calls || text != tt.err {
				t.Errorf("%d calls, then %q; want %d, then %q", calls, text, tt.calls, tt.err)
			}
		})
	}
}

func TestBudgetChargesFailures(t *testing.T) {
	b := &llm.Budget{MaxCalls: 2}
	fail := llmtest.Reply{Err: failure(llm.ErrUnavailable, 0), Usage: llm.Usage{Calls: 1, Input: 7, Output: 1}}
	m := llm.Retry{Model: b.Guard(llmtest.Script(t, fail, fail)), Wait: time.Nanosecond}
	if _, err := m.Generate(t.Context(), ask("x")); !errors.Is(err, llm.ErrBudget) {
		t.Errorf("tries without end give %v", err)
	}
	if b.Err() == nil {
		t.Error("Err says that there is something left")
	}
	if diff := cmp.Diff(llm.Usage{Calls: 2, Failed: 2, Input: 14, Output: 2}, b.Spent()); diff != "" {
		t.Errorf("spent (-want +got):\n%s", diff)
	}
}

// TestBudgetChargesBeforeParse has an answer that nobody can read.
func TestBudgetChargesBeforeParse(t *testing.T) {
	b := &llm.Budget{MaxCalls: 1}
	m := b.Guard(llmtest.Script(t, llmtest.Say("no JSON")))
	_, resp, err := llm.Decode[review](t.Context(), m, ask("x"))
	if !errors.Is(err, llm.ErrBudget) || b.Spent().Calls != 1 || resp.Usage.Calls != 1 {
		t.Errorf("the repair gives %v after %s, charged %s", err, resp.Usage, b.Spent())
	}
}

// TestBudgetCountsCallsUnderWay makes two calls at once of a budget for one.
func TestBudgetCountsCallsUnderWay(t *testing.T) {
	b := &llm.Budget{MaxCalls: 1}
	var inner error
	var m llm.Model
	m = b.Guard(modelFunc(func(ctx context.Context, req llm.Request) (llm.Response, error) {
		_, inner = m.Generate(ctx, req)
		return llm.Response{}, nil
	}))
	if _, err := m.Generate(t.Context(), ask("x")); err != nil || !errors.Is(inner, llm.ErrBudget) {
		t.Errorf("the call gives %v, the one inside it %v", err, inner)
	}
	if b.Spent().Calls != 0 || b.Err() != nil {
		t.Errorf("a call that took nothing is charged as %s, %v", b.Spent(), b.Err())
	}
}

func TestBudgetTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &llm.Budget{MaxTime: 10 * time.Second}
		slow := modelFunc(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
			select {
			case <-time.After(7 * time.Second):
				return llm.Response{}, nil
			case <-ctx.Done():
				return llm.Response{}, context.Cause(ctx)
			}
		})
		m := b.Guard(slow)
		if _, err := m.Generate(t.Context(), ask("x")); err != nil {
			t.Error(err)
		}
		_, err := m.Generate(t.Context(), ask("x"))
		if !errors.Is(err, llm.ErrBudget) || err.Error() != "budget used up for time: 10s of 10s" {
			t.Errorf("a call over the time gives %v", err)
		}
		if _, err := m.Generate(t.Context(), ask("x")); !errors.Is(err, llm.ErrBudget) {
			t.Errorf("a call after the time gives %v", err)
		}
	})
}

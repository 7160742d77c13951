package llm

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Budget bounds what the models of a run may take together. It is checked before
// each call, with the calls under way and an estimate of their input, and charged
// when a call returns, before anybody reads the answer. Output is known only then,
// so that tokens and cost can pass their limits by the calls under way. A limit of
// zero is none.
//
// A model without a price is not bounded by MaxCost; Spent().Cost says so, and the
// other limits hold.
type Budget struct {
	MaxCost   Money
	MaxTokens int // input and output
	MaxCalls  int
	MaxTime   time.Duration // from Start
	// Start is when the time began. Zero means the first call.
	Start time.Time
	// Used is what earlier parts of the run took, as after a resume.
	Used Usage
	// Now tells the time. Nil means time.Now.
	Now func() time.Time

	mu      sync.Mutex
	begun   bool
	pending Usage // estimates of the calls under way
}

// BudgetError says which limit stopped a call. It is an [ErrBudget].
type BudgetError struct {
	What        string // cost, tokens, calls or time
	Limit, Used string
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("%s for %s: %s of %s", ErrBudget, e.What, e.Used, e.Limit)
}

func (e *BudgetError) Unwrap() error { return ErrBudget }

// Guard gives m under the budget.
func (b *Budget) Guard(m Model) Model { return budgeted{b, m} }

// Spent is what all calls took so far, with Used.
func (b *Budget) Spent() Usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Used
}

// Count adds what was taken elsewhere, as by a run that goes on.
func (b *Budget) Count(u Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Used = b.Used.Add(u)
}

// Err is the error that the smallest next call would meet, or nil.
func (b *Budget) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.check(Usage{Calls: 1})
}

type budgeted struct {
	budget *Budget
	model  Model
}

func (g budgeted) Generate(ctx context.Context, req Request) (Response, error) {
	guess := Usage{Calls: 1, Input: Estimate(req)}
	if err := g.budget.take(guess); err != nil {
		return Response{}, err
	}
	var used Usage
	defer func() { g.budget.charge(guess, used) }() // also where a panic passes
	ctx, cancel := g.budget.bound(ctx)
	defer cancel()
	resp, err := g.model.Generate(ctx, req)
	used = resp.Usage
	return resp, err
}

func (b *Budget) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

func (b *Budget) take(guess Usage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.begun {
		b.begun = true
		if b.Start.IsZero() {
			b.Start = b.now()
		}
	}
	if err := b.check(guess); err != nil {
		return err
	}
	b.pending = b.pending.Add(guess)
	return nil
}

// check says whether guess still fits in.
func (b *Budget) check(guess Usage) error {
	used := b.Used.Add(b.pending)
	tokens := used.Input + used.Output
	switch {
	case b.MaxCalls > 0 && used.Calls+guess.Calls > b.MaxCalls:
		return &BudgetError{"calls", fmt.Sprint(b.MaxCalls), fmt.Sprint(used.Calls)}
	case b.MaxTokens > 0 && tokens+max(guess.Input, 1) > b.MaxTokens:
		return &BudgetError{"tokens", fmt.Sprint(b.MaxTokens), fmt.Sprint(tokens)}
	case b.MaxCost > 0 && used.Cost.Amount >= b.MaxCost:
		return &BudgetError{"cost", b.MaxCost.String(), used.Cost.Amount.String()}
	case b.MaxTime > 0 && !b.Start.IsZero() && b.now().Sub(b.Start) >= b.MaxTime:
		return &BudgetError{"time", b.MaxTime.String(), b.now().Sub(b.Start).Round(time.Second).String()}
	}
	return nil
}

// bound ends a call when the time of the budget does.
func (b *Budget) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.MaxTime <= 0 {
		return ctx, func() {}
	}
	left := b.MaxTime - b.now().Sub(b.Start)
	out := &BudgetError{"time", b.MaxTime.String(), b.MaxTime.String()}
	return context.WithTimeoutCause(ctx, left, out)
}

func (b *Budget) charge(guess, used Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending.Calls -= guess.Calls
	b.pending.Input -= guess.Input
	b.Used = b.Used.Add(used.sane())
}

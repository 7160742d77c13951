// Package paid makes calls of models that are paid once: what a node got is kept with its
// run, so that a node which runs again has it and does not ask anew.
package paid

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/report"
)

// Answer is the outcome of a call that is never made again: a value, or why there is none.
type Answer[T any] struct {
	Value T         `json:"value"`
	Usage llm.Usage `json:"usage"`
	Fault string    `json:"fault,omitempty"` // the model answered, but not usably
}

// Ask asks for a typed answer of at most that many tokens and keeps it under the key,
// which is used once in a node. The error is of a call that failed: see [Stop] and [Used].
func Ask[T any](ctx context.Context, m llm.Model, key, text string, most int) (Answer[T], error) {
	return Once(ctx, key, func(ctx context.Context) (T, llm.Usage, error) {
		v, resp, err := llm.Decode[T](ctx, m, llm.Request{
			Messages: []llm.Message{llm.User(text)}, MaxTokens: most, Key: graph.Info(ctx).IdempotencyKey(key),
		})
		return v, resp.Usage, err
	})
}

// Once is Ask for calls of another form.
func Once[T any](ctx context.Context, key string, call func(context.Context) (T, llm.Usage, error)) (Answer[T], error) {
	asked := false
	got, err := graph.Once(ctx, key, func(ctx context.Context) (Answer[T], error) {
		asked = true
		return settle(call(ctx))
	})
	if err == nil && !asked {
		llm.Kept(ctx, got.Usage)
	}
	return got, err
}

// settle makes an answer of what a call gave. An answer that cannot be used is an answer:
// it was paid, and would come out the same.
func settle[T any](v T, u llm.Usage, err error) (Answer[T], error) {
	switch {
	case unusable(err):
		return Answer[T]{Usage: u, Fault: err.Error()}, nil
	case err != nil:
		return Answer[T]{}, &callError{u, err}
	}
	return Answer[T]{Value: v, Usage: u}, nil
}

// callError is a call that failed, and what it took nevertheless.
type callError struct {
	usage llm.Usage
	error
}

func (e *callError) Unwrap() error { return e.error }

// Used is what a call took that failed.
func Used(err error) llm.Usage {
	var failed *callError
	if errors.As(err, &failed) {
		return failed.usage
	}
	return llm.Usage{}
}

func unusable(err error) bool {
	return errors.Is(err, llm.ErrUnusable) || errors.Is(err, llm.ErrCutOff) || errors.Is(err, llm.ErrFiltered)
}

// Stop says which trouble with a model an error is; "" is none.
func Stop(err error) report.Stop {
	switch {
	case errors.Is(err, llm.ErrBudget):
		var limit *llm.BudgetError
		if errors.As(err, &limit) && limit.What == "time" {
			return report.StopTimeout
		}
		return report.StopBudget
	case errors.Is(err, llm.ErrAuth), errors.Is(err, llm.ErrQuota):
		return report.StopAuth
	case errors.Is(err, llm.ErrCutOff):
		return report.StopTruncated
	}
	for _, is := range []error{llm.ErrRateLimited, llm.ErrContext, llm.ErrRequest, llm.ErrUnavailable, llm.ErrAnswer, llm.ErrFiltered, llm.ErrUnusable, llm.ErrMiss} {
		if errors.Is(err, is) {
			return report.StopProvider
		}
	}
	return ""
}

// nonceLetters is short, as it stands around every piece, and still has 80 bits.
const nonceLetters = 16

// Fence gives the fence of the node that runs, the same in each of its attempts. A nonce
// is for runs that are recorded or replayed; "" makes a new one.
func Fence(ctx context.Context, nonce string) (prompt.Fence, error) {
	if nonce != "" {
		return prompt.NewFence(nonce)
	}
	nonce, err := graph.Once(ctx, "nonce", func(context.Context) (string, error) { return rand.Text()[:nonceLetters], nil })
	if err != nil {
		return prompt.Fence{}, err
	}
	return prompt.NewFence(nonce)
}

package issue

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/report"
)

//go:embed prompts
var promptFiles embed.FS

var prompts = func() prompt.Set {
	set, err := prompt.Load(promptFiles, "prompts")
	if err != nil {
		panic(err) // they are embedded, and tests load them
	}
	return set
}()

// nonceLetters is short, as it stands around every piece, and still has 80 bits.
const nonceLetters = 16

// fence gives the fence of the task that runs, the same in each of its attempts.
func (n nodes) fence(ctx context.Context) (prompt.Fence, error) {
	if n.Nonce != "" {
		return prompt.NewFence(n.Nonce)
	}
	nonce, err := graph.Once(ctx, "nonce", func(context.Context) (string, error) { return rand.Text()[:nonceLetters], nil })
	if err != nil {
		return prompt.Fence{}, err
	}
	return prompt.NewFence(nonce)
}

// paid is the outcome of a call that is never made again: an answer, or why there is none.
type paid[T any] struct {
	Value T         `json:"value"`
	Usage llm.Usage `json:"usage"`
	Fault string    `json:"fault,omitempty"` // the model answered, but not usably
}

// ask asks for a typed answer and keeps it, so that it is paid once. ok is false where
// there is no answer: u then says why.
func ask[T any](ctx context.Context, f prompt.Fence, node string, m llm.Model, name string, data any, most int) (v T, u update, ok bool, err error) {
	text, err := prompts.Render(f, name, data)
	if err != nil {
		return v, nil, false, err
	}
	got, err := graph.Once(ctx, name, func(ctx context.Context) (paid[T], error) {
		v, resp, err := llm.Decode[T](ctx, m, llm.Request{
			Messages: []llm.Message{llm.User(text)}, MaxTokens: most, Key: graph.Info(ctx).IdempotencyKey(name),
		})
		if unusable(err) {
			return paid[T]{Usage: resp.Usage, Fault: err.Error()}, nil
		}
		if err != nil {
			return paid[T]{}, &callError{resp.Usage, err}
		}
		return paid[T]{Value: v, Usage: resp.Usage}, nil
	})
	if err != nil {
		u, err = off(ctx, node, err)
		return v, u, false, err
	}
	u = spent(node, got.Usage)
	if got.Fault != "" {
		u = append(u, fWarnings.Set([]string{fmt.Sprintf("%s: the model's answer could not be used, so it went on without (%s)", node, got.Fault)}))
	}
	return got.Value, u, got.Fault == "", nil
}

// callError is a call that failed, and what it took nevertheless.
type callError struct {
	usage llm.Usage
	error
}

func (e *callError) Unwrap() error { return e.error }

func spent(node string, u llm.Usage) update {
	if u.Calls == 0 {
		return nil
	}
	return update{fUsage.Set(map[string]llm.Usage{node: u})}
}

func unusable(err error) bool {
	return errors.Is(err, llm.ErrUnusable) || errors.Is(err, llm.ErrCutOff) || errors.Is(err, llm.ErrFiltered)
}

// off decides what an error of a model means: the end of the run if that was ended, or
// else that it goes on without models.
func off(ctx context.Context, node string, err error) (update, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	stop := stopOf(err)
	if stop == "" {
		return nil, err
	}
	var u update
	if failed := new(callError); errors.As(err, &failed) {
		u = spent(node, failed.usage)
	}
	return append(u,
		fTrouble.Set(Trouble{Stop: stop, Why: err.Error()}),
		fWarnings.Set([]string{fmt.Sprintf("%s: the model failed, so the rest went on without one: %v", node, err)})), nil
}

// stopOf says which trouble with a model an error is; "" is none.
func stopOf(err error) report.Stop {
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

// models gives the models that a run may still call.
func (n nodes) models(s State) (llm.Set, bool) {
	if n.Models == nil || s.Input.NoModel || s.Trouble.Stop != "" {
		return llm.Set{}, false
	}
	return *n.Models, true
}

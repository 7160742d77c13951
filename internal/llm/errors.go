package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The errors that a caller may want to act on; compare with errors.Is.
var (
	// ErrAuth means that the key is missing, was refused, or may not use the model.
	ErrAuth = errors.New("not authorised")
	// ErrQuota means that the account has no credit left; waiting does not help.
	ErrQuota = errors.New("the account has no credit left")
	// ErrRateLimited means too many requests; the [Error] has the wait that was asked for.
	ErrRateLimited = errors.New("rate limited")
	// ErrContext means that the request is larger than the model's window.
	ErrContext = errors.New("the request exceeds the model's window")
	// ErrRequest means that the provider will not take the request, now or later.
	ErrRequest = errors.New("the provider refused the request")
	// ErrUnavailable means that the provider or the network failed, or a stream broke off.
	ErrUnavailable = errors.New("the provider is not available")
	// ErrAnswer means that what came is no answer of the provider's API: garbage,
	// nothing at all, or too much.
	ErrAnswer = errors.New("not an answer that the API promises")
	// ErrCutOff means that the answer ended at the limit of tokens.
	ErrCutOff = errors.New("the answer was cut off")
	// ErrFiltered means that the provider or the model refused to answer.
	ErrFiltered = errors.New("the answer was refused")
	// ErrBudget is what a [BudgetError] is.
	ErrBudget = errors.New("budget used up")
	// ErrUnusable is what an [UnusableError] is.
	ErrUnusable = errors.New("unusable answer")
	// ErrMiss means that a cassette does not hold the request.
	ErrMiss = errors.New("not recorded")
)

// Error says which call failed, and why. Its text holds no secret.
type Error struct {
	Op         string        // as "call deepseek/deepseek-chat"
	Kind       error         // one of the sentinels
	Status     int           // of HTTP; 0 is none
	RetryAfter time.Duration // that the provider asked for; 0 is none
	Message    string        // the provider's own words, shortened
	Err        error         // the cause, or nil
}

func (e *Error) Error() string {
	parts := []string{e.Op, e.Kind.Error()}
	if e.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP status %d", e.Status))
	}
	if e.Message != "" {
		parts = append(parts, fmt.Sprintf("%q", e.Message))
	}
	if e.RetryAfter > 0 {
		parts = append(parts, fmt.Sprintf("asked to wait %s", e.RetryAfter))
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	if h := e.hint(); h != "" {
		parts = append(parts, h)
	}
	return strings.Join(parts, ": ")
}

func (e *Error) hint() string {
	switch e.Kind {
	case ErrAuth:
		return "check the provider's key"
	case ErrContext:
		return "send less, or use a model with a larger window"
	case ErrCutOff:
		return "allow more tokens"
	}
	return ""
}

// Unwrap gives the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// transient says whether the same request may succeed later.
func transient(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	return errors.Is(err, ErrRateLimited) || errors.Is(err, ErrUnavailable) || errors.Is(err, ErrAnswer)
}

// retryAfter is the wait that the provider asked for.
func retryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.RetryAfter
	}
	return 0
}

// excerptMost bounds what an error holds before its secrets are masked. It is more
// than clip leaves, so that no cut can stand inside a secret that is shown.
const excerptMost = 8 << 10

// excerpt is the beginning of foreign bytes, for an error that is masked and then
// clipped: the other way round, half of a key would be shown.
func excerpt(data []byte) string { return string(data[:min(len(data), excerptMost)]) }

// clip shortens foreign text for a message. Secrets must be masked before.
func clip(s string) string {
	const most = 300
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

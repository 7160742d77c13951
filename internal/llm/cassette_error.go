package llm

import (
	"time"
)

// tapeError is the error of a provider, as a cassette holds it.
type tapeError struct {
	Kind       string `json:"kind"`
	Status     int    `json:"status,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"` // as 1.5s
	Message    string `json:"message,omitempty"`
}

// tapeKinds are the names of the kinds of errors that a call ends in.
var tapeKinds = []struct {
	name string
	kind error
}{
	{"auth", ErrAuth},
	{"quota", ErrQuota},
	{"rate limited", ErrRateLimited},
	{"context", ErrContext},
	{"request", ErrRequest},
	{"unavailable", ErrUnavailable},
	{"answer", ErrAnswer},
}

func newTapeError(e *Error, scrub scrubber) *tapeError {
	t := &tapeError{Status: e.Status, Message: scrub.strict(e.Message)}
	for _, k := range tapeKinds {
		if k.kind == e.Kind {
			t.Kind = k.name
		}
	}
	if e.RetryAfter > 0 {
		t.RetryAfter = e.RetryAfter.String()
	}
	return t
}

// kind is nil for one that is not known.
func (t *tapeError) kind() error {
	for _, k := range tapeKinds {
		if k.name == t.Kind {
			return k.kind
		}
	}
	return nil
}

func (t *tapeError) err(model string) error {
	after, _ := time.ParseDuration(t.RetryAfter) // what is no duration is no wait
	return &Error{Op: "call " + model, Kind: t.kind(), Status: t.Status, RetryAfter: after, Message: t.Message}
}

package github

import (
	"errors"
	"fmt"
	"time"
)

// The errors that a caller may want to act on; compare with errors.Is.
var (
	// ErrAuth means that a token is missing, was refused, or lacks a permission.
	ErrAuth = errors.New("not authorised")
	// ErrNotFound means that there is no such thing, or none that the token may see.
	ErrNotFound = errors.New("not found")
	// ErrGone means that there was one, but it was deleted.
	ErrGone = errors.New("gone")
	// ErrBlocked means that GitHub withholds it for legal reasons.
	ErrBlocked = errors.New("withheld for legal reasons")
	// ErrRateLimited is what a [RateLimitError] is.
	ErrRateLimited = errors.New("rate limit used up")
	// ErrUnavailable means that the network or GitHub failed, after three tries.
	ErrUnavailable = errors.New("GitHub is not available")
	// ErrTooLarge means that an answer or a file is over its bound.
	ErrTooLarge = errors.New("too large")
	// ErrHost refuses a target on another host than the client's.
	ErrHost = errors.New("another host")
	// ErrInput means that a file or a range of commits is not in the form that is
	// asked for; the error says where, and which form that is.
	ErrInput = errors.New("wrong input")
)

// inputError is an [ErrInput] whose text says all.
type inputError struct{ error }

func (e inputError) Unwrap() error        { return e.error }
func (e inputError) Is(target error) bool { return target == ErrInput }

// Error says what could not be read, and why. It holds text alone, none of it
// secret, so that it can be stored and shown.
type Error struct {
	What    string // what was read, as "the comments of github.com/o/r/issues/12"
	Status  int    // of the answer; 0 is none
	Message string // GitHub's own words, or those of the network
	Hint    string // what can be done about it
	Err     error  // one of the sentinels, or nil
}

func (e *Error) Error() string {
	s := "read " + e.What
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Status != 0 {
		s += fmt.Sprintf(": HTTP status %d", e.Status)
	}
	if e.Message != "" {
		s += fmt.Sprintf(": %q", e.Message)
	}
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// RateLimitError means that waiting for the limit would take longer than
// Config.MaxWait allows.
type RateLimitError struct {
	What      string
	Reset     time.Time // when requests are taken again
	Wait      time.Duration
	Secondary bool   // too many requests in a short time, rather than in an hour
	Hint      string // how the limit can be raised
}

func (e *RateLimitError) Error() string {
	kind := "rate limit"
	if e.Secondary {
		kind = "secondary rate limit"
	}
	return fmt.Sprintf("read %s: GitHub's %s is used up until %s (in %s): %s",
		e.What, kind, e.Reset.UTC().Format(time.RFC3339), e.Wait.Round(time.Second), e.Hint)
}

func (e *RateLimitError) Unwrap() error { return ErrRateLimited }

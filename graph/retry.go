package graph

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// delay is how long to wait before the next attempt, or backoff.Stop.
func (p *Policy) delay(wait backoff.BackOff, err error) time.Duration {
	var after interface{ RetryAfter() time.Duration }
	if p == nil || isPermanent(err) || p.If != nil && !p.If(err) {
		return backoff.Stop
	}
	d := wait.NextBackOff()
	if d != backoff.Stop && errors.As(err, &after) {
		d = max(d, after.RetryAfter())
	}
	return d
}

// isPermanent says that another attempt would end the same way.
func isPermanent(err error) bool {
	var (
		permanent *backoff.PermanentError
		panicked  *PanicError
		paused    *Paused
	)
	return errors.As(err, &permanent) || errors.As(err, &panicked) || errors.As(err, &paused) ||
		slices.ContainsFunc(permanents, func(e error) bool { return errors.Is(err, e) })
}

var permanents = []error{ErrNoStore, ErrSuperseded, ErrKeyReused, ErrConcurrentWrite, ErrUnknownField, ErrNoTarget, ErrMutated,
	ErrInvalidState, ErrStepLimit, ErrVisitLimit, ErrGraphChanged, ErrFieldVersion, ErrSecret, ErrInvalidUTF8}

// onlyPauses says that err is a pause, or several joined, and nothing else.
func onlyPauses(err error) bool {
	switch e := err.(type) {
	case *Paused:
		return true
	case interface{ Unwrap() []error }:
		return !slices.ContainsFunc(e.Unwrap(), func(err error) bool { return !onlyPauses(err) })
	case interface{ Unwrap() error }:
		return onlyPauses(e.Unwrap())
	}
	return false
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

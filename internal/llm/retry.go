package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// Retry asks again where a call failed for a reason that may pass: a limit of
// requests, a provider that is down, an answer that is garbage. The Usage of all
// tries is in the Response.
type Retry struct {
	Model Model
	// Tries is how often it asks again. Zero means 3.
	Tries int
	// Wait is the first wait; each next one is twice as long. Zero means 2 seconds. A
	// wait that the provider asks for wins.
	Wait time.Duration
	// MaxWait is the longest wait that is followed; the call fails where the provider
	// asks for more. Zero means 1 minute.
	MaxWait time.Duration
	// Notify is told of each wait before it begins, and of the error that it is for. It
	// may be called from several goroutines. Nil tells nobody.
	Notify func(wait time.Duration, err error)
}

// Generate implements [Model].
func (r Retry) Generate(ctx context.Context, req Request) (Response, error) {
	var spent Usage
	waits := &asked{BackOff: r.backoff(), max: cmp.Or(r.MaxWait, time.Minute)}
	resp, err := backoff.RetryNotifyWithData(func() (Response, error) {
		resp, err := r.Model.Generate(ctx, req)
		spent = spent.Add(resp.Usage)
		waits.last = err
		if err != nil && !transient(err) {
			return resp, backoff.Permanent(err)
		}
		return resp, err
	}, backoff.WithContext(waits, ctx), r.notify)
	resp.Usage = spent
	if cause := context.Cause(ctx); err != nil && cause != nil && waits.last != nil && !errors.Is(waits.last, cause) {
		return resp, fmt.Errorf("%w (while waiting to ask again after: %v)", cause, waits.last)
	}
	return resp, err
}

func (r Retry) notify(err error, wait time.Duration) {
	if r.Notify != nil {
		r.Notify(wait, err)
	}
}

func (r Retry) backoff() backoff.BackOff {
	b := backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(cmp.Or(r.Wait, 2*time.Second)),
		backoff.WithMultiplier(2),
		backoff.WithRandomizationFactor(0), // [Limit] spreads the calls
		backoff.WithMaxElapsedTime(0),
	)
	return backoff.WithMaxRetries(b, uint64(max(cmp.Or(r.Tries, 3), 0)))
}

// asked lets the wait of the last error win over the plan.
type asked struct {
	backoff.BackOff
	last error
	max  time.Duration
}

func (a *asked) NextBackOff() time.Duration {
	wait := a.BackOff.NextBackOff()
	after := retryAfter(a.last)
	switch {
	case wait == backoff.Stop || after > a.max:
		return backoff.Stop
	case after > 0:
		return after
	}
	return min(wait, a.max)
}

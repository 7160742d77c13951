package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// Key is a secret that is never printed: not by fmt, not in JSON.
type Key string

const hidden = "[key]"

func (Key) String() string               { return hidden }
func (Key) GoString() string             { return hidden }
func (Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Remote is what both kinds of endpoint are reached with.
type Remote struct {
	// URL is where the endpoint's paths begin, such as http://localhost:11434.
	URL string
	// Model is the model's name there.
	Model string
	// Key is sent as a bearer token. Zero means none.
	Key Key
	// Dim is how long a vector must be. Zero means as long as the first one.
	Dim int
	// Batch is how many texts go into one request. Zero means 64.
	Batch int
	// Attempts is how often a request is tried that fails for reasons that pass: no
	// connection, 408, 429 and 5xx. Zero means 4.
	Attempts int
	// Pause is the wait before the second attempt; it doubles with each, up to a
	// minute, and a Retry-After of the server counts if it is longer. Zero means
	// half a second.
	Pause time.Duration
	// Timeout bounds one attempt. Zero means a minute.
	Timeout time.Duration
	// Transport carries the requests. Nil means [http.DefaultTransport].
	Transport http.RoundTripper
}

const (
	answerLimit = 64 << 20
	longestWait = time.Minute
)

// post sends a request, again and again if that may help, and decodes the answer.
func (r Remote) post(ctx context.Context, path string, ask, answer any) error {
	body, err := json.Marshal(ask)
	if err != nil {
		return err
	}
	plan := &plan{BackOff: backoff.WithMaxRetries(backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(or(r.Pause, 500*time.Millisecond)),
		backoff.WithMultiplier(2),
		backoff.WithRandomizationFactor(0),
		backoff.WithMaxInterval(longestWait),
		backoff.WithMaxElapsedTime(0),
	), uint64(max(or(r.Attempts, 4)-1, 0)))}
	err = backoff.Retry(func() error {
		plan.last = r.once(ctx, path, body, answer)
		if plan.last != nil && (ctx.Err() != nil || !passes(plan.last)) {
			return backoff.Permanent(plan.last)
		}
		return plan.last
	}, backoff.WithContext(plan, ctx))
	if err != nil && ctx.Err() != nil {
		return errors.Join(ctx.Err(), plan.last)
	}
	return err
}

// plan waits longer where the server asks for it.
type plan struct {
	backoff.BackOff
	last error
}

func (p *plan) NextBackOff() time.Duration {
	wait := p.BackOff.NextBackOff()
	if api := (*APIError)(nil); wait != backoff.Stop && errors.As(p.last, &api) {
		wait = min(max(wait, api.Wait), longestWait)
	}
	return wait
}

// passes says whether a second attempt may go better.
func passes(err error) bool {
	var api *APIError
	if errors.As(err, &api) {
		return api.passes()
	}
	var transport *url.Error
	return errors.As(err, &transport)
}

func (r Remote) once(ctx context.Context, path string, body []byte, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, or(r.Timeout, time.Minute))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(r.URL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("embedding endpoint: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if r.Key != "" {
		req.Header.Set("Authorization", "Bearer "+string(r.Key))
	}
	resp, err := r.client().Do(req)
	if err != nil {
		return bare(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, answerLimit+1))
	if err != nil {
		return &url.Error{Op: "read the answer of", URL: plain(req.URL), Err: err}
	}
	if resp.StatusCode != http.StatusOK {
		return r.refusal(resp, data)
	}
	if len(data) > answerLimit {
		return fmt.Errorf("%s answered with more than %d MB", plain(req.URL), answerLimit>>20)
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("read the answer of %s: %w", plain(req.URL), err)
	}
	return nil
}

// client does not follow redirects: they would carry texts, and perhaps the key,
// to a place that nobody named.
func (r Remote) client() *http.Client {
	return &http.Client{
		Transport:     r.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bare takes query and user out of an error's URL: some endpoints want the key
// there.
func bare(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		if u, bad := url.Parse(at.URL); bad == nil {
			at.URL = plain(u)
		}
	}
	return err
}

func plain(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func or[T comparable](x, otherwise T) T {
	var zero T
	if x == zero {
		return otherwise
	}
	return x
}

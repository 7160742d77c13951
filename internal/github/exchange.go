package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v4"
)

const (
	maxRedirects = 3
	tries        = 3
	tryTimeout   = 90 * time.Second // for one request with its body
	fromCache    = "X-From-Cache"
)

// exchange is the transport below go-github for one call. It sees every request and
// gives back only complete answers of 2xx: it waits for rate limits, tries again,
// follows a redirect on the same host, keeps the token to that host, and turns all
// else into an [Error]. go-github sees no header about limits, since with those it
// would refuse requests by itself.
type exchange struct {
	*Client
	waited time.Duration
	read   int64
}

func (x *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return nil, &Error{Hint: "the client only reads, and does not " + req.Method}
	}
	u := req.URL
	for range maxRedirects + 1 {
		a, err := x.get(req.Context(), u, req.Header.Get("Accept"))
		switch {
		case err != nil:
			return nil, err
		case 300 <= a.status && a.status < 400:
			if u, err = x.redirect(u, a); err != nil {
				return nil, err
			}
		case a.status >= 400:
			return nil, x.failure(a)
		default:
			return a.response(req), nil
		}
	}
	return nil, &Error{Err: ErrUnavailable, Hint: fmt.Sprintf("more than %d redirects", maxRedirects)}
}

// redirect gives the next address. GitHub answers 301 for a renamed repository and
// for an issue that was moved to another one.
func (x *exchange) redirect(from *url.URL, a answer) (*url.URL, error) {
	to, err := from.Parse(a.header.Get("Location"))
	if err != nil || a.header.Get("Location") == "" {
		return nil, &Error{Status: a.status, Err: ErrUnavailable, Hint: "a redirect without an address"}
	}
	if to.Scheme != x.base.Scheme || to.Host != x.base.Host || to.User != nil {
		return nil, &Error{Status: a.status, Err: ErrHost, Message: x.words(to.Hostname()), Hint: "a redirect away from the API's host is not followed"}
	}
	return to, nil
}

// get reads one address, by way of the cache.
func (x *exchange) get(ctx context.Context, u *url.URL, accept string) (answer, error) {
	key := x.cache.key(u.String(), accept)
	kept, hit := x.cache.load(key)
	h := http.Header{"Accept": {accept}, "User-Agent": {"repomind"}, "X-Github-Api-Version": {"2022-11-28"}}
	if hit {
		h.Set("If-None-Match", kept.header.Get("Etag"))
	}
	a, err := x.patient(ctx, u, h)
	if err != nil {
		return answer{}, err
	}
	if a.status == http.StatusNotModified && hit {
		kept.cached = true
		if link := a.header.Get("Link"); link != "" {
			kept.header.Set("Link", link)
		}
		return kept, nil
	}
	if a.status == http.StatusOK {
		if err := x.cache.save(key, a); err != nil {
			x.cfg.Notify(0, err.Error())
		}
	}
	return a, nil
}

// patient sends the request until it is not refused for a rate limit.
func (x *exchange) patient(ctx context.Context, u *url.URL, h http.Header) (answer, error) {
	for n := 0; ; n++ {
		a, err := x.persistent(ctx, u, h)
		if err != nil {
			return answer{}, err
		}
		l, limited := limitOf(a, x.cfg.Now(), n)
		if !limited {
			return a, nil
		}
		if err := x.wait(ctx, l); err != nil {
			return answer{}, err
		}
	}
}

// persistent tries three times where the network or the server fails.
func (x *exchange) persistent(ctx context.Context, u *url.URL, h http.Header) (answer, error) {
	policy := backoff.NewExponentialBackOff(backoff.WithInitialInterval(time.Second), backoff.WithMaxElapsedTime(0))
	try := func() (answer, error) { return x.once(ctx, u, h) }
	again := func(_ error, wait time.Duration) {
		x.cfg.Notify(wait, x.base.Host+" did not answer as it should; trying again")
	}
	return backoff.RetryNotifyWithData(try, backoff.WithContext(backoff.WithMaxRetries(policy, tries-1), ctx), again)
}

func (x *exchange) once(parent context.Context, u *url.URL, h http.Header) (answer, error) {
	ctx, cancel := context.WithTimeout(parent, tryTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return answer{}, backoff.Permanent(err)
	}
	req.Header = h.Clone()
	if u.Scheme != x.base.Scheme || u.Host != x.base.Host {
		return answer{}, backoff.Permanent(&Error{Err: ErrHost})
	}
	if t := x.cfg.Token; !t.IsZero() {
		req.Header.Set("Authorization", "Bearer "+t.Reveal())
	}
	a, err := x.send(req)
	var final *Error
	switch {
	case errors.As(err, &final):
		return answer{}, backoff.Permanent(err)
	case err != nil:
		return answer{}, &Error{Err: ErrUnavailable, Status: a.status, Message: x.words(err.Error()), Hint: "check the network, a proxy, and the host's status page"}
	case a.status >= 500:
		return answer{}, &Error{Err: ErrUnavailable, Status: a.status, Hint: "the server failed; try again later"}
	}
	return a, nil
}

// send does one request and reads its whole answer. An *Error is final; another
// error may pass.
func (x *exchange) send(req *http.Request) (answer, error) {
	resp, err := x.cfg.Transport.RoundTrip(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header}
	left := min(x.cfg.MaxBody, x.cfg.MaxBytes-x.read)
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, left+1))
	x.read += int64(len(a.body))
	switch {
	case int64(len(a.body)) > left || resp.ContentLength > left:
		return a, &Error{Err: ErrTooLarge, Status: a.status, Hint: fmt.Sprintf("an answer may have %d bytes, all answers together %d", x.cfg.MaxBody, x.cfg.MaxBytes)}
	case err != nil:
		return a, fmt.Errorf("the answer broke off: %w", err)
	case resp.ContentLength >= 0 && resp.ContentLength != int64(len(a.body)):
		return a, fmt.Errorf("the answer broke off after %d of %d bytes", len(a.body), resp.ContentLength)
	case a.status == http.StatusOK && !json.Valid(a.body):
		return a, errors.New("the answer is not whole JSON")
	}
	return a, nil
}

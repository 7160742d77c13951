package github

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// limit is how long GitHub wants us to wait.
type limit struct {
	wait      time.Duration
	secondary bool
}

// limitOf reads a rate limit as GitHub documents it under "Rate limits for the REST
// API": after a 403 or 429 wait for Retry-After; else, where nothing remains, for
// the reset; else a minute, and longer each time. Each wait for the same request,
// of which n were before, has a floor that doubles, so that a wrong clock does not
// make us knock in a row.
func limitOf(a answer, now time.Time, n int) (limit, bool) {
	if a.status != http.StatusForbidden && a.status != http.StatusTooManyRequests {
		return limit{}, false
	}
	floor := time.Second << min(n, 20)
	if wait, ok := retryAfter(a.header.Get("Retry-After"), now); ok {
		return limit{max(wait, floor), a.header.Get("X-Ratelimit-Remaining") != "0"}, true
	}
	if a.header.Get("X-Ratelimit-Remaining") == "0" {
		reset, err := strconv.ParseInt(a.header.Get("X-Ratelimit-Reset"), 10, 40)
		if err == nil {
			return limit{max(time.Unix(reset, 0).Sub(now)+time.Second, floor), false}, true
		}
	}
	if text, docs := a.message(); a.status == http.StatusTooManyRequests || aboutLimit(text, docs) {
		return limit{60 * floor, true}, true
	}
	return limit{}, false
}

func retryAfter(v string, now time.Time) (time.Duration, bool) {
	if s, err := strconv.ParseInt(v, 10, 32); err == nil && s >= 0 {
		return time.Duration(s) * time.Second, true
	}
	if at, err := http.ParseTime(v); err == nil {
		return at.Sub(now), true
	}
	return 0, false
}

func aboutLimit(text, docs string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "rate limit") || strings.Contains(text, "abuse detection") ||
		strings.HasSuffix(docs, "secondary-rate-limits") || strings.HasSuffix(docs, "#abuse-rate-limits")
}

// wait waits, if the call has that much time left for it.
func (x *exchange) wait(ctx context.Context, l limit) error {
	if x.waited+l.wait > x.cfg.MaxWait {
		return &RateLimitError{Reset: x.cfg.Now().Add(l.wait), Wait: l.wait, Secondary: l.secondary, Hint: x.limitHint()}
	}
	x.waited += l.wait
	x.cfg.Notify(l.wait, fmt.Sprintf("the rate limit of %s is used up until %s", x.base.Host, x.cfg.Now().Add(l.wait).UTC().Format(time.RFC3339)))
	t := time.NewTimer(l.wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (c *Client) limitHint() string {
	if c.cfg.Token.IsZero() {
		return "a token raises the limit from 60 to 5,000 requests an hour: set " + c.variable()
	}
	return fmt.Sprintf("the limit is that of the token from %s: wait, or set another token", c.cfg.Token.Source())
}

// variable names where a token for the host is looked for first.
func (c *Client) variable() string { return tokenVariables(c.cfg.Host)[0] }

package github_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
)

// waits notes what a client says of its waits.
type waits []string

func (w *waits) add(d time.Duration, why string) { *w = append(*w, fmt.Sprintf("%s: %s", d, why)) }

// The clock of a synctest bubble begins at midnight of 2000-01-01 UTC.
var midnight = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func reset(after time.Duration) string {
	return fmt.Sprintf("X-RateLimit-Reset: %d", midnight.Add(after).Unix())
}

func TestLimitsAreWaitedFor(t *testing.T) {
	const until = ": the rate limit of 127.0.0.1 is used up until 2000-01-01T00:"
	for _, tt := range []struct {
		name    string
		answers []http.HandlerFunc
		want    waits
	}{
		{"primary", []http.HandlerFunc{reply(403, `{"message": "API rate limit exceeded"}`, "X-RateLimit-Remaining: 0", reset(90*time.Second))},
			waits{"1m31s" + until + "01:31Z"}},
		{"primary as 429", []http.HandlerFunc{reply(429, `{}`, "X-RateLimit-Remaining: 0", reset(90*time.Second))},
			waits{"1m31s" + until + "01:31Z"}},
		{"Retry-After", []http.HandlerFunc{reply(403, `{}`, "Retry-After: 30", "X-RateLimit-Remaining: 0", reset(time.Hour))},
			waits{"30s" + until + "00:30Z"}},
		{"Retry-After as a date", []http.HandlerFunc{reply(429, `{}`, "Retry-After: Sat, 01 Jan 2000 00:00:40 GMT")},
			waits{"40s" + until + "00:40Z"}},
		{"secondary", []http.HandlerFunc{
			reply(403, `{"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}`, "X-RateLimit-Remaining: 4000"),
			reply(429, `{}`),
		}, waits{"1m0s" + until + "01:00Z", "2m0s" + until + "03:00Z"}},
		{"secondary by its address", []http.HandlerFunc{reply(403, `{"documentation_url": "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`)},
			waits{"1m0s" + until + "01:00Z"}},
		{"a reset in the past", []http.HandlerFunc{
			reply(403, `{}`, "X-RateLimit-Remaining: 0", reset(-time.Hour)),
			reply(403, `{}`, "X-RateLimit-Remaining: 0", reset(-time.Hour)),
			reply(403, `{}`, "Retry-After: 0"),
		}, waits{"1s" + until + "00:01Z", "2s" + until + "00:03Z", "4s" + until + "00:07Z"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				f.on(issue7, append(tt.answers, ok(bare))...)
				var got waits
				if _, err := f.new(github.Config{Notify: got.add}).Resolve(t.Context(), target(github.KindIssue)); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// go-github itself refuses each request after an answer that says that none remain.
func TestNothingRemainingDoesNotStopTheNextRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		spent := []string{"X-RateLimit-Limit: 60", "X-RateLimit-Remaining: 0", reset(time.Hour)}
		f.on(issue7, ok(bare, spent...))
		f.on(comments7, ok(`[]`, spent...))
		f.on(timeline7, reply(429, `{}`, "Retry-After: 10"), ok(`[]`, spent...))
		if _, err := f.new(github.Config{}).Issue(t.Context(), target(github.KindIssue)); err != nil {
			t.Error(err)
		}
	})
}

func TestWaitingIsBounded(t *testing.T) {
	token := github.NewToken(canary, "GITHUB_TOKEN")
	for _, tt := range []struct {
		name    string
		cfg     github.Config
		answers []http.HandlerFunc
		want    github.RateLimitError
		text    string
	}{
		{"reset", github.Config{}, []http.HandlerFunc{reply(403, `{}`, "X-RateLimit-Remaining: 0", reset(43*time.Minute))},
			github.RateLimitError{What: "github.com/o/r/issues/7", Reset: midnight.Add(43*time.Minute + time.Second), Wait: 43*time.Minute + time.Second,
				Hint: "a token raises the limit from 60 to 5,000 requests an hour: set GH_TOKEN"},
			"read github.com/o/r/issues/7: GitHub's rate limit is used up until 2000-01-01T00:43:01Z (in 43m1s): a token raises the limit from 60 to 5,000 requests an hour: set GH_TOKEN"},
		{"in all", github.Config{MaxWait: 170 * time.Second, Token: token}, []http.HandlerFunc{reply(429, `{}`), reply(429, `{}`)},
			github.RateLimitError{What: "github.com/o/r/issues/7", Reset: midnight.Add(3 * time.Minute), Wait: 2 * time.Minute, Secondary: true,
				Hint: "the limit is that of the token from GITHUB_TOKEN: wait, or set another token"},
			"read github.com/o/r/issues/7: GitHub's secondary rate limit is used up until 2000-01-01T00:03:00Z (in 2m0s): the limit is that of the token from GITHUB_TOKEN: wait, or set another token"},
		{"Retry-After", github.Config{}, []http.HandlerFunc{reply(403, `{}`, "X-RateLimit-Remaining: 0", "Retry-After: 600")},
			github.RateLimitError{What: "github.com/o/r/issues/7", Reset: midnight.Add(10 * time.Minute), Wait: 10 * time.Minute,
				Hint: "a token raises the limit from 60 to 5,000 requests an hour: set GH_TOKEN"},
			"read github.com/o/r/issues/7: GitHub's rate limit is used up until 2000-01-01T00:10:00Z (in 10m0s): a token raises the limit from 60 to 5,000 requests an hour: set GH_TOKEN"},
		{"never", github.Config{MaxWait: -1}, []http.HandlerFunc{reply(429, `{}`, "Retry-After: 99999999999999")},
			github.RateLimitError{What: "github.com/o/r/issues/7", Reset: midnight.Add(time.Minute), Wait: time.Minute, Secondary: true,
				Hint: "a token raises the limit from 60 to 5,000 requests an hour: set GH_TOKEN"},
			"read github.com/o/r/issues/7: GitHub's secondary rate limit is used up until 2000-01-01T00:01:00Z (in 1m0s): a token raises the limit from 60 to 5,000 requests an hour: set GH_TOKEN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				f.on(issue7, tt.answers...)
				_, err := f.new(tt.cfg).Resolve(t.Context(), target(github.KindIssue))
				var got *github.RateLimitError
				if !errors.As(err, &got) || !errors.Is(err, github.ErrRateLimited) || err.Error() != tt.text {
					t.Fatalf("error %q, want %q", message(err), tt.text)
				}
				if diff := cmp.Diff(tt.want, *got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestCancelEndsAWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		f.on(issue7, reply(429, `{}`))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := f.new(github.Config{}).Resolve(ctx, target(github.KindIssue))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(midnight) != 10*time.Second {
			t.Errorf("error %v after %s", err, time.Since(midnight))
		}
	})
}

func TestFailuresAreTriedThreeTimes(t *testing.T) {
	page := reply(502, "<html>bad gateway</html>")
	for _, tt := range []struct {
		name    string
		answers []http.HandlerFunc
		want    string // "" is success
	}{
		{"5xx", []http.HandlerFunc{page, reply(500, `{}`), ok(bare)}, ""},
		{"cut off", []http.HandlerFunc{abort(`{"number`), ok(bare)}, ""},
		{"half JSON", []http.HandlerFunc{ok(`{"number": 7, "ti`), ok(bare)}, ""},
		{"empty", []http.HandlerFunc{ok(``), ok(bare)}, ""},
		{"always 5xx", []http.HandlerFunc{page, page, page}, "read github.com/o/r/issues/7: GitHub is not available: HTTP status 502: the server failed; try again later"},
		{"always cut off", []http.HandlerFunc{abort(`{`), abort(`{`), abort(`{`)},
			`read github.com/o/r/issues/7: GitHub is not available: HTTP status 200: "the answer broke off: unexpected EOF": check the network, a proxy, and the host's status page`},
		{"always half", []http.HandlerFunc{ok(`{`), ok(`{`), ok(`<html>log in`)},
			`read github.com/o/r/issues/7: GitHub is not available: HTTP status 200: "the answer is not whole JSON": check the network, a proxy, and the host's status page`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				f.on(issue7, tt.answers...)
				var got waits
				_, err := f.new(github.Config{Notify: got.add}).Resolve(t.Context(), target(github.KindIssue))
				if message(err) != tt.want || err != nil && !errors.Is(err, github.ErrUnavailable) {
					t.Errorf("error %q, want %q", message(err), tt.want)
				}
				if len(got) != len(tt.answers)-1 {
					t.Errorf("told of %d waits: %v", len(got), got)
				}
			})
		})
	}
}

// wire is a transport of its own.
type wire func(*http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func TestNetworkErrorsAreTriedThreeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		n := 0
		c := f.new(github.Config{Transport: wire(func(*http.Request) (*http.Response, error) {
			n++
			return nil, errors.New("no route to host")
		})})
		_, err := c.Resolve(t.Context(), target(github.KindIssue))
		want := `read github.com/o/r/issues/7: GitHub is not available: "no route to host": check the network, a proxy, and the host's status page`
		if message(err) != want || n != 3 {
			t.Errorf("error %q after %d tries, want %q", message(err), n, want)
		}
	})
}

// A server that takes the connection and says nothing is given up on by itself.
func TestASilentServerIsGivenUpOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		silent := wire(func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() })
		_, err := f.new(github.Config{Transport: silent}).Resolve(t.Context(), target(github.KindIssue))
		if took := time.Since(midnight); !errors.Is(err, github.ErrUnavailable) || took < 4*time.Minute || took > 5*time.Minute {
			t.Errorf("error %v after %s", err, took)
		}
	})
}

func TestCancelEndsARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		c := f.new(github.Config{Transport: wire(func(r *http.Request) (*http.Response, error) {
			n++
			cancel()
			<-r.Context().Done()
			return nil, errors.New("the connection was closed")
		})})
		_, err := c.Resolve(ctx, target(github.KindIssue))
		if message(err) != "read github.com/o/r/issues/7: context canceled" || !errors.Is(err, context.Canceled) || n != 1 || !time.Now().Equal(midnight) {
			t.Errorf("error %v after %d tries and %s", err, n, time.Since(midnight))
		}
	})
}

func TestAShortBodyIsSeenWithoutHelpOfTheTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		short := wire(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: 9, Body: io.NopCloser(readers{})}, nil
		})
		_, err := f.new(github.Config{Transport: short}).Resolve(t.Context(), target(github.KindIssue))
		want := `read github.com/o/r/issues/7: GitHub is not available: HTTP status 200: "the answer broke off after 0 of 9 bytes": check the network, a proxy, and the host's status page`
		if message(err) != want {
			t.Errorf("error %q, want %q", message(err), want)
		}
	})
}

type readers struct{}

func (readers) Read([]byte) (int, error) { return 0, io.EOF }

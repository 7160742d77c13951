package github

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	gh "github.com/google/go-github/v62/github"

	"github.com/repomind/repomind/internal/source"
)

// Client reads from one host. It can be used by several goroutines at once.
type Client struct {
	cfg   Config
	base  *url.URL
	cache *cache
}

// call is one use of the client. It has a go-github client of its own, so that the
// bounds hold for each call and no call waits for what another one was told.
type call struct {
	*Client
	api    *gh.Client
	target Target
}

func (c *Client) begin(t Target) (*call, error) {
	r, err := source.NewRepo(t.Repo.Host, t.Repo.Owner, t.Repo.Name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", t, err)
	case t.Number < 1 || t.Number > math.MaxInt32:
		return nil, fmt.Errorf("read %s: the number %d is not one of an issue", t, t.Number)
	case r.HostName() != c.cfg.Host:
		return nil, &Error{What: t.String(), Err: ErrHost, Hint: fmt.Sprintf("this client is for %s; for a server of your own set GH_HOST=%s", c.cfg.Host, r.HostName())}
	}
	t.Repo = r
	api := gh.NewClient(&http.Client{
		Transport:     &exchange{Client: c},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	})
	base := *c.base
	api.BaseURL = &base
	return &call{c, api, t}, nil
}

// explain adds what was read to an error of the exchange, and turns any other into
// one that holds only text.
func (c *call) explain(part string, err error) error {
	what := c.target.String()
	if part != "" {
		what = part + " of " + what
	}
	var limit *RateLimitError
	var known *Error
	var slow net.Error
	switch {
	case errors.As(err, &limit):
		limit.What = what
		return limit
	case errors.As(err, &known):
		known.What = what
		return known
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("read %s: %w", what, context.Canceled)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &slow) && slow.Timeout():
		return fmt.Errorf("read %s: %w", what, context.DeadlineExceeded)
	}
	return &Error{What: what, Err: ErrUnavailable, Message: c.words(err.Error()), Hint: "the answer has another form than GitHub documents"}
}

// words makes text from outside fit for an error: without the token, in one short
// line that can be printed.
func (c *Client) words(s string) string {
	s = c.cfg.Token.redact(strings.ToValidUTF8(s, "�"))
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}

// Resolve asks what the number of t stands for and gives the target with its kind,
// under the name that its repository has now.
func (c *Client) Resolve(ctx context.Context, t Target) (Target, error) {
	call, err := c.begin(t)
	if err != nil {
		return Target{}, err
	}
	if _, err := call.issue(ctx); err != nil {
		return Target{}, err
	}
	return call.target, nil
}

// issue reads the issue, which a pull request is too, and goes on under the name
// that GitHub gives it: a repository may be renamed and an issue moved.
func (c *call) issue(ctx context.Context) (*gh.Issue, error) {
	i, _, err := c.api.Issues.Get(ctx, c.target.Repo.Owner, c.target.Repo.Name, c.target.Number)
	if err != nil {
		return nil, c.explain("", err)
	}
	c.target.Kind = KindIssue
	if i.IsPullRequest() {
		c.target.Kind = KindPull
	}
	return i, c.follow(i.GetHTMLURL())
}

func (c *call) follow(address string) error {
	now, err := ParseTarget(address, c.cfg.Host)
	if err != nil || now.Repo.HostName() != c.cfg.Host {
		return &Error{What: c.target.String(), Message: c.words(address), Hint: "GitHub gives it an address that is none of an issue or a pull request"}
	}
	c.target.Repo, c.target.Number = now.Repo, now.Number
	return nil
}

package github_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/github"
)

func TestRefusalsSayWhatToDo(t *testing.T) {
	token := github.Config{Token: github.NewToken(canary, "GITHUB_TOKEN")}
	server := github.Config{Host: "git.corp.example"}
	for _, tt := range []struct {
		name    string
		cfg     github.Config
		status  int
		body    string
		headers []string
		is      error
		want    string
	}{
		{"bad token", token, 401, `{"message": "Bad credentials"}`, nil, github.ErrAuth,
			`not authorised: HTTP status 401: "Bad credentials": the token from GITHUB_TOKEN is wrong, has expired, or was revoked`},
		{"no token", server, 401, `{"message": "Must authenticate to access this API."}`, nil, github.ErrAuth,
			`not authorised: HTTP status 401: "Must authenticate to access this API.": the host asks for a token: set GH_ENTERPRISE_TOKEN`},
		{"scope", token, 403, `{"message": "Resource not accessible"}`, []string{"X-Accepted-OAuth-Scopes: repo", "X-OAuth-Scopes: gist"}, github.ErrAuth,
			`not authorised: HTTP status 403: "Resource not accessible": the token from GITHUB_TOKEN may not read it; it needs one of the scopes repo and has "gist"`},
		{"permission", token, 403, `{"message": "Resource not accessible by personal access token"}`, []string{"X-Accepted-GitHub-Permissions: issues=read", "X-RateLimit-Remaining: 4999"}, github.ErrAuth,
			`not authorised: HTTP status 403: "Resource not accessible by personal access token": the token from GITHUB_TOKEN may not read it; it needs the permission issues=read`},
		{"single sign-on", token, 403, `{"message": "Resource protected by organization SAML enforcement."}`, []string{"X-GitHub-SSO: required; url=https://github.com/orgs/x/sso?authorization_request=AAA"}, github.ErrAuth,
			`not authorised: HTTP status 403: "Resource protected by organization SAML enforcement.": the token from GITHUB_TOKEN may not read it; authorise it for the organisation's single sign-on`},
		{"forbidden", github.Config{}, 403, `<html>`, nil, github.ErrAuth,
			`not authorised: HTTP status 403: "Forbidden": it cannot be read without a token: set GH_TOKEN`},
		{"private", github.Config{}, 404, `{"message": "Not Found"}`, nil, github.ErrNotFound,
			`not found: HTTP status 404: "Not Found": it does not exist, or its repository is private and needs a token: set GH_TOKEN`},
		{"unseen", token, 404, `{"message": "Not Found"}`, nil, github.ErrNotFound,
			`not found: HTTP status 404: "Not Found": it does not exist, or the token from GITHUB_TOKEN may not see it: a classic token needs the scope repo, a fine-grained one read access to issues, pull requests and contents of this repository`},
		{"deleted", github.Config{}, 410, `{"message": "This issue was deleted"}`, nil, github.ErrGone,
			`gone: HTTP status 410: "This issue was deleted": it was deleted, or its repository has issues switched off`},
		{"blocked", github.Config{}, 451, `{"message": "Repository access blocked"}`, nil, github.ErrBlocked,
			`withheld for legal reasons: HTTP status 451: "Repository access blocked": GitHub has taken the repository down`},
		{"other", github.Config{}, 422, `{"message": "A\u001b[31m\nB` + strings.Repeat("x", 400) + `"}`, nil, nil,
			`HTTP status 422: "A [31m B` + strings.Repeat("x", 292) + `…": GitHub did not take the request`},
		{"unasked 304", github.Config{}, 304, ``, nil, github.ErrUnavailable,
			`GitHub is not available: HTTP status 304: a redirect without an address`},
		{"other form", github.Config{}, 200, `{"number": "seven"}`, nil, github.ErrUnavailable,
			`GitHub is not available: "json: cannot unmarshal string into Go struct field Issue.number of type int": the answer has another form than GitHub documents`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.on(issue7, reply(tt.status, tt.body, tt.headers...))
			at := target(github.KindIssue)
			at.Repo.Host = tt.cfg.Host
			_, err := f.new(tt.cfg).Resolve(t.Context(), at)
			if want := "read " + at.String() + ": " + tt.want; message(err) != want {
				t.Errorf("error\n%s\nwant\n%s", message(err), want)
			}
			var e *github.Error
			if !errors.As(err, &e) || e.Err != tt.is {
				t.Errorf("error %#v, want %v in it", err, tt.is)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	const self = "Location: http://127.0.0.1/repos/o/r/issues/7"
	for _, tt := range []struct {
		location []string
		times    int
		is       error
		want     string
	}{
		{[]string{"Location: https://evil.example/?t=1"}, 1, github.ErrHost, `another host: HTTP status 301: "evil.example": a redirect away from the API's host is not followed`},
		{[]string{"Location: https://127.0.0.1/x"}, 1, github.ErrHost, `another host: HTTP status 301: "127.0.0.1": a redirect away from the API's host is not followed`},
		{[]string{"Location: http://127.0.0.1:81/x"}, 1, github.ErrHost, `another host: HTTP status 301: "127.0.0.1": a redirect away from the API's host is not followed`},
		{[]string{"Location: http://u@127.0.0.1/x"}, 1, github.ErrHost, `another host: HTTP status 301: "127.0.0.1": a redirect away from the API's host is not followed`},
		{nil, 1, github.ErrUnavailable, `GitHub is not available: HTTP status 301: a redirect without an address`},
		{[]string{self}, 4, github.ErrUnavailable, `GitHub is not available: more than 3 redirects`},
	} {
		f := newFake(t)
		for range tt.times {
			f.on(issue7, reply(301, `{}`, tt.location...))
		}
		_, err := f.new(github.Config{}).Resolve(t.Context(), target(github.KindIssue))
		if want := "read github.com/o/r/issues/7: " + tt.want; message(err) != want || !errors.Is(err, tt.is) {
			t.Errorf("to %v: error\n%s\nwant\n%s", tt.location, message(err), want)
		}
	}
}

func TestAnswersAreBounded(t *testing.T) {
	f := newFake(t)
	f.on(issue7, ok(bare+strings.Repeat(" ", 1000)))
	_, err := f.new(github.Config{MaxBody: 500}).Resolve(t.Context(), target(github.KindIssue))
	want := `read github.com/o/r/issues/7: too large: HTTP status 200: an answer may have 500 bytes, all answers together 268435456`
	if message(err) != want || !errors.Is(err, github.ErrTooLarge) {
		t.Errorf("error %q, want %q", message(err), want)
	}
	f.on(issue7, ok(bare))
	f.on(comments7, ok(`[{"id": 1}]`+strings.Repeat(" ", 489), next("/c", 2)))
	f.on("/repos/o/r/issues/7/comments?page=2&per_page=100", ok(`[{"id": 2}]`+strings.Repeat(" ", 489)))
	f.on(timeline7, ok(`[]`))
	i, err := f.new(github.Config{MaxBytes: 1000}).Issue(t.Context(), target(github.KindIssue))
	if err != nil || len(i.Comments) != 1 || len(i.Incomplete) != 2 || !strings.Contains(i.Incomplete[0], "the comments of github.com/o/r/issues/7: too large") {
		t.Errorf("%d comments, %q, %v", len(i.Comments), i.Incomplete, err)
	}
}

func TestNew(t *testing.T) {
	for _, tt := range []struct {
		cfg  github.Config
		want string
	}{
		{github.Config{}, ""},
		{github.Config{Host: "octo.ghe.com", API: "https://proxy.corp.example/github"}, ""},
		{github.Config{API: "http://localhost:1"}, ""},
		{github.Config{Host: "ho st"}, `github client: Host: "ho st" is not a host name`},
		{github.Config{API: "http://api.github.com"}, `github client: API: "http://api.github.com" is not https; a token would cross the network in the clear`},
		{github.Config{API: "https://me:pw@api.github.com"}, `github client: API: "https://…@api.github.com" is not the base of an API`},
		{github.Config{API: "nowhere"}, `github client: API: "nowhere" is not the base of an API`},
	} {
		if _, err := github.New(tt.cfg); message(err) != tt.want {
			t.Errorf("New(%+v): %q, want %q", tt.cfg, message(err), tt.want)
		}
	}
}

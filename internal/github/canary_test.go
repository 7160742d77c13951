package github_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/repomind/repomind/internal/github"
)

// echo answers with the header of the request in body, message and headers, and the
// token in base64 as well.
func echo(status int, more ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		auth := r.Header.Get("Authorization")
		basic := ""
		for _, user := range []string{"", "a", "ab", "x-access-token:"} {
			basic += " " + base64.StdEncoding.EncodeToString([]byte(user+canary))
		}
		body := fmt.Sprintf(`{"number": 7, "title": "T", "html_url": "https://github.com/o/r/issues/7", "message": %q, "documentation_url": %q}`, auth+" "+basic, auth)
		reply(status, body, append(more, "X-Echo: "+auth, "X-OAuth-Scopes: "+auth, "X-Accepted-OAuth-Scopes: "+basic, `ETag: "`+auth+`"`)...)(w, r)
	}
}

// A token is in no error, no notice and no file, whatever a server or a network
// makes of it.
func TestCanary(t *testing.T) {
	bad := func(r *http.Request) error { return fmt.Errorf("proxy says %v to %s", r.Header, canary) }
	for name, tt := range map[string]struct {
		answers   []http.HandlerFunc
		transport http.RoundTripper
		fails     bool
	}{
		"sent":        {answers: []http.HandlerFunc{authorized(t)}},
		"echoed":      {answers: []http.HandlerFunc{echo(200)}},
		"only ETag":   {answers: []http.HandlerFunc{ok(bare, `ETag: "`+canary+`"`)}},
		"500":         {answers: []http.HandlerFunc{echo(500), echo(502), echo(503)}, fails: true},
		"401":         {answers: []http.HandlerFunc{echo(401)}, fails: true},
		"403":         {answers: []http.HandlerFunc{echo(403, "X-Accepted-GitHub-Permissions: "+canary)}, fails: true},
		"404":         {answers: []http.HandlerFunc{echo(404)}, fails: true},
		"410":         {answers: []http.HandlerFunc{echo(410)}, fails: true},
		"422":         {answers: []http.HandlerFunc{echo(422)}, fails: true},
		"451":         {answers: []http.HandlerFunc{echo(451)}, fails: true},
		"429":         {answers: []http.HandlerFunc{echo(429, "Retry-After: 1"), echo(429, "Retry-After: 9999")}, fails: true},
		"half":        {answers: []http.HandlerFunc{ok(canary), ok(canary), ok(canary)}, fails: true},
		"other form":  {answers: []http.HandlerFunc{ok(`{"number": "` + canary + `"}`)}, fails: true},
		"other time":  {answers: []http.HandlerFunc{ok(`{"created_at": "` + canary + `"}`)}, fails: true},
		"address":     {answers: []http.HandlerFunc{ok(`{"html_url": "https://` + canary + `/"}`)}, fails: true},
		"away":        {answers: []http.HandlerFunc{echo(301, "Location: https://evil.example/?token="+canary)}, fails: true},
		"away by":     {answers: []http.HandlerFunc{echo(302, "Location: https://"+canary+".evil.example/")}, fails: true},
		"away to":     {answers: []http.HandlerFunc{echo(302, "Location: https://"+canary+"@127.0.0.1/")}, fails: true},
		"bad address": {answers: []http.HandlerFunc{echo(307, "Location: http://[::1/"+canary)}, fails: true},
		"network":     {transport: wire(func(r *http.Request) (*http.Response, error) { return nil, bad(r) }), fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(t)
				if tt.answers != nil {
					f.on(issue7, tt.answers...)
				}
				dir := t.TempDir()
				var told waits
				c := f.new(github.Config{Token: github.NewToken(canary, "GH_TOKEN"), CacheDir: dir, Notify: told.add, Transport: tt.transport})
				_, err := c.Resolve(t.Context(), target(github.KindIssue))
				if (err != nil) != tt.fails {
					t.Fatalf("error %v", err)
				}
				for ; err != nil; err = errors.Unwrap(err) {
					clean(t, "error", fmt.Sprintf("%v\n%+v\n%#v", err, err, err))
				}
				for _, s := range told {
					clean(t, "notice", s)
				}
				for _, file := range files(t, dir) {
					data, err := os.ReadFile(filepath.Join(dir, file))
					if err != nil {
						t.Fatal(err)
					}
					clean(t, "file", file+string(data))
				}
				clean(t, "client", fmt.Sprintf("%+v %#v %+v", c, c, *c))
			})
		})
	}
}

func authorized(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != "Bearer "+canary {
			t.Errorf("Authorization is %q", got)
		}
		ok(bare, `ETag: "1"`)(w, r)
	}
}

func clean(t *testing.T, what, s string) {
	t.Helper()
	if how := leaks(s); how != "" {
		t.Errorf("the %s shows the token, %s: %s", what, how, s)
	}
}

func TestLeaksFindsTheCanary(t *testing.T) {
	for _, s := range []string{canary, "x" + canary, base64.StdEncoding.EncodeToString([]byte("x-access-token:" + canary)), base64.URLEncoding.EncodeToString([]byte("ab" + canary))} {
		if leaks(s) == "" {
			t.Errorf("nothing found in %s", s)
		}
	}
	if how := leaks("nothing"); how != "" {
		t.Error(how)
	}
}

// The token goes to the API of the client's host and to nothing else, and there is
// no request but a GET.
func TestRequestsGoToTheAPIOfTheHost(t *testing.T) {
	for host, want := range map[string]string{
		"":                      "https://api.github.com/repos/o/r/issues/7",
		"octo.ghe.com":          "https://api.octo.ghe.com/repos/o/r/issues/7",
		"git.corp.example":      "https://git.corp.example/api/v3/repos/o/r/issues/7",
		"git.corp.example:8443": "https://git.corp.example:8443/api/v3/repos/o/r/issues/7",
	} {
		var asked []string
		c, err := github.New(github.Config{Host: host, Token: github.NewToken(canary, "GH_TOKEN"), Transport: wire(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization"))
			return &http.Response{StatusCode: 404, Header: http.Header{}, Body: http.NoBody}, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		at := target(github.KindIssue)
		at.Repo.Host = host
		if _, err := c.Resolve(t.Context(), at); !errors.Is(err, github.ErrNotFound) {
			t.Errorf("error %v", err)
		}
		if len(asked) != 1 || asked[0] != "GET "+want+" Bearer "+canary {
			t.Errorf("host %q was asked %q, want %q", host, asked, want)
		}
	}
}

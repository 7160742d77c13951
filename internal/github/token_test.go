package github_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
)

const canary = "ghp_CanaryCanary0123456789"

// leaks says how a text gives the canary away.
func leaks(s string) string {
	if strings.Contains(s, canary) {
		return "plain"
	}
	for _, user := range []string{"", "a", "ab", "x-access-token:"} {
		enc := base64.StdEncoding.EncodeToString([]byte(user + canary))
		if core := enc[(len(user)*8+5)/6+1 : len(enc)-5]; strings.Contains(s, core) {
			return "in base64 behind " + user
		}
	}
	return ""
}

func TestTokenIsNotShown(t *testing.T) {
	token := github.NewToken(canary, "GH_TOKEN")
	holder := struct {
		Token  github.Token
		hidden github.Token
	}{token, token}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "token", token, "holder", holder)
	stored, err := json.Marshal(map[string]any{"t": token, "c": github.Config{Token: token}.Token})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{log.String(), string(stored), token.String(), token.GoString(), fmt.Sprint(token, &token, holder, &holder)}
	for _, verb := range strings.Fields("%v %+v %#v %s %q %x %d") {
		texts = append(texts, fmt.Sprintf(verb, token), fmt.Sprintf(verb, holder), fmt.Sprintf(verb, github.Config{Token: token}))
	}
	for _, s := range texts {
		if how := leaks(s); how != "" {
			t.Errorf("%s: %s", how, s)
		}
		if !strings.Contains(s, "[redacted]") {
			t.Errorf("no mark in %s", s)
		}
	}
	if got := token.LogValue().String(); got != "[redacted]" {
		t.Errorf("logged as %s", got)
	}
	if token.Reveal() != canary || token.Source() != "GH_TOKEN" || token.IsZero() || !(github.Token{}).IsZero() {
		t.Error("the token is not what it was made of")
	}
}

func TestFindToken(t *testing.T) {
	all := map[string]string{"GH_TOKEN": "a", "GITHUB_TOKEN": "b", "GH_ENTERPRISE_TOKEN": "c", "GITHUB_ENTERPRISE_TOKEN": "d", "GH_HOST": "git.corp.example"}
	for _, tt := range []struct {
		host          string
		env           map[string]string
		token, source string
	}{
		{"github.com", all, "a", "GH_TOKEN"},
		{"octo.ghe.com", all, "a", "GH_TOKEN"},
		{"github.com", map[string]string{"GH_TOKEN": " ", "GITHUB_TOKEN": " b\n"}, "b", "GITHUB_TOKEN"},
		{"git.corp.example", all, "c", "GH_ENTERPRISE_TOKEN"},
		{"git.corp.example", map[string]string{"GH_HOST": "git.corp.example", "GITHUB_ENTERPRISE_TOKEN": "d"}, "d", "GITHUB_ENTERPRISE_TOKEN"},
		{"other.example", all, "", ""},
		{"git.corp.example.evil.example", all, "", ""},
		{"github.com", nil, "from gh for github.com", "gh auth token"},
		{"git.corp.example", map[string]string{"GH_HOST": "git.corp.example", "GH_TOKEN": "a"}, "from gh for git.corp.example", "gh auth token"},
	} {
		got, err := github.FindToken(t.Context(), tt.host, func(k string) string { return tt.env[k] }, func(_ context.Context, args ...string) ([]byte, error) {
			if diff := cmp.Diff([]string{"auth", "token", "--hostname", tt.host}, args); diff != "" {
				t.Error(diff)
			}
			return []byte(strings.ReplaceAll("from gh for "+tt.host+"\n", " ", "_")), nil
		})
		if err != nil || got.Reveal() != strings.ReplaceAll(tt.token, " ", "_") || got.Source() != tt.source {
			t.Errorf("%s: %q from %q, %v; want %q from %q", tt.host, got.Reveal(), got.Source(), err, tt.token, tt.source)
		}
	}
}

func TestFindTokenWithoutOne(t *testing.T) {
	none := func(string) string { return "" }
	for name, gh := range map[string]func(context.Context, ...string) ([]byte, error){
		"no gh":         nil,
		"not logged in": func(context.Context, ...string) ([]byte, error) { return nil, errors.New("exit status 1") },
		"empty":         func(context.Context, ...string) ([]byte, error) { return []byte("\n"), nil },
	} {
		if got, err := github.FindToken(t.Context(), "github.com", none, gh); !got.IsZero() || err != nil {
			t.Errorf("%s: %q, %v", name, got.Reveal(), err)
		}
	}
	_, err := github.FindToken(t.Context(), "github.com", func(string) string { return "two\nlines" }, nil)
	want := "not authorised: the value of GH_TOKEN is not a token: it is too long or holds spaces or control characters"
	if message(err) != want || !errors.Is(err, github.ErrAuth) {
		t.Errorf("error %q, want %q", message(err), want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := github.FindToken(ctx, "github.com", none, func(context.Context, ...string) ([]byte, error) { return nil, errors.New("killed") }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

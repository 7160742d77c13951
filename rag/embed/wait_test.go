package embed_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/embed"
)

// script is a transport that answers without a network, so that time can be the
// test's own. It notes when it was asked.
type script struct {
	start   time.Time
	answers []*http.Response
	asked   []time.Duration
}

func (s *script) RoundTrip(*http.Request) (*http.Response, error) {
	s.asked = append(s.asked, time.Since(s.start))
	a := s.answers[0]
	s.answers = s.answers[1:]
	return a, nil
}

func answer(status int, retryAfter, body string) *http.Response {
	h := http.Header{}
	if retryAfter != "" {
		h.Set("Retry-After", retryAfter)
	}
	u, _ := http.NewRequest(http.MethodPost, "http://x/api/embed", nil)
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: u}
}

func TestWaitsGrowAndFollowTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{start: time.Now(), answers: []*http.Response{
			answer(500, "", ""), answer(429, "7", ""), answer(503, "9999", ""), answer(503, "soon", ""), answer(200, "", `{"embeddings":[[1]]}`),
		}}
		r := embed.Remote{URL: "http://x", Transport: s, Attempts: 5}
		if _, err := embed.Ollama(r).Encode(t.Context(), []string{"a"}); err != nil {
			t.Fatal(err)
		}
		want := []time.Duration{0, 500 * time.Millisecond, 7500 * time.Millisecond, 67500 * time.Millisecond, 71500 * time.Millisecond}
		if d := cmp.Diff(want, s.asked); d != "" {
			t.Error(d)
		}
	})
}

// TestOneAttemptIsBounded has a server that never answers.
func TestOneAttemptIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := embed.Remote{URL: "http://x", Transport: silent{}, Attempts: 2, Timeout: 10 * time.Second}
		if _, err := embed.Ollama(r).Encode(t.Context(), []string{"a"}); err == nil {
			t.Fatal("no error")
		}
		if took := time.Since(start); took != 20500*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

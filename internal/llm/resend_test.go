package llm_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/repomind/repomind/internal/llm"
)

// TestNoSilentResend has a server that takes a request and dies of it, on a connection
// that was good before. net/http would send it again, and pay twice, unseen.
func TestNoSilentResend(t *testing.T) {
	var taken atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if taken.Add(1) == 1 {
			io.WriteString(w, `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`)
			return
		}
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	m, err := llm.Open(llm.Config{Provider: "compatible", Model: "m", BaseURL: server.URL, Transport: &http.Transport{}})
	if err != nil {
		t.Fatal(err)
	}
	req := ask("x")
	req.Key = "k"
	if _, err := m.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	resp, err := m.Generate(t.Context(), req)
	if !errors.Is(err, llm.ErrUnavailable) || taken.Load() != 2 || resp.Usage.Calls != 1 {
		t.Errorf("%d requests came, it gives %v, usage %s", taken.Load(), err, resp.Usage)
	}
}

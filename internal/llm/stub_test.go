package llm_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
)

// roundTrip is a transport without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(r *http.Request, body string) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

// heardBy is a transport that reads the body of a request into a value, and answers
// as Anthropic does.
func heardBy(t *testing.T, body any) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		if err := json.NewDecoder(r.Body).Decode(body); err != nil {
			t.Error(err)
		}
		return answer(r, `{"type":"message","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn"}`), nil
	}
}

// modelFunc is a model that is one function.
type modelFunc func(context.Context, llm.Request) (llm.Response, error)

func (f modelFunc) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	return f(ctx, req)
}

func ask(text string) llm.Request { return llm.Request{Messages: []llm.Message{llm.User(text)}} }

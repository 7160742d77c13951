package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/internal/llm"
)

// Open gives the model under test for a server's address, with the key [TestKey].
type Open func(t testing.TB, url string) llm.Model

// TestKey is the key that a model under test must have, and must never show.
const TestKey = "sk-test-canary-0123456789"

// Conformance checks that a provider behaves as all others do: the same conversation
// gives the same transcript and usage, and each fault the same kind of error.
func Conformance(t *testing.T, wire Wire, open Open) {
	s := suite{wire, open}
	for _, stream := range []bool{false, true} {
		name := "whole"
		if stream {
			name = "stream"
		}
		t.Run(name, func(t *testing.T) {
			t.Run("conversation", func(t *testing.T) { s.conversation(t, stream) })
			t.Run("stops", func(t *testing.T) { s.stops(t, stream) })
			t.Run("refusals", func(t *testing.T) { s.refusals(t, stream) })
			t.Run("faults", func(t *testing.T) { s.faults(t, stream) })
			t.Run("decode", func(t *testing.T) { s.decode(t, stream) })
			t.Run("no usage", func(t *testing.T) { s.noUsage(t, stream) })
			t.Run("texts", func(t *testing.T) { s.texts(t, stream) })
			t.Run("no calls", func(t *testing.T) { s.noCalls(t, stream) })
			t.Run("no calls refused", func(t *testing.T) { s.noCallsRefused(t, stream) })
			t.Run("long texts", func(t *testing.T) { s.longTexts(t, stream) })
			t.Run("thoughts", func(t *testing.T) { s.thoughts(t, stream) })
			t.Run("cache", func(t *testing.T) { s.cache(t, stream) })
			t.Run("key", func(t *testing.T) { s.key(t, stream) })
			t.Run("cancel", func(t *testing.T) { s.cancel(t, stream) })
		})
	}
}

type suite struct {
	wire Wire
	open Open
}

// streamed adds a place for the text of a stream to a request.
func streamed(req llm.Request, stream bool) (llm.Request, *strings.Builder) {
	var got strings.Builder
	if stream {
		req.Stream = func(delta string) { got.WriteString(delta) }
	}
	return req, &got
}

var grep = llm.Tool{Name: "grep", Description: "Finds lines.", Schema: json.RawMessage(
	`{"type":"object","properties":{"in":{"type":"string","enum":["code","docs"]},"q":{"type":"string"}},"required":["q"]}`)}

const (
	firstText  = "Ich suche – 我在找 <b>&</b> \"both\"\n"
	secondText = "Found it: a.go:3, and again in b.go:14."
)

// conversation is two calls at once, their results, and an answer.
func (s suite) conversation(t *testing.T, stream bool) {
	calls := []llm.ToolCall{
		{ID: "call_1", Name: "grep", Args: json.RawMessage(`{"in":"code","q":"a <b> && \"c\""}`)},
		{ID: "call_2", Name: "grep", Args: json.RawMessage(`{"n":12345678901234,"q":"日本"}`)},
	}
	server := NewServer(t, s.wire,
		Turn{Text: firstText, Calls: calls, Input: 1200, Cached: s.cached(1000), Output: 34},
		Turn{Text: secondText, Input: 1300, Cached: s.cached(1200), Output: 12})
	model := s.open(t, server.URL)
	req, got := streamed(llm.Request{
		Messages: []llm.Message{
			llm.System("Be brief."), llm.System("Quote."),
			llm.User("Where?", llm.Image{MIME: "image/png", Data: []byte("PNG")}),
		},
		Tools: []llm.Tool{grep},
	}, stream)
	first := generate(t, model, req)
	same(t, "first response", first, llm.Response{Text: firstText, Calls: calls, Stop: llm.StopTools, Usage: llm.Usage{Calls: 1, Input: 1200, Cached: s.cached(1000), Output: 34}})
	req.Messages = append(req.Messages, first.Message(), llm.Results(
		llm.ToolResult{ID: first.Calls[0].ID, Name: "grep", Text: "a.go:3: one"},
		llm.ToolResult{ID: first.Calls[1].ID, Name: "grep", Text: "b.go:14: two"}))
	second := generate(t, model, req)
	same(t, "second response", second, llm.Response{Text: secondText, Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: 1300, Cached: s.cached(1200), Output: 12}})
	if stream && got.String() != firstText+secondText {
		t.Errorf("streamed %q", got)
	}
	s.transcript(t, server)
}

func (s suite) transcript(t *testing.T, server *Server) {
	t.Helper()
	want := []string{
		"system says Be brief.\n\nQuote.",
		"user says Where?",
		"user says [image/png UE5H]",
		"assistant says " + firstText,
		`assistant calls grep {"in":"code","q":"a <b> && \"c\""}`,
		`assistant calls grep {"n":12345678901234,"q":"日本"}`,
		"tool says a.go:3: one",
		"tool says b.go:14: two",
	}
	heard := server.Heard()
	for i, said := range [][]string{want[:3], want} {
		plain := cmp.Transformer("plain", func(s string) string {
			return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(s)
		})
		if diff := cmp.Diff(said, heard[i].Said, plain); diff != "" {
			t.Errorf("request %d says (-want +got):\n%s", i+1, diff)
		}
		if diff := cmp.Diff([]string{"grep " + string(grep.Schema)}, heard[i].Tools); diff != "" {
			t.Errorf("request %d has tools (-want +got):\n%s", i+1, diff)
		}
	}
}

// cached is 0 for Ollama, whose API does not tell.
func (s suite) cached(n int) int {
	if s.wire == Ollama {
		return 0
	}
	return n
}

func generate(t *testing.T, m llm.Model, req llm.Request) llm.Response {
	t.Helper()
	resp, err := m.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := json.Marshal(resp); err != nil {
		t.Errorf("the response cannot be stored: %v", err)
	}
	return resp
}

// same leaves out the name and the price, which differ.
func same(t *testing.T, what string, got, want llm.Response) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(llm.Response{}, "Model"), cmpopts.IgnoreFields(llm.Usage{}, "Cost"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func (s suite) stops(t *testing.T, stream bool) {
	for _, stop := range []llm.Stop{llm.StopEnd, llm.StopLength, llm.StopFilter} {
		server := NewServer(t, s.wire, Turn{Text: `{"list": [1, 2`, Stop: stop, Input: 10, Output: 50})
		req, _ := streamed(llm.Request{Messages: []llm.Message{llm.User("list")}, MaxTokens: 51}, stream)
		if stop == llm.StopLength {
			req.MaxTokens = 50
		}
		got := generate(t, s.open(t, server.URL), req)
		if got.Stop != stop {
			t.Errorf("stop %q is read as %q", stop, got.Stop)
		}
	}
}

func (s suite) decode(t *testing.T, stream bool) {
	server := NewServer(t, s.wire, Turn{Text: `{"n": 3}`, Input: 10, Output: 5})
	req, _ := streamed(llm.Request{Messages: []llm.Message{llm.User("how many?")}}, stream)
	got, resp, err := llm.Decode[struct {
		N int `json:"n"`
	}](t.Context(), s.open(t, server.URL), req)
	if err != nil || got.N != 3 {
		t.Errorf("decoded %+v, %v", got, err)
	}
	if resp.Usage.Calls != 1 || resp.Usage.Input != 10 || resp.Stop != llm.StopEnd || len(resp.Calls) != 0 {
		t.Errorf("the response is %+v", resp)
	}
}

func (s suite) noUsage(t *testing.T, stream bool) {
	server := NewServer(t, s.wire, Turn{Text: strings.Repeat("four", 25), NoUsage: true})
	req, _ := streamed(llm.Request{Messages: []llm.Message{llm.User("say something")}}, stream)
	u := generate(t, s.open(t, server.URL), req).Usage
	if u.Input != llm.Estimate(req) || u.Output != 25 || u.Estimated != 1 || u.Cost.Status == llm.CostKnown {
		t.Errorf("without numbers of the provider the usage is %+v", u)
	}
}

func (s suite) cancel(t *testing.T, stream bool) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped by a person")
	server := NewServer(t, s.wire, Turn{Hang: true, Arrived: func() { cancel(stopped) }})
	req, _ := streamed(llm.Request{Messages: []llm.Message{llm.User("wait")}}, stream)
	if _, err := s.open(t, server.URL).Generate(ctx, req); !errors.Is(err, stopped) {
		t.Errorf("a call that was stopped gives %v", err)
	}
}

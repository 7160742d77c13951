package llmtest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

// observed is a test that notes its failures.
type observed struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (o *observed) Helper()                   {}
func (o *observed) Cleanup(f func())          { o.cleanups = append(o.cleanups, f) }
func (o *observed) Error(args ...any)         { o.failures = append(o.failures, fmt.Sprint(args...)) }
func (o *observed) Errorf(f string, a ...any) { o.failures = append(o.failures, fmt.Sprintf(f, a...)) }

func (o *observed) end() []string {
	for _, f := range o.cleanups {
		f()
	}
	return o.failures
}

func ask(text string) llm.Request { return llm.Request{Messages: []llm.Message{llm.User(text)}} }

func TestScript(t *testing.T) {
	down := errors.New("down")
	s := llmtest.Script(t, llmtest.Say("abcde"), llmtest.Call("grep", `{"q":"x"}`), llmtest.Fail(down), llmtest.Reply{Stop: llm.StopLength, Usage: llm.Usage{Calls: 1, Output: 9}})
	var streamed string
	req := ask("x")
	req.Stream = func(s string) { streamed += s }
	var got []llm.Response
	for i := range 4 {
		resp, err := s.Generate(t.Context(), req)
		if (i == 2) != errors.Is(err, down) {
			t.Errorf("reply %d gives %v", i, err)
		}
		got = append(got, resp)
	}
	in := llm.Estimate(req)
	want := []llm.Response{
		{Model: "test/script", Text: "abcde", Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: in, Output: 2}},
		{Model: "test/script", Calls: []llm.ToolCall{{ID: "call_grep", Name: "grep", Args: []byte(`{"q":"x"}`)}}, Stop: llm.StopTools, Usage: llm.Usage{Calls: 1, Input: in}},
		{Model: "test/script", Usage: llm.Usage{Calls: 1, Failed: 1, Input: in}},
		{Model: "test/script", Stop: llm.StopLength, Usage: llm.Usage{Calls: 1, Output: 9}},
	}
	if diff := cmp.Diff(want, got); diff != "" || streamed != "abcde" || len(s.Requests()) != 4 {
		t.Errorf("streamed %q, %d requests; responses (-want +got):\n%s", streamed, len(s.Requests()), diff)
	}
}

func TestScriptFails(t *testing.T) {
	for name, tt := range map[string]struct {
		calls int
		want  []string
	}{
		"exact":    {2, nil},
		"unused":   {1, []string{`the scripted model has 1 of 2 replies left; the next is "b"`}},
		"too many": {3, []string{`the scripted model has no reply left for request 3, which ends: user "hello"`}},
	} {
		o := &observed{}
		s := llmtest.Script(o, llmtest.Say("a"), llmtest.Say("b"))
		for i := range tt.calls {
			if _, err := s.Generate(t.Context(), ask("hello")); (err != nil) != (i == 2) {
				t.Errorf("%s: call %d gives %v", name, i, err)
			}
		}
		if diff := cmp.Diff(tt.want, o.end()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestScriptChecks(t *testing.T) {
	o := &observed{}
	s := llmtest.Script(o, llmtest.Reply{Check: llmtest.Holds("hell", `a "quote"`)})
	if _, err := s.Generate(t.Context(), ask("hello")); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{`request 1: "a \"quote\"" is not in it`}, o.end()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScriptStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := llmtest.Script(t).Generate(ctx, ask("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call gives %v", err)
	}
}

// TestServerFails shows that the stub is strict: each request is one that the real
// API refuses.
// TestScriptNoCalls drops calls that nobody wants, as all models do.
func TestScriptNoCalls(t *testing.T) {
	call := llmtest.Call("grep", `{}`)
	call.Text = "Look."
	stopped, cut := call, call
	stopped.Stop, cut.Stop = llm.StopTools, llm.StopLength
	s := llmtest.Script(t, call, stopped, cut)
	req := ask("x")
	req.NoCalls = true
	for _, stop := range []llm.Stop{llm.StopEnd, llm.StopEnd, llm.StopLength} {
		if got, err := s.Generate(t.Context(), req); err != nil || got.Calls != nil || got.Stop != stop || got.Text != "Look." {
			t.Errorf("it gives %+v, %v; want the stop %q", got, err, stop)
		}
	}
}

func TestServerFails(t *testing.T) {
	for name, tt := range map[string]struct {
		wire       llmtest.Wire
		path, body string
	}{
		"no result":       {llmtest.OpenAI, "/v1/chat/completions", `{"model":"m","max_tokens":1,"messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"arguments":"{}"}}]},{"role":"user","content":"x"}]}`},
		"another part":    {llmtest.OpenAI, "/v1/chat/completions", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"binary"}]}]}`},
		"two users":       {llmtest.Anthropic, "/v1/messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"x"}]},{"role":"user","content":[{"type":"text","text":"x"}]}]}`},
		"lost call":       {llmtest.Anthropic, "/v1/messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1"}]}]}`},
		"too few results": {llmtest.Gemini, "/v1/models/m:generateContent", `{"generationConfig":{"maxOutputTokens":1},"contents":[{"role":"model","parts":[{"functionCall":{"name":"f"}},{"functionCall":{"name":"f"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f"}}]}]}`},
	} {
		o := &observed{}
		status := post(t, llmtest.NewServer(o, tt.wire), tt.path, tt.body)
		if failures := o.end(); status != 400 || len(failures) != 1 {
			t.Errorf("%s: status %d, failures %q", name, status, failures)
		}
	}
}

func TestServerUnused(t *testing.T) {
	o := &observed{}
	llmtest.NewServer(o, llmtest.OpenAI, llmtest.Turn{Text: "a"})
	if diff := cmp.Diff([]string{"the server has 1 of 1 turns left"}, o.end()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package llmtest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
)

// longTexts are those of a real prompt: they must arrive as they are.
func (s suite) longTexts(t *testing.T, stream bool) {
	long := func(name string) string {
		return name + strings.Repeat(" \"<b>\" & \\ \u2028 日本 – 😀\n\t\x00", 500) + name
	}
	server := NewServer(t, s.wire, Turn{Text: long("answer"), Input: 10, Output: 5})
	args, err := json.Marshal(map[string]string{"q": long("args")})
	if err != nil {
		t.Fatal(err)
	}
	req, _ := streamed(llm.Request{MaxTokens: 100, Messages: []llm.Message{
		llm.System(long("system")), llm.User(long("user")),
		{Role: llm.RoleAssistant, Parts: []llm.Part{{Text: long("assistant")}, {Call: &llm.ToolCall{ID: "1", Name: "grep", Args: args}}}},
		llm.Results(llm.ToolResult{ID: "1", Name: "grep", Text: long("result")}),
		llm.User("short"),
	}, Tools: []llm.Tool{grep}}, stream)
	got := generate(t, s.open(t, server.URL), req)
	if got.Text != long("answer") {
		t.Errorf("the answer differs: %.80q", got.Text)
	}
	said := server.Heard()[0].Said
	for i, want := range []string{"system says " + long("system"), "user says " + long("user"), "assistant says " + long("assistant"), "", "tool says " + long("result")} {
		if want != "" && said[i] != want {
			t.Errorf("line %d is %.80q, want %.80q", i+1, said[i], want)
		}
	}
	var back map[string]string
	line := strings.TrimPrefix(said[3], "assistant calls grep ")
	if err := json.Unmarshal([]byte(line), &back); err != nil || back["q"] != long("args") {
		t.Errorf("the arguments are %.80q, %v", line, err)
	}
}

// thoughts come before a call, are no part of the text, and go back with the call to
// a provider that wants them: some refuse a conversation without.
func (s suite) thoughts(t *testing.T, stream bool) {
	call := llm.ToolCall{ID: "call_1", Name: "grep", Args: json.RawMessage(`{"q":"x"}`)}
	server := NewServer(t, s.wire,
		Turn{Thought: "Hm, <b>\nwhere?", Text: "Look.", Calls: []llm.ToolCall{call}, Input: 10, Output: 5},
		Turn{Thought: "So.", Text: "Here.", Input: 10, Output: 5})
	model := s.open(t, server.URL)
	req, got := streamed(llm.Request{Messages: []llm.Message{llm.User("Where?")}, Tools: []llm.Tool{grep}, MaxTokens: 100}, stream)
	first := generate(t, model, req)
	req.Messages = append(req.Messages, first.Message(), llm.Results(llm.ToolResult{ID: first.Calls[0].ID, Name: "grep", Text: "a.go"}))
	second := generate(t, model, req)
	if first.Text != "Look." || second.Text != "Here." || stream && got.String() != "Look.Here." {
		t.Errorf("the texts are %q and %q, streamed %q", first.Text, second.Text, got)
	}
	want := []string{"user says Where?", "assistant thinks Hm, <b>\nwhere?", "assistant says Look.", `assistant calls grep {"q":"x"}`, "tool says a.go"}
	if s.wire == Gemini || s.wire == Ollama {
		want = append(want[:1], want[2:]...)
	}
	if diff := cmp.Diff(want, server.Heard()[1].Said); diff != "" {
		t.Errorf("the second request says (-want +got):\n%s", diff)
	}
}

// cache shows where a request is marked, with the provider that wants marks, and that
// what the cache took and gave is counted apart.
func (s suite) cache(t *testing.T, stream bool) {
	if s.wire != Anthropic {
		return // the others cache by themselves
	}
	call := llm.ToolCall{ID: "call_1", Name: "grep", Args: json.RawMessage(`{"q":"x"}`)}
	turn := Turn{Text: "a", Input: 1000, Cached: 600, Written: 300, Output: 5}
	server := NewServer(t, s.wire, turn, turn, turn, turn)
	model := s.open(t, server.URL)
	alone := llm.Request{Messages: []llm.Message{llm.System("Be brief."), llm.User("Where?")}, MaxTokens: 100}
	step := alone
	step.Tools = []llm.Tool{grep}
	later := step
	later.Messages = append(later.Messages[:2:2], llm.Message{Role: llm.RoleAssistant, Parts: []llm.Part{{Call: &call}}}, llm.Results(llm.ToolResult{ID: "call_1", Text: "a.go"}))
	end := later // its tool_choice is another, so that nothing of the messages is read from the cache
	end.NoCalls = true
	for i, req := range []llm.Request{alone, step, later, end} {
		req, _ := streamed(req, stream)
		got := generate(t, model, req).Usage
		if got.Input != 1000 || got.Cached != 600 || got.Written != 300 {
			t.Errorf("the usage is %+v", got)
		}
		want := [][]string{{"system says Be brief."}, {"system says Be brief.", "user says Where?"}, {"system says Be brief.", "tool says a.go"}, {"system says Be brief."}}[i]
		if diff := cmp.Diff(want, server.Heard()[i].Marked); diff != "" {
			t.Errorf("request %d is marked at (-want +got):\n%s", i+1, diff)
		}
	}
}

// key asks twice with one key, and once more after an answer that broke off.
func (s suite) key(t *testing.T, stream bool) {
	server := NewServer(t, s.wire, Turn{Text: "first", Input: 10, Output: 5}, Turn{Text: "second", Input: 10, Output: 5, Cut: true}, Turn{Text: "third", Input: 10, Output: 5})
	model := s.open(t, server.URL)
	for i, step := range []struct{ key, text, header string }{
		{"run-1/call-1", "first", "run-1/call-1"}, {"run-1/call-1", "first", "run-1/call-1"},
		{"run-1/call-2", "", "run-1/call-2"}, {"run-1/call-2", "second", "run-1/call-2"}, {"", "third", ""},
	} {
		req, _ := streamed(llm.Request{Messages: []llm.Message{llm.User("hello")}, Key: step.key}, stream)
		got, err := model.Generate(t.Context(), req)
		if got.Text != step.text || (err != nil) != (step.text == "") {
			t.Errorf("call %d gives %q, %v; want %q", i+1, got.Text, err, step.text)
		}
		if header := server.Heard()[i].Header.Get("Idempotency-Key"); header != step.header {
			t.Errorf("call %d has the key %q, want %q", i+1, header, step.header)
		}
	}
	if server.Paid() != 3 {
		t.Errorf("%d answers are paid, want 3", server.Paid())
	}
}

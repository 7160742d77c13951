package llmtest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
)

// texts are messages of several texts. OpenAI's API has them in one, as many servers
// take a string alone where there is no image.
func (s suite) texts(t *testing.T, stream bool) {
	long := strings.Repeat("long \"text\"\n", 100)
	call := llm.ToolCall{ID: "call_1", Name: "grep", Args: json.RawMessage(`{"q":"x"}`)}
	text := func(s string) llm.Part { return llm.Part{Text: s} }
	server := NewServer(t, s.wire, Turn{Text: "ok", Input: 10, Output: 5})
	req, _ := streamed(llm.Request{MaxTokens: 100, Tools: []llm.Tool{grep}, Messages: []llm.Message{
		{Role: llm.RoleSystem, Parts: []llm.Part{text("s1"), text("s2")}},
		{Role: llm.RoleUser, Parts: []llm.Part{text("u1"), text(""), text("u2")}},
		{Role: llm.RoleAssistant, Parts: []llm.Part{text("a1"), text(long)}},
		{Role: llm.RoleUser, Parts: []llm.Part{text(long), text("u3"), {Image: &llm.Image{MIME: "image/png", Data: []byte("PNG")}}}},
		{Role: llm.RoleAssistant, Parts: []llm.Part{text("a2"), text("a3"), {Call: &call}}},
		llm.Results(llm.ToolResult{ID: "call_1", Name: "grep", Text: "r"}),
	}}, stream)
	generate(t, s.open(t, server.URL), req)
	said := [][]string{
		{"system says s1\n\ns2"}, {"user says u1", "u2"}, {"assistant says a1", long}, {"user says " + long}, {"user says u3"},
		{"user says [image/png UE5H]"}, {"assistant says a2", "a3"}, {`assistant calls grep {"q":"x"}`}, {"tool says r"},
	}
	var want []string
	for _, texts := range said {
		who, _, _ := strings.Cut(texts[0], "says")
		between := "\n\n"
		if s.wire == Anthropic || s.wire == Gemini {
			between = "\x00" + who + "says "
		}
		want = append(want, strings.Split(strings.Join(texts, between), "\x00")...)
	}
	if diff := cmp.Diff(want, server.Heard()[0].Said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

// lastTurn are two requests: a step of a conversation, and its end, which differs in
// nothing that stands before.
func lastTurn(t *testing.T, m llm.Model, stream bool) (first, last llm.Request) {
	t.Helper()
	first, _ = streamed(llm.Request{Messages: []llm.Message{llm.System("Be brief."), llm.User("Where?")}, Tools: []llm.Tool{grep}, MaxTokens: 100}, stream)
	got := generate(t, m, first)
	last = first
	last.NoCalls = true
	last.Messages = append(last.Messages[:2:2], got.Message(), llm.Results(llm.ToolResult{ID: got.Calls[0].ID, Name: "grep", Text: "a.go"}))
	return first, last
}

var grepCall = llm.ToolCall{ID: "call_1", Name: "grep", Args: json.RawMessage(`{"q":"x"}`)}

// noCalls keeps the tools and tells the model to call none; a call that comes anyway
// is dropped.
func (s suite) noCalls(t *testing.T, stream bool) {
	calls := Turn{Text: "Look.", Calls: []llm.ToolCall{grepCall}, Input: 10, Output: 5}
	alone := Turn{Calls: []llm.ToolCall{grepCall}, Input: 10, Output: 5}
	cut := Turn{Text: "Lo", Calls: []llm.ToolCall{grepCall}, Stop: llm.StopLength, Input: 10, Output: 100}
	server := NewServer(t, s.wire, calls, calls, alone, cut, calls)
	model := s.open(t, server.URL)
	_, last := lastTurn(t, model, stream)
	for _, want := range []llm.Response{
		{Text: "Look.", Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: 10, Output: 5}},
		{Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: 10, Output: 5}},
		{Text: "Lo", Stop: llm.StopLength, Usage: llm.Usage{Calls: 1, Input: 10, Output: 100}},
	} {
		same(t, "the response", generate(t, model, last), want)
	}
	last.Tools, last.Messages = nil, last.Messages[:2] // without tools there is nothing to choose from
	same(t, "the response without tools", generate(t, model, last), llm.Response{Text: "Look.", Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: 10, Output: 5}})
	heard := server.Heard()
	if heard[0].NoCalls || !heard[1].NoCalls || heard[4].NoCalls {
		t.Errorf("told to call none: %t, %t and %t", heard[0].NoCalls, heard[1].NoCalls, heard[4].NoCalls)
	}
	if diff := cmp.Diff(heard[0].Tools, heard[1].Tools); diff != "" || !slices.Equal(heard[0].Said, heard[1].Said[:2]) {
		t.Errorf("the last turn does not begin as the one before: %q, tools (-before +last):\n%s", heard[1].Said, diff)
	}
}

// noCallsRefused has a server that takes no such choice: it gets the request without
// tools, and is not asked again. Anthropic's API wants the tools of a conversation with
// calls, and gets them without a choice.
func (s suite) noCallsRefused(t *testing.T, stream bool) {
	words := map[Wire]string{
		OpenAI: "tool_choice: input should be 'auto'", Ollama: "invalid tool choice: none",
		Anthropic: "tool_choice: Input tag 'none' does not match any of the expected tags: 'auto', 'any', 'tool'",
		Gemini:    `Invalid JSON payload received. Unknown name "toolConfig": Cannot find field.`,
	}
	calls, said := Turn{Text: "Look.", Calls: []llm.ToolCall{grepCall}, Input: 10, Output: 5}, Turn{Text: "Here.", Input: 10, Output: 5}
	server := NewServer(t, s.wire, calls, Turn{Status: 400, Message: words[s.wire]}, said, calls, calls)
	model := s.open(t, server.URL)
	first, last := lastTurn(t, model, stream)
	same(t, "the response", generate(t, model, last), llm.Response{Text: "Here.", Stop: llm.StopEnd, Usage: llm.Usage{Calls: 2, Failed: 1, Input: 10, Output: 5}})
	same(t, "the next one", generate(t, model, last), llm.Response{Text: "Look.", Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: 10, Output: 5}})
	if got := generate(t, model, first); len(got.Calls) != 1 || got.Stop != llm.StopTools {
		t.Errorf("a request that allows calls gives %+v", got)
	}
	tools := 0
	if s.wire == Anthropic {
		tools = 1
	}
	for i, want := range []struct {
		no    bool
		tools int
	}{{false, 1}, {true, 1}, {false, tools}, {false, tools}, {false, 1}} {
		if h := server.Heard()[i]; h.NoCalls != want.no || len(h.Tools) != want.tools {
			t.Errorf("request %d tells to call none: %t, of %d tools; want %t of %d", i+1, h.NoCalls, len(h.Tools), want.no, want.tools)
		}
	}
}

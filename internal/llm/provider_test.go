package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

var wires = map[string]llmtest.Wire{
	"openai": llmtest.OpenAI, "deepseek": llmtest.OpenAI, "compatible": llmtest.OpenAI, "mimo": llmtest.OpenAI, "openrouter": llmtest.OpenAI,
	"ollama": llmtest.Ollama, "anthropic": llmtest.Anthropic, "gemini": llmtest.Gemini,
}

// sends gives the body that a provider is sent for a request.
func sends(t *testing.T, provider, model string, req llm.Request) map[string]json.RawMessage {
	t.Helper()
	server := llmtest.NewServer(t, wires[provider], llmtest.Turn{Text: "ok", Input: 1, Output: 1})
	m, err := llm.Open(llm.Config{Provider: provider, Model: model, BaseURL: server.URL, Key: llm.NewKey(llmtest.TestKey)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(server.Heard()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func TestSchemaGoesOut(t *testing.T) {
	req := ask("x")
	req.Schema = json.RawMessage(`{"type":"object","properties":{"n":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`)
	schema := string(req.Schema)
	for _, tt := range []struct{ provider, model, member, want string }{
		{"openai", "m", "response_format", `{"type":"json_schema","json_schema":{"name":"answer","schema":` + schema + `}}`},
		{"ollama", "m", "response_format", `{"type":"json_schema","json_schema":{"name":"answer","schema":` + schema + `}}`},
		{"deepseek", "m", "response_format", `{"type":"json_object"}`},
		{"anthropic", "claude-sonnet-5-5", "output_config", `{"format":{"schema":` + schema + `,"type":"json_schema"}}`},
		{"anthropic", "claude-sonnet-5-5", "tool_choice", ""},
		{"anthropic", "claude-haiku-4-5-20251001", "tools", ""},
		{"anthropic", "claude-sonnet-4-20250514", "output_config", ""},
		{"anthropic", "claude-sonnet-4-20250514", "tools", `[{"name":"answer","description":"Takes your answer.","input_schema":` + schema + `}]`},
		{"anthropic", "claude-3-5-haiku-latest", "tool_choice", `{"name":"answer","type":"tool"}`},
	} {
		if got := string(sends(t, tt.provider, tt.model, req)[tt.member]); got != tt.want {
			t.Errorf("%s/%s gets %s %s, want %s", tt.provider, tt.model, tt.member, got, tt.want)
		}
	}
	if got := string(sends(t, "gemini", "m", req)["generationConfig"]); !strings.Contains(got, `"responseJsonSchema":`+schema) || !strings.Contains(got, `"responseMimeType":"application/json"`) {
		t.Errorf("gemini gets %s", got)
	}
}

// TestSchemaInPrompt is for providers with JSON alone, and for Anthropic with tools.
func TestSchemaInPrompt(t *testing.T) {
	req := llm.Request{Messages: []llm.Message{llm.System("Be brief."), llm.User("x")}, Schema: json.RawMessage(`{"type":"object"}`)}
	want := "Be brief.\n\nAnswer with one JSON object and nothing else: no code fence, no text before or after it. It must fit this JSON Schema:\n\n{\"type\":\"object\"}"
	var messages []struct{ Content string }
	if err := json.Unmarshal(sends(t, "deepseek", "m", req)["messages"], &messages); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, messages[0].Content); diff != "" {
		t.Errorf("deepseek (-want +got):\n%s", diff)
	}
	req.Tools = []llm.Tool{{Name: "f"}}
	var system []struct{ Text string }
	body := sends(t, "anthropic", "claude-opus-4-1", req)
	if err := json.Unmarshal(body["system"], &system); err != nil || len(system) != 1 || system[0].Text != want || body["tool_choice"] != nil {
		t.Errorf("anthropic gets %v %q and %s", err, system, body["tool_choice"])
	}
}

// TestServersMayIgnoreSchemas has those of unknown make, which take response_format
// and do nothing with it: the prompt says what is wanted too.
func TestServersMayIgnoreSchemas(t *testing.T) {
	schema, err := llm.SchemaFor[review]()
	if err != nil {
		t.Fatal(err)
	}
	ask := "Answer with one JSON object and nothing else: no code fence, no text before or after it. It must fit this JSON Schema:\n\n" + string(schema)
	for provider, told := range map[string]bool{"compatible": true, "ollama": true, "openai": false, "anthropic": false, "gemini": false} {
		server := llmtest.NewServer(t, wires[provider], llmtest.Turn{Text: "A fine change.", Input: 9, Output: 3}, llmtest.Turn{Text: good, Input: 9, Output: 3})
		got, _, err := llm.Decode[review](t.Context(), open(t, provider, server.URL), llm.Request{Messages: []llm.Message{llm.User("Look.")}})
		if diff := cmp.Diff(goodReview, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", provider, err, diff)
		}
		first, second := server.Heard()[0].Said, server.Heard()[1].Said
		if told != slices.Contains(first, "system says "+ask) {
			t.Errorf("%s is told %q", provider, first)
		}
		if last := second[len(second)-1]; !strings.HasSuffix(last, "It must fit this JSON Schema:\n\n"+string(schema)) {
			t.Errorf("the repair of %s is %s", provider, last)
		}
	}
}

func TestSampling(t *testing.T) {
	req := ask("x")
	req.Temperature, req.Seed, req.MaxTokens = 0.5, 7, 99
	for _, tt := range []struct{ provider, model, member, want string }{
		{"openai", "gpt-4o", "temperature", "0.5"},
		{"openai", "o1", "temperature", ""},
		{"openai", "o4-mini", "temperature", ""},
		{"openai", "gpt-5", "temperature", ""},
		{"compatible", "o4-mini", "temperature", "0.5"},
		{"openai", "gpt-4o", "max_completion_tokens", "99"},
		{"openai", "gpt-4o", "max_tokens", ""},
		{"deepseek", "deepseek-chat", "max_tokens", "99"},
		{"deepseek", "deepseek-chat", "max_completion_tokens", ""},
		{"ollama", "m", "seed", "7"},
		{"ollama", "m", "metadata", ""},
		{"anthropic", "m", "max_tokens", "99"},
		{"anthropic", "claude-opus-4-6", "temperature", "0.5"},
		{"anthropic", "claude-haiku-4-5-20251001", "temperature", "0.5"},
		{"anthropic", "claude-opus-4-7", "temperature", ""},
		{"anthropic", "claude-sonnet-5", "temperature", ""},
	} {
		if got := string(sends(t, tt.provider, tt.model, req)[tt.member]); got != tt.want {
			t.Errorf("%s/%s gets %s %s, want %s", tt.provider, tt.model, tt.member, got, tt.want)
		}
	}
	got := strings.ReplaceAll(string(sends(t, "gemini", "m", req)["generationConfig"]), " ", "")
	if got != `{"candidateCount":1,"maxOutputTokens":99,"seed":7,"temperature":0.5}` {
		t.Errorf("gemini gets %s", got)
	}
}

func TestSchemaFallsBack(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.OpenAI,
		llmtest.Turn{Status: 400, Message: "response_format.type 'json_schema' is not supported"},
		llmtest.Turn{Text: good, Input: 9, Output: 1})
	got, resp, err := llm.Decode[review](t.Context(), open(t, "compatible", server.URL), ask("x"))
	if diff := cmp.Diff(goodReview, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if u := resp.Usage; u.Calls != 2 || u.Failed != 1 || u.Input != 9 {
		t.Errorf("the usage is %+v", u)
	}
	if body := string(server.Heard()[1].Body); strings.Contains(body, "response_format") || !strings.Contains(body, "JSON Schema") {
		t.Errorf("the second request is %s", body)
	}
}

func TestAnthropicFailedResult(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.Anthropic, llmtest.Turn{Text: "ok", Input: 1, Output: 1})
	req := llm.Request{Tools: []llm.Tool{{Name: "f"}}, Messages: []llm.Message{
		llm.User("x"),
		{Role: llm.RoleAssistant, Parts: []llm.Part{{Call: &llm.ToolCall{ID: "a", Name: "f", Args: []byte("{}")}}, {Call: &llm.ToolCall{ID: "b", Name: "f", Args: []byte("{}")}}}},
		llm.Results(llm.ToolResult{ID: "a", Name: "f", Text: "fine"}, llm.ToolResult{ID: "b", Name: "f", Text: "no such file", Failed: true}),
		llm.User("go on"),
	}}
	if _, err := open(t, "anthropic", server.URL).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	want := []string{"user says x", "assistant calls f {}", "assistant calls f {}", "tool says fine", "tool fails with no such file", "user says go on"}
	if diff := cmp.Diff(want, server.Heard()[0].Said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

// TestGeminiSignature has signatures that must come back with their calls.
func TestGeminiSignature(t *testing.T) {
	turn := llmtest.Turn{Calls: []llm.ToolCall{{Name: "f", Args: []byte(`{}`), Signature: "s<1>"}, {Name: "f", Args: []byte(`{}`)}}, Input: 1, Output: 1}
	server := llmtest.NewServer(t, llmtest.Gemini, turn, llmtest.Turn{Text: "ok", Input: 1, Output: 1})
	m := open(t, "gemini", server.URL)
	req := ask("x")
	resp, err := m.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(req.Messages, resp.Message(), llm.Results(llm.ToolResult{ID: "call_1", Name: "f", Text: "1"}, llm.ToolResult{ID: "call_2", Name: "f", Text: "2"}))
	if _, err := m.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if body := string(server.Heard()[1].Body); strings.Count(body, "thoughtSignature") != 1 || !strings.Contains(body, `"thoughtSignature":"s<1>"`) {
		t.Errorf("the second request is %s", body)
	}
}

// says gives what a provider's bytes are read as.
func says(t *testing.T, provider, body string, stream bool) (llm.Response, string, error) {
	t.Helper()
	m, err := llm.Open(llm.Config{Provider: provider, Model: "m", Key: llm.NewKey(llmtest.TestKey), BaseURL: "http://model.test/v1",
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return answer(r, body), nil })})
	if err != nil {
		t.Fatal(err)
	}
	req, text := ask("x"), ""
	if stream {
		req.Stream = func(s string) { text += s }
	}
	resp, err := m.Generate(t.Context(), req)
	return resp, text, err
}

func call(id, args string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: "f", Args: json.RawMessage(args)}
}

// TestHabits has answers of servers that follow the API in their own ways.
func TestHabits(t *testing.T) {
	bad := func(id, said string) llm.ToolCall {
		c := call(id, "{}")
		c.Malformed = said
		return c
	}
	for _, tt := range []struct {
		name, provider, body string
		text                 string
		calls                []llm.ToolCall
		stop                 llm.Stop
		input, cached        int
	}{
		{"text in parts", "compatible", `{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}`, "ab", nil, llm.StopEnd, 0, 0},
		{"old name of cached tokens", "deepseek", `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"prompt_cache_hit_tokens":4}}`, "a", nil, llm.StopEnd, 9, 4},
		{"arguments as an object", "ollama", `{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"b":1,"a":"<"}}}]},"finish_reason":"stop"}]}`, "", []llm.ToolCall{call("call_1", `{"a":"<","b":1}`)}, llm.StopTools, 0, 0},
		{"arguments in a text in a text", "compatible", `{"choices":[{"message":{"tool_calls":[{"id":"x","function":{"name":"f","arguments":"\"{\\\"a\\\":1}\""}}]}}]}`, "", []llm.ToolCall{call("x", `{"a":1}`)}, llm.StopTools, 0, 0},
		{"arguments that are no object", "compatible", `{"choices":[{"message":{"tool_calls":[{"id":"x","function":{"name":"f","arguments":"{\"a\":"}},{"id":"x","function":{"name":"f","arguments":"[1]"}},{"id":"","function":{"name":"f","arguments":""}}]}}]}`, "", []llm.ToolCall{bad("x", `{"a":`), bad("call_2", "[1]"), call("call_3", "{}")}, llm.StopTools, 0, 0},
		{"a refusal beside the text", "openai", `{"choices":[{"message":{"content":null,"refusal":"I cannot"},"finish_reason":"stop"}]}`, "", nil, llm.StopFilter, 0, 0},
		{"old function call", "openai", `{"choices":[{"message":{"content":"a"},"finish_reason":"function_call"}]}`, "a", nil, llm.StopEnd, 0, 0},
		{"thoughts and unknown blocks", "anthropic", `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":"a"},{"type":"new","x":1},{"type":"text","text":"b"}],"stop_reason":"stop_sequence"}`, "ab", nil, llm.StopEnd, 0, 0},
		{"no content", "anthropic", `{"type":"message","content":[],"stop_reason":"end_turn","usage":{"input_tokens":2,"cache_creation_input_tokens":3,"cache_read_input_tokens":4,"output_tokens":1}}`, "", nil, llm.StopEnd, 9, 4},
		{"the window is full", "anthropic", `{"type":"message","content":[{"type":"text","text":"a"}],"stop_reason":"model_context_window_exceeded"}`, "a", nil, llm.StopLength, 0, 0},
		{"thoughts", "gemini", `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"a"},{"thoughtSignature":"s"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"thoughtsTokenCount":30}}`, "a", nil, llm.StopEnd, 9, 0},
		{"a blocked prompt", "gemini", `{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":9}}`, "", nil, llm.StopFilter, 9, 0},
		{"numbers as floats and texts", "compatible", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":9.0,"completion_tokens":"3","prompt_tokens_details":[]}}`, "a", nil, llm.StopEnd, 9, 0},
		{"a strange account", "compatible", `{"choices":[{"message":{"content":"a","reasoning_content":{"x":1}}}],"usage":"free"}`, "a", nil, llm.StopEnd, 5, 0},
		{"an absurd account", "openai", `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":4e18,"completion_tokens":-7}}`, "a", nil, llm.StopEnd, 5, 0},
		{"thoughts in the text", "ollama", `{"choices":[{"message":{"content":"<think>\nhm {\n</think>\n\na"}}]}`, "a", nil, llm.StopEnd, 0, 0},
		{"thoughts without an end", "ollama", `{"choices":[{"message":{"content":"<think>hm"},"finish_reason":"length"}]}`, "<think>hm", nil, llm.StopLength, 0, 0},
		{"an empty error", "compatible", `{"choices":[{"message":{"content":"a"}}],"error":""}`, "a", nil, llm.StopEnd, 0, 0},
		{"thoughts among the parts", "compatible", `{"choices":[{"message":{"content":[{"type":"thinking","text":"hm"},{"type":"text","text":"a"}]}}]}`, "a", nil, llm.StopEnd, 0, 0},
		{"no arguments", "compatible", `{"choices":[{"message":{"tool_calls":[{"id":"x","function":{"name":"f","arguments":"null"}},{"id":"y","function":{"name":"f","arguments":null}},{"id":"z","function":{"name":"f"}}]}}]}`, "", []llm.ToolCall{call("x", "{}"), call("y", "{}"), call("z", "{}")}, llm.StopTools, 0, 0},
		{"no arguments, Gemini", "gemini", `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":null}},{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`, "", []llm.ToolCall{call("call_1", "{}"), call("call_2", "{}")}, llm.StopTools, 0, 0},
		{"no arguments, Anthropic", "anthropic", `{"type":"message","content":[{"type":"tool_use","id":"x","name":"f","input":null},{"type":"text","text":"after"}],"stop_reason":"tool_use"}`, "after", []llm.ToolCall{call("x", "{}")}, llm.StopTools, 0, 0},
		{"an unknown reason", "gemini", `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"NEW"}]}`, "a", nil, llm.StopEnd, 0, 0},
	} {
		got, _, err := says(t, tt.provider, tt.body, false)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got.Text != tt.text || got.Stop != tt.stop || tt.input > 0 && (got.Usage.Input != tt.input || got.Usage.Cached != tt.cached) {
			t.Errorf("%s is read as %+v", tt.name, got)
		}
		if diff := cmp.Diff(tt.calls, got.Calls); diff != "" {
			t.Errorf("%s: calls (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestThoughtsAreBilled(t *testing.T) {
	got, _, err := says(t, "gemini", `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"thoughtsTokenCount":30}}`, false)
	if err != nil || got.Usage.Output != 31 {
		t.Errorf("the usage is %+v, %v", got.Usage, err)
	}
}

// TestStreamHabits has streams with the events that servers send in their own ways.
func TestStreamHabits(t *testing.T) {
	chunk := func(delta string) string { return "data:{\"choices\":[{\"delta\":" + delta + "}]}\r\n\r\n" }
	for name, tt := range map[string]struct {
		provider, body, text string
		calls                []llm.ToolCall
		kind                 error
	}{
		"no reason":             {"compatible", chunk(`{"content":"ab"}`) + "data: [DONE]", "ab", nil, nil},
		"no DONE":               {"compatible", chunk(`{"content":"ab"}`) + `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}`, "ab", nil, nil},
		"a long line":           {"compatible", chunk(`{"content":"`+strings.Repeat("x", 100_000)+`"}`) + "data: [DONE]\n", strings.Repeat("x", 100_000), nil, nil},
		"no end":                {"compatible", chunk(`{"content":"ab"}`), "", nil, llm.ErrUnavailable},
		"half an event":         {"compatible", chunk(`{"content":"ab"}`) + `data: {"choices":[{"delta":{},"finish_rea`, "", nil, llm.ErrUnavailable},
		"an error in it":        {"openrouter", chunk(`{"content":"ab"}`) + "data: {\"error\":{\"code\":429,\"message\":\"slow\"}}\n\n", "", nil, llm.ErrRateLimited},
		"not for images":        {"compatible", "data: {\"error\":{\"code\":500,\"message\":\"image input is not supported\",\"type\":\"server_error\"}}\n\n", "", nil, llm.ErrRequest},
		"an error as a text":    {"compatible", "data: {\"error\":\"out of memory\"}\n\n", "", nil, llm.ErrUnavailable},
		"nothing":               {"compatible", "data: [DONE]\n\n", "", nil, llm.ErrAnswer},
		"calls without indexes": {"compatible", chunk(`{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\""}}]}`) + chunk(`{"tool_calls":[{"type":"function","function":{"arguments":":1}"}}]}`) + chunk(`{"tool_calls":[{"id":"b","function":{"name":"f","arguments":"{}"}}]}`) + "data: [DONE]\n", "", []llm.ToolCall{call("a", `{"x":1}`), call("b", "{}")}, nil},
		"indexes at random":     {"compatible", chunk(`{"tool_calls":[{"index":999999999,"id":"a","function":{"name":"f"}},{"index":-5,"id":"b","function":{"name":"f"}}]}`) + "data: [DONE]\n", "", []llm.ToolCall{call("a", `{}`), call("b", "{}")}, nil},
		"the whole at once":     {"compatible", ` {"choices":[{"message":{"content":"ab"},"finish_reason":"stop"}]}`, "ab", nil, nil},
		"an error at once":      {"openrouter", `{"error":{"code":429,"message":"slow"}}`, "", nil, llm.ErrRateLimited},
		"an error in a choice":  {"openrouter", "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\",\"error\":{\"code\":429,\"message\":\"upstream\"}}]}\n\n", "", nil, llm.ErrRateLimited},
		"an error field":        {"compatible", chunk(`{"content":"ab"}`) + "error: {\"code\":400,\"message\":\"the request exceeds the available context size\"}\n\n", "", nil, llm.ErrContext},
		"an error of quota":     {"compatible", "data: {\"error\":{\"code\":\"insufficient_quota\",\"message\":\"no credit\"}}\n\n", "", nil, llm.ErrQuota},
		"keep-alive comments":   {"openrouter", ": OPENROUTER PROCESSING\r\n\r\n" + chunk(`{"content":"ab"}`) + "event: ping\r\n: x\r\ndata: [DONE]\r\n", "ab", nil, nil},
		"byte order mark":       {"compatible", "\uFEFF" + chunk(`{"content":"ab"}`) + "data: [DONE]\n", "ab", nil, nil},
		"calls without IDs":     {"compatible", chunk(`{"tool_calls":[{"function":{"name":"f","arguments":"{\"x\":1}"}}]}`) + chunk(`{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}`) + "data: [DONE]\n", "", []llm.ToolCall{call("call_1", `{"x":1}`), call("call_2", "{}")}, nil},
		"a name in each piece":  {"compatible", chunk(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}`) + chunk(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":":1}"}}]}`) + "data: [DONE]\n", "", []llm.ToolCall{call("a", `{"x":1}`)}, nil},
		"a stray surrogate":     {"compatible", chunk(`{"content":"a\ud83d"}`) + "data: [DONE]\n", "a\uFFFD", nil, nil},
		"overloaded":            {"anthropic", "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy\"}}\n\n", "", nil, llm.ErrUnavailable},
		"stray deltas":          {"anthropic", "data: {\"type\":\"content_block_delta\",\"index\":-1,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\ndata: {\"type\":\"content_block_start\",\"index\":7,\"content_block\":{\"type\":\"text\",\"text\":\"a\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":7,\"delta\":{\"text\":\"b\"}}\n\ndata: {\"type\":\"new\"}\n\ndata: {\"type\":\"message_stop\"}\n\n", "ab", nil, nil},
	} {
		got, streamed, err := says(t, tt.provider, tt.body, true)
		if !errors.Is(err, tt.kind) {
			t.Errorf("%s gives %v", name, err)
		}
		if diff := cmp.Diff(tt.calls, got.Calls); diff != "" || got.Text != tt.text || err == nil && streamed != tt.text {
			t.Errorf("%s is read as %.50q, streamed %.50q, calls (-want +got):\n%s", name, got.Text, streamed, diff)
		}
	}
}

// TestCutStreamIsBilled counts what came before the break.
func TestCutStreamIsBilled(t *testing.T) {
	resp, streamed, err := says(t, "openai", "data: {\"choices\":[{\"delta\":{\"content\":\"abcdefgh\"}}]}\n\n", true)
	if !errors.Is(err, llm.ErrUnavailable) || streamed != "abcdefgh" || resp.Text != "" {
		t.Errorf("it gives %+v, %q, %v", resp, streamed, err)
	}
	want := llm.Usage{Calls: 1, Failed: 1, Estimated: 1, Input: llm.Estimate(ask("x")), Output: 2, Cost: llm.Cost{Status: llm.CostUnknown, Unpriced: []string{"openai/m"}}}
	if diff := cmp.Diff(want, resp.Usage); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
}

func TestPriceOfOtherHost(t *testing.T) {
	for base, want := range map[string]llm.CostStatus{"": llm.CostKnown, "https://api.openai.com/v1/": llm.CostKnown, "http://proxy.test": llm.CostEstimated} {
		m, err := llm.Open(llm.Config{Provider: "openai", Model: "gpt-4o", BaseURL: base, Key: llm.NewKey(llmtest.TestKey), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return answer(r, `{"choices":[{"message":{"content":"a"}}],"usage":{"prompt_tokens":1000,"completion_tokens":100,"prompt_tokens_details":{"cached_tokens":400}}}`), nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := m.Generate(t.Context(), ask("x"))
		if want := (llm.Cost{Amount: llm.Dollars(0.003), Status: want}); err != nil || !cmp.Equal(want, resp.Usage.Cost) {
			t.Errorf("at %q it costs %+v, %v", base, resp.Usage.Cost, err)
		}
	}
}

// TestTimeout also shows that a model leaves no goroutine behind: the bubble would
// not end. Google's library alone dials its host as soon as it is opened.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, provider := range []string{"openai", "anthropic", "gemini"} {
			m, err := llm.Open(llm.Config{Provider: provider, Model: "m", Key: llm.NewKey(llmtest.TestKey), Timeout: 5 * time.Second, Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})})
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, err = m.Generate(t.Context(), ask("x"))
			want := "call " + provider + `/m: the provider is not available: "no answer within 5s": context deadline exceeded`
			if !errors.Is(err, llm.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) || err.Error() != want || time.Since(start) != 5*time.Second {
				t.Errorf("after %s: %v", time.Since(start), err)
			}
		}
	})
}

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		header, date, body string
		want               time.Duration
	}{
		{"7", "", "", 7 * time.Second},
		{" 1.5 ", "", "", 1500 * time.Millisecond},
		{"Tue, 01 Dec 2026 10:00:30 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", "", 30 * time.Second},
		{"Tue, 01 Dec 2026 09:00:30 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", "", 0},
		{"Tue, 01 Dec 2026 10:00:30 GMT", "", "", 0},
		{"-3", "", "", 0},
		{"NaN", "", "", 0},
		{"1e300", "", "", 1e7 * time.Second},
		{"99999999999999999999", "", "", 1e7 * time.Second},
		{"Fri, 31 Dec 9999 23:59:59 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", "", 1e7 * time.Second},
		{"soon", "", "", 0},
		{"", "", `{"error":{"message":"You exceeded your current quota","details":[{"retryDelay":"34.5s"}]}}`, 34500 * time.Millisecond},
	} {
		m, err := llm.Open(llm.Config{Provider: "gemini", Model: "m", Key: llm.NewKey(llmtest.TestKey), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			resp := answer(r, tt.body)
			resp.StatusCode = 429
			resp.Header.Set("Retry-After", tt.header)
			resp.Header.Set("Date", tt.date)
			return resp, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Generate(t.Context(), ask("x"))
		if e, ok := errors.AsType[*llm.Error](err); !ok || e.Kind != llm.ErrRateLimited || e.RetryAfter != tt.want {
			t.Errorf("Retry-After %q %s is read as %v", tt.header, tt.body, err)
		}
	}
}

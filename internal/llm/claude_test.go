package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

// TestOldClaudeAnswersByTool has a model without an output format.
func TestOldClaudeAnswersByTool(t *testing.T) {
	for _, stream := range []bool{false, true} {
		turn := llmtest.Turn{Text: "Sure.", Calls: []llm.ToolCall{{ID: "a", Name: "answer", Args: json.RawMessage(good)}}, Input: 10, Output: 5}
		server := llmtest.NewServer(t, llmtest.Anthropic, turn)
		m, err := llm.Open(llm.Config{Provider: "anthropic", Model: "claude-sonnet-4-20250514", BaseURL: server.URL, Key: llm.NewKey(llmtest.TestKey)})
		if err != nil {
			t.Fatal(err)
		}
		req, streamed := ask("x"), ""
		if stream {
			req.Stream = func(s string) { streamed += s }
		}
		got, resp, err := llm.Decode[review](t.Context(), m, req)
		if diff := cmp.Diff(goodReview, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		if len(resp.Calls) != 0 || resp.Stop != llm.StopEnd || stream && streamed != "Sure."+good {
			t.Errorf("the response is %+v, streamed %q", resp, streamed)
		}
	}
}

// TestClaudeNumbers has arguments that a float would round on their way back.
func TestClaudeNumbers(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.Anthropic, llmtest.Turn{Text: "ok", Input: 1, Output: 1})
	req := ask("x")
	req.Tools = []llm.Tool{{Name: "f"}}
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.RoleAssistant, Parts: []llm.Part{{Text: " \n"}, {Call: &llm.ToolCall{ID: "a", Name: "f", Args: json.RawMessage(`{"n":9007199254740993}`)}}}},
		llm.Results(llm.ToolResult{ID: "a", Text: ""}))
	if _, err := open(t, "anthropic", server.URL).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	want := []string{"user says x", `assistant calls f {"n":9007199254740993}`, "tool says "}
	if diff := cmp.Diff(want, server.Heard()[0].Said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

// TestClaudeSameID has a conversation of a server that used an ID twice.
func TestClaudeSameID(t *testing.T) {
	turn := func(args string) llm.Message {
		return llm.Message{Role: llm.RoleAssistant, Parts: []llm.Part{{Call: &llm.ToolCall{ID: "a", Name: "f", Args: json.RawMessage(args)}}}}
	}
	server := llmtest.NewServer(t, llmtest.Anthropic, llmtest.Turn{Text: "ok", Input: 1, Output: 1})
	req := ask("x")
	req.Tools = []llm.Tool{{Name: "f"}}
	req.Messages = append(req.Messages,
		turn(`{"n":1}`), llm.Results(llm.ToolResult{ID: "a", Text: "bad", Failed: true}),
		turn(`{"n":2}`), llm.Results(llm.ToolResult{ID: "a", Text: "good"}))
	if _, err := open(t, "anthropic", server.URL).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	want := []string{"user says x", `assistant calls f {"n":1}`, "tool fails with bad", `assistant calls f {"n":2}`, "tool says good"}
	if diff := cmp.Diff(want, server.Heard()[0].Said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

// TestClaudeThoughts has thoughts before several calls, one of them hidden, and a
// signature that is none of Anthropic's.
func TestClaudeThoughts(t *testing.T) {
	body := `{"type":"message","content":[
		{"type":"thinking","thinking":"","signature":"s1"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"a"},
		{"type":"tool_use","id":"1","name":"f","input":{}},{"type":"thinking","thinking":"t","signature":"s2"},{"type":"tool_use","id":"2","name":"f","input":{}}],"stop_reason":"tool_use"}`
	got, _, err := says(t, "anthropic", body, false)
	if err != nil || len(got.Calls) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	got.Calls = append(got.Calls, llm.ToolCall{ID: "3", Name: "f", Args: json.RawMessage("{}"), Signature: "reasoning of another"})
	req := ask("x")
	req.Messages = append(req.Messages, got.Message(), llm.Results(llm.ToolResult{ID: "1"}, llm.ToolResult{ID: "2"}, llm.ToolResult{ID: "3"}))
	var sent struct {
		Messages []struct {
			Content []struct{ Type, Thinking, Signature, Data, ID string }
		}
	}
	m, err := llm.Open(llm.Config{Provider: "anthropic", Model: "m", Key: llm.NewKey("key-012345"), Transport: heardBy(t, &sent)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, b := range sent.Messages[1].Content {
		blocks = append(blocks, strings.Join([]string{b.Type, b.Thinking, b.Signature, b.Data, b.ID}, "|"))
	}
	want := []string{"thinking||s1||", "redacted_thinking|||d|", "text||||", "tool_use||||1", "thinking|t|s2||", "tool_use||||2", "tool_use||||3"}
	if diff := cmp.Diff(want, blocks); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

// TestCutClaudeStreamIsBilled has a stream whose first event gives a sum that is none yet.
func TestCutClaudeStreamIsBilled(t *testing.T) {
	body := "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":50,\"output_tokens\":1}}}\n\n" +
		"data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n" +
		"data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"" + strings.Repeat("four", 100) + "\"}}\n\n"
	resp, _, err := says(t, "anthropic", body, true)
	if u := resp.Usage; !errors.Is(err, llm.ErrUnavailable) || u.Input != 50 || u.Output != 100 || u.Failed != 1 {
		t.Errorf("it gives %v, usage %+v", err, u)
	}
}

// TestDeepSeekWantsReasons shows that a turn with a call always has its reasoning, also
// where there was none, and that others get none that they did not send.
func TestDeepSeekWantsReasons(t *testing.T) {
	req := ask("x")
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.RoleAssistant, Parts: []llm.Part{{Call: &llm.ToolCall{ID: "a", Name: "f", Args: json.RawMessage(`{}`)}}}},
		llm.Results(llm.ToolResult{ID: "a", Text: "r"}))
	for provider, want := range map[string]int{"deepseek": 1, "openai": 0, "compatible": 0} {
		if got := strings.Count(string(sends(t, provider, "m", req)["messages"]), `"reasoning_content":""`); got != want {
			t.Errorf("%s gets %d empty reasonings, want %d", provider, got, want)
		}
	}
}

// TestCutWholeAnswerIsBilled has an answer in one piece that breaks off in the middle.
func TestCutWholeAnswerIsBilled(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.OpenAI, llmtest.Turn{Text: strings.Repeat("x", 9000), Input: 10, Output: 5, Cut: true})
	resp, err := open(t, "openai", server.URL).Generate(t.Context(), ask("x"))
	if u := resp.Usage; !errors.Is(err, llm.ErrUnavailable) || u.Input != llm.Estimate(ask("x")) || u.Cost.Status != llm.CostEstimated {
		t.Errorf("it gives %v, usage %+v", err, u)
	}
}

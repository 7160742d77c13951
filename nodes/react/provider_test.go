package react_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

var wires = map[string]llmtest.Wire{"compatible": llmtest.OpenAI, "anthropic": llmtest.Anthropic, "gemini": llmtest.Gemini, "ollama": llmtest.Ollama}

func provided(t *testing.T, provider string, wire llmtest.Wire, turns ...llmtest.Turn) (*llmtest.Server, llm.Model) {
	t.Helper()
	server := llmtest.NewServer(t, wire, turns...)
	model, err := llm.Open(llm.Config{Provider: provider, Model: "m", BaseURL: server.URL, Key: llm.NewKey("key-012345")})
	wantErr(t, err, nil)
	return server, model
}

// The same conversation is the same transcript, at the same number of tokens, with each
// provider, also where room had to be made in it.
func TestEachProviderGivesTheSameTranscript(t *testing.T) {
	texts, replies := explorer(6)
	turns := []llmtest.Turn{{Text: "Look at two.", Calls: calls(llm.ToolCall{ID: "functions.read:0", Name: "read_file", Args: json.RawMessage(`{"path":"none"}`)},
		llm.ToolCall{ID: "y", Name: "read", Args: json.RawMessage(`{}`)}), Input: 1500, Output: 20}}
	for i, r := range replies[:6] {
		turns = append(turns, llmtest.Turn{Text: r.Text, Calls: r.Calls, Input: 2000 + 1000*min(i, 3), Output: 100})
	}
	turns = append(turns, llmtest.Turn{Text: "done", Input: 5000, Output: 5})
	var first []string
	for provider, wire := range wires {
		server, model := provided(t, provider, wire, turns...)
		got, _, err := do(t, react.Loop{Model: model, MaxRounds: 8, Window: 6000, TurnTokens: 1000, Tools: files(texts, nil)}, task)
		wantErr(t, err, nil)
		if first == nil {
			first = lines(got.Messages)
		}
		same(t, first, lines(got.Messages))
		got.Usage.Cost = llm.Cost{} // has the name of the model
		same(t, llm.Usage{Calls: 8, Input: 1500 + 2000 + 3000 + 4000 + 3*5000 + 5000, Output: 20 + 600 + 5}, got.Usage)
		same(t, 8, server.Paid())
		if said := fmt.Sprint(server.Heard()[6].Said); !strings.Contains(said, "taken out to make room") {
			t.Error("no room had to be made")
		}
		before, last := server.Heard()[6], server.Heard()[7]
		same(t, []bool{false, true}, []bool{before.NoCalls, last.NoCalls})
		same(t, before.Tools, last.Tools)
	}
}

func TestEachProviderHoldsToTheFormOfATurn(t *testing.T) {
	turns := []llmtest.Turn{
		{Text: `{"thought": "look", "calls": [{"name": "read_file", "args": {"path": "a"}}]}`, Input: 100, Output: 20},
		{Text: `{"thought": "clear", "answer": {"file": "a", "line": 3}}`, Input: 200, Output: 20},
	}
	for provider, wire := range wires {
		server, model := provided(t, provider, wire, turns...)
		_, err := inNode(t, func(ctx context.Context) error {
			l := react.Loop{Model: model, JSON: true, MaxRounds: 2, Tools: files(map[string]string{"a": "A"}, nil), Fence: fence(t)}
			v, result, err := react.Answer[verdict](ctx, l, task)
			same(t, []any{verdict{"a", 3}, react.EndRounds}, []any{v, result.End})
			return err
		})
		wantErr(t, err, nil)
		for _, h := range server.Heard() {
			if body := string(h.Body); !strings.Contains(body, `"enum":["read_file","read_more"]`) || len(h.Tools) > 0 || h.NoCalls {
				t.Errorf("%s: the request is %s", provider, body)
			}
		}
	}
}

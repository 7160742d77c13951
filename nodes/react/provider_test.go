package react_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

// The same conversation is the same transcript, at the same number of tokens, with each
// provider, also where room had to be made in it.
func TestEachProviderGivesTheSameTranscript(t *testing.T) {
	texts, replies := explorer(6)
	turns := []llmtest.Turn{{Text: "Look at two.", Calls: calls(llm.ToolCall{ID: "x", Name: "read_file", Args: json.RawMessage(`{"path":"none"}`)},
		llm.ToolCall{ID: "y", Name: "read", Args: json.RawMessage(`{}`)}), Input: 1500, Output: 20}}
	for i, r := range replies[:6] {
		turns = append(turns, llmtest.Turn{Text: r.Text, Calls: r.Calls, Input: 2000 + 1000*min(i, 3), Output: 100})
	}
	turns = append(turns, llmtest.Turn{Text: "done", Input: 5000, Output: 5})
	var first []string
	for _, p := range []struct {
		provider string
		wire     llmtest.Wire
	}{{"compatible", llmtest.OpenAI}, {"anthropic", llmtest.Anthropic}, {"gemini", llmtest.Gemini}, {"ollama", llmtest.Ollama}} {
		server := llmtest.NewServer(t, p.wire, turns...)
		model, err := llm.Open(llm.Config{Provider: p.provider, Model: "m", BaseURL: server.URL, Key: llm.NewKey("key-012345")})
		wantErr(t, err, nil)
		got, _, err := do(t, react.Loop{Model: model, Window: 6000, TurnTokens: 1000, Tools: files(texts, nil)}, task)
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
	}
}

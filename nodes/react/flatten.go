package react

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

// flatten writes calls and results as text: for a model without tool calling, and where
// no tools are offered, since providers refuse calls in the past without any.
func flatten(messages []llm.Message, asJSON bool) []llm.Message {
	var flat []llm.Message
	for _, m := range messages {
		switch m.Role {
		case llm.RoleAssistant:
			flat = append(flat, llm.Message{Role: m.Role, Parts: []llm.Part{{Text: turnText(m, asJSON)}}})
		case llm.RoleTool:
			flat = join(flat, llm.User(resultsText(m)))
		default:
			flat = append(flat, m)
		}
	}
	return flat
}

// join adds a user's message, to the one before if that is a user's too. The slice is
// changed, but none of the parts.
func join(messages []llm.Message, m llm.Message) []llm.Message {
	n := len(messages)
	if n == 0 || messages[n-1].Role != llm.RoleUser {
		return append(messages, m)
	}
	messages[n-1].Parts = slices.Concat(messages[n-1].Parts, m.Parts)
	return messages
}

func turnText(m llm.Message, asJSON bool) string {
	turn := said{Thought: m.Text()}
	var lines []string
	for _, p := range m.Parts {
		if p.Call != nil {
			turn.Calls = append(turn.Calls, wish{Name: p.Call.Name, Args: p.Call.Args})
			lines = append(lines, fmt.Sprintf("(I called %s %s)", p.Call.Name, p.Call.Args))
		}
	}
	if len(turn.Calls) == 0 {
		return turn.Thought
	}
	if data, err := encode(turn); asJSON && err == nil {
		return string(data)
	}
	return strings.TrimSpace(turn.Thought + "\n\n" + strings.Join(lines, "\n"))
}

func resultsText(m llm.Message) string {
	var all []string
	for _, p := range m.Parts {
		how := "gave"
		if p.Result.Failed {
			how = "failed"
		}
		all = append(all, fmt.Sprintf("%s %s: %s", p.Result.Name, how, p.Result.Text))
	}
	return strings.Join(all, "\n\n")
}

package react

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

// said is a turn of a model without tool calling.
type said struct {
	Thought string `json:"thought,omitempty"`
	Calls   []wish `json:"calls,omitempty"`
	Answer  any    `json:"answer,omitempty"` // a text, or an object where one is asked for
}

// Validate has llm.Parse pass over an object that is no turn, as one in the prose before.
func (s said) Validate() error {
	if _, ok := textOf(s.Answer); !ok && len(s.Calls) == 0 {
		return errors.New("it has neither calls nor an answer")
	}
	return nil
}

type wish struct {
	Name string `json:"name"`
	Args any    `json:"args,omitempty"`
}

// readJSON reads the calls, or the answer, out of the text. What stands in neither is
// the thought.
func (r *run) readJSON(resp llm.Response) (turn llm.Response, fault string) {
	if len(resp.Calls) > 0 {
		return resp, "" // it has tool calling after all
	}
	turn = resp
	s, err := llm.Parse[said](resp.Text)
	switch {
	case err != nil && r.Check != nil && r.Check(resp.Text) == nil:
		return turn, "" // the answer itself, without the form around it
	case err != nil:
		return turn, "That is not in order: " + r.reasons(err) + ". " + form
	case len(s.Calls) == 0:
		turn.Text, _ = textOf(s.Answer)
		return turn, ""
	}
	turn.Text = s.Thought
	for _, w := range s.Calls {
		args, err := encode(w.Args)
		if err != nil {
			return turn, "That is not in order: " + r.reasons(err) + ". " + form
		}
		if w.Args == nil {
			args = nil
		}
		turn.Calls = append(turn.Calls, llm.ToolCall{Name: w.Name, Args: args})
	}
	return tidy(turn, r.Rounds, r.Messages), ""
}

const form = `Write one JSON object, {"thought": "…", "calls": [{"name": "…", "args": {}}]} or {"thought": "…", "answer": "…"}.`

// reasons says why what the model wrote was not taken; some quote what it wrote.
func (r *run) reasons(err error) string {
	if unusable, ok := errors.AsType[*llm.UnusableError](err); ok {
		return r.Fence.Inline(strings.Join(unusable.Reasons, "; "))
	}
	return r.Fence.Inline(err.Error())
}

func textOf(answer any) (string, bool) {
	if text, ok := answer.(string); ok {
		return text, strings.TrimSpace(text) != ""
	}
	data, err := encode(answer)
	return string(data), err == nil && answer != nil
}

// encode leaves <, > and & as they are.
func encode(v any) (json.RawMessage, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n")), err
}

// flatten writes calls and results as text: for a model without tool calling, and for
// the last turn, where providers refuse calls in the past if no tools are offered.
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
			turn.Calls = append(turn.Calls, wish{p.Call.Name, p.Call.Args})
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

package react

import (
	"encoding/json"
	"errors"
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

// wish is a call. Models know arguments by other names too, from other protocols.
type wish struct {
	Name       string `json:"name"`
	Args       any    `json:"args,omitempty"`
	Arguments  any    `json:"arguments,omitempty"`
	Parameters any    `json:"parameters,omitempty"`
	Input      any    `json:"input,omitempty"`
}

// args are those that were given, also as a text; none are nil.
func (w wish) args() (json.RawMessage, error) {
	for _, v := range []any{w.Args, w.Arguments, w.Parameters, w.Input} {
		if text, ok := v.(string); ok {
			return json.RawMessage(text), nil
		}
		if v != nil {
			return encode(v)
		}
	}
	return nil, nil
}

// readJSON reads the calls, or the answer, out of the text. What stands in neither is
// the thought. What is refused stays in the transcript as it was written.
func (r *run) readJSON(resp llm.Response) (t turn, fault string) {
	text := r.Fence.Forget(resp.Text)
	t = turn{Response: resp}
	s, err := llm.Parse[said](text)
	switch {
	case err == nil && len(s.Calls) > 0:
		return r.wished(t, s)
	case err == nil:
		return r.answered(t, s, text)
	}
	t.plain, t.cut = legible(text), resp.Stop == llm.StopLength
	switch {
	case t.cut:
		return t, r.shorter()
	case r.bare(text):
		t.plain = text
		return t, ""
	}
	return t, r.disorder(err)
}

// answered has the answer of s, or the whole text where that is the answer, as one with
// a member that has the name.
func (r *run) answered(t turn, s said, text string) (turn, string) {
	t.plain, _ = textOf(s.Answer)
	err := r.check(t.plain)
	if err != nil && r.bare(text) {
		t.plain, err = text, nil
	}
	if err == nil {
		t.Text = t.plain
	}
	return t, r.refusal(err)
}

// bare says whether a text is the answer itself, without the protocol's object around it.
func (r *run) bare(text string) bool {
	return r.Check != nil && (r.schema != nil || !member.MatchString(text)) && r.Check(text) == nil
}

// wished has the calls of s.
func (r *run) wished(t turn, s said) (turn, string) {
	t.plain = s.Thought
	var all []llm.ToolCall
	for _, w := range s.Calls {
		args, err := w.args()
		if err != nil {
			return t, r.disorder(err)
		}
		all = append(all, llm.ToolCall{Name: w.Name, Args: args})
	}
	t.Text, t.Calls = s.Thought, all
	t.Response = tidy(t.Response, r.Rounds, r.Messages)
	return t, ""
}

func (r *run) disorder(err error) string {
	answer := `"…"`
	if r.schema != nil {
		answer = `{…}`
	}
	return "That is not in order: " + r.reasons(err) + `. Write one JSON object, {"thought": "…", "calls": [{"name": "…", "args": {}}]} or {"thought": "…", "answer": ` + answer + `}.`
}

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

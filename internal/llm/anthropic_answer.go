package llm

import (
	"encoding/json"
)

// anthropicAnswer is a whole answer, and what the first event of a stream holds.
type anthropicAnswer struct {
	Type       string           `json:"type"`
	Role       string           `json:"role"`
	Content    []anthropicBlock `json:"content"`
	StopReason string           `json:"stop_reason"`
	Usage      anthropicUsage   `json:"usage"`
	Error      *reported        `json:"error,omitempty"`
}

type anthropicBlock struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name,omitempty"`
	Input json.RawMessage `json:"input,omitempty"`

	Thinking  string `json:"thinking,omitempty"`
	Signature string `json:"signature,omitempty"` // of a thought
	Data      string `json:"data,omitempty"`      // of a hidden one
}

type anthropicUsage struct {
	Input   count `json:"input_tokens"`
	Output  count `json:"output_tokens"`
	Written count `json:"cache_creation_input_tokens"`
	Read    count `json:"cache_read_input_tokens"`
}

// count takes the greater numbers: the events of a stream give parts of them. Here
// input_tokens are those beside the cache; with us they are all.
func (a *answer) countAnthropic(u anthropicUsage) {
	a.input = max(a.input, int(u.Input+u.Written+u.Read))
	a.cached, a.written = max(a.cached, int(u.Read)), max(a.written, int(u.Written))
	a.output = max(a.output, int(u.Output))
	a.counted = a.input > 0
}

// finishAnthropic reads the reason to stop. An unknown one is an end.
func (a *answer) finishAnthropic(reason string) {
	a.ended = true
	switch reason {
	case "max_tokens", "model_context_window_exceeded":
		a.stop = StopLength
	case "refusal":
		a.stop = StopFilter
	default:
		a.stop = StopEnd
	}
}

// add puts one block into the answer. Thoughts go with the call behind them, as the
// API wants them back; those of an answer without calls, and kinds that are not
// known, have no place in it.
func (a *answer) add(b anthropicBlock, form answerForm) {
	switch {
	case b.Type == "thinking" || b.Type == "redacted_thinking":
		a.thoughts = append(a.thoughts, b.thought())
	case b.Type == "text":
		a.text += b.Text
	case b.Type == "tool_use" && form == byTool && b.Name == answerTool:
		a.text += string(b.Input)
	case b.Type == "tool_use":
		call := newCall(b.ID, b.Name, string(b.Input))
		call.Signature, a.thoughts = signature(a.thoughts), nil
		a.calls = append(a.calls, call)
	}
}

// anthropicThought is a block of thought as it is sent back, unchanged: members that
// are empty are still there.
type anthropicThought struct {
	Type      string  `json:"type"`
	Thinking  *string `json:"thinking,omitempty"`
	Signature *string `json:"signature,omitempty"`
	Data      *string `json:"data,omitempty"`
}

func (b anthropicBlock) thought() anthropicThought {
	if b.Type == "redacted_thinking" {
		return anthropicThought{Type: b.Type, Data: &b.Data}
	}
	return anthropicThought{Type: b.Type, Thinking: &b.Thinking, Signature: &b.Signature}
}

func signature(thoughts []anthropicThought) string {
	if len(thoughts) == 0 {
		return ""
	}
	data, _ := encodeJSON(thoughts) // strings can always be written
	return string(data)
}

func (anthropicAPI) read(data []byte, x *exchange) (answer, error) {
	var whole anthropicAnswer
	if err := json.Unmarshal(data, &whole); err != nil {
		return answer{}, garbled(data, err)
	}
	if whole.Error != nil {
		return answer{}, whole.Error.err(data)
	}
	if whole.Type != "message" {
		return answer{}, &Error{Kind: ErrAnswer, Message: "it is no message: " + excerpt(data)}
	}
	a := answer{begun: true}
	a.countAnthropic(whole.Usage)
	for _, b := range whole.Content {
		a.add(b, x.form)
	}
	a.finishAnthropic(whole.StopReason)
	return a, nil
}

package llm

import (
	"encoding/json"
	"strings"
)

// openAIAnswer is an answer or an event of a stream.
type openAIAnswer struct {
	Choices []*openAIChoice     `json:"choices"`
	Usage   loose[*openAIUsage] `json:"usage,omitzero"`
	Error   *reported           `json:"error,omitempty"`
}

type openAIChoice struct {
	Index        int           `json:"index"`
	Message      openAIMessage `json:"message"`
	Delta        openAIMessage `json:"delta,omitzero"`
	FinishReason string        `json:"finish_reason"`
	Error        *reported     `json:"error,omitempty"` // OpenRouter's place for it
}

type openAIMessage struct {
	Role    string     `json:"role,omitempty"`
	Content openAIText `json:"content"`
	Refusal string     `json:"refusal,omitempty"`
	// Reasoning goes back with the calls; elsewhere it is no part of the answer.
	Reasoning loose[string] `json:"reasoning_content,omitzero"`
	ToolCalls []openAICall  `json:"tool_calls,omitempty"`
}

type openAICall struct {
	Index    int            `json:"index,omitempty"`
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	Function openAIFunction `json:"function"`
}

type openAIFunction struct {
	Name      string     `json:"name"`
	Arguments openAIArgs `json:"arguments"`
}

// openAIText is a text, or a list of parts as some servers send it.
type openAIText string

func (t *openAIText) UnmarshalJSON(data []byte) error {
	var parts []struct{ Type, Text string }
	if json.Unmarshal(data, &parts) == nil {
		for _, p := range parts {
			if p.Type == "" || p.Type == "text" || p.Type == "output_text" { // others are thoughts
				*t += openAIText(p.Text)
			}
		}
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// openAIArgs are arguments in a text, or the object itself as some servers send it.
type openAIArgs string

func (t *openAIArgs) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(t)) != nil {
		*t = openAIArgs(data)
	}
	return nil
}

type openAIUsage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Details    loose[struct {
		Cached  count `json:"cached_tokens"`
		Written count `json:"cache_write_tokens"` // OpenRouter's name
	}] `json:"prompt_tokens_details"`
	CacheHit count `json:"prompt_cache_hit_tokens"` // DeepSeek's older name
}

func (u *openAIUsage) count(a *answer) {
	if u == nil {
		return
	}
	a.counted, a.input, a.output = u.Prompt > 0, int(u.Prompt), int(u.Completion)
	a.cached, a.written = int(max(u.Details.V.Cached, u.CacheHit)), int(u.Details.V.Written)
}

func (openAI) read(data []byte, _ *exchange) (answer, error) {
	var whole openAIAnswer
	if err := json.Unmarshal(data, &whole); err != nil {
		return answer{}, garbled(data, err)
	}
	var a answer
	whole.Usage.V.count(&a)
	none := len(whole.Choices) == 0 || whole.Choices[0] == nil
	switch {
	case whole.Error.says(none):
		return a, whole.Error.err(data)
	case none:
		return a, &Error{Kind: ErrAnswer, Message: "it holds no choice"}
	case whole.Choices[0].Error.says(false):
		return a, whole.Choices[0].Error.err(data)
	}
	choice := whole.Choices[0]
	a.begun, a.ended = true, true
	a.text = withoutThoughts(string(choice.Message.Content))
	for _, c := range choice.Message.ToolCalls {
		a.calls = append(a.calls, newCall(c.ID, c.Function.Name, string(c.Function.Arguments)))
	}
	a.reason(choice.Message.Reasoning.V)
	return a, a.finishOpenAI(choice.FinishReason, choice.Message.Refusal)
}

// withoutThoughts is a text without the thoughts that small servers leave at its
// beginning: they are no part of the answer, and must not go back.
func withoutThoughts(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), "<think>")
	if !ok {
		return text
	}
	if _, after, ok := strings.Cut(rest, "</think>"); ok {
		return strings.TrimLeft(after, " \t\r\n")
	}
	return text // cut off within
}

// finishOpenAI reads the reason to stop. An unknown one is an end.
func (a *answer) finishOpenAI(reason, refusal string) error {
	a.stop = StopEnd
	switch {
	case reason == "length":
		a.stop = StopLength
	case reason == "content_filter", refusal != "":
		a.stop = StopFilter
	case reason == "error", reason == "insufficient_system_resource":
		return &Error{Kind: ErrUnavailable, Message: "the provider stopped: " + reason}
	}
	return nil
}

package llm

import (
	"encoding/json"
	"strings"
)

// openAIAnswer is an answer or an event of a stream.
type openAIAnswer struct {
	Choices []*openAIChoice `json:"choices"`
	Usage   *openAIUsage    `json:"usage,omitempty"`
	Error   *reported       `json:"error,omitempty"`
}

type openAIChoice struct {
	Index        int           `json:"index"`
	Message      openAIMessage `json:"message"`
	Delta        openAIMessage `json:"delta,omitzero"`
	FinishReason string        `json:"finish_reason"`
}

type openAIMessage struct {
	Role      string       `json:"role,omitempty"`
	Content   openAIText   `json:"content"`
	Refusal   string       `json:"refusal,omitempty"`
	ToolCalls []openAICall `json:"tool_calls,omitempty"`
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
	var parts []struct{ Text string }
	if json.Unmarshal(data, &parts) == nil {
		for _, p := range parts {
			*t += openAIText(p.Text)
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
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit int `json:"prompt_cache_hit_tokens"` // DeepSeek's older name
}

func (u *openAIUsage) count(a *answer) {
	if u == nil || u.Prompt <= 0 && u.Completion <= 0 {
		return
	}
	a.counted, a.input, a.output = true, max(u.Prompt, 0), max(u.Completion, 0)
	a.cached = max(u.Details.Cached, u.CacheHit, 0)
}

func (openAI) read(data []byte, _ *exchange) (answer, error) {
	var whole openAIAnswer
	if err := json.Unmarshal(data, &whole); err != nil {
		return answer{}, garbled(data, err)
	}
	var a answer
	whole.Usage.count(&a)
	switch {
	case whole.Error != nil:
		return a, whole.Error.err(data)
	case len(whole.Choices) == 0 || whole.Choices[0] == nil:
		return a, &Error{Kind: ErrAnswer, Message: "it holds no choice"}
	}
	choice := whole.Choices[0]
	a.begun, a.ended = true, true
	a.text = string(choice.Message.Content)
	for _, c := range choice.Message.ToolCalls {
		a.calls = append(a.calls, newCall(c.ID, c.Function.Name, string(c.Function.Arguments)))
	}
	return a, a.finishOpenAI(choice.FinishReason, choice.Message.Refusal)
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

func (openAI) stream(*exchange) assembler { return &openAIStream{} }

type openAIStream struct {
	so      answer
	text    strings.Builder
	refusal string
	calls   []*openAICall
}

func (s *openAIStream) event(data []byte) (string, error) {
	var e openAIAnswer
	if err := json.Unmarshal(data, &e); err != nil {
		return "", garbled(data, err)
	}
	if e.Error != nil {
		return "", e.Error.err(data)
	}
	e.Usage.count(&s.so)
	if len(e.Choices) == 0 || e.Choices[0] == nil || e.Choices[0].Index != 0 {
		return "", nil
	}
	choice := e.Choices[0]
	s.so.begun = true
	s.text.WriteString(string(choice.Delta.Content))
	s.refusal += choice.Delta.Refusal
	for _, c := range choice.Delta.ToolCalls {
		s.call(c)
	}
	if choice.FinishReason != "" {
		s.so.ended = true
		return string(choice.Delta.Content), s.so.finishOpenAI(choice.FinishReason, s.refusal)
	}
	return string(choice.Delta.Content), nil
}

// call adds a piece to the call with its index. Servers without an index begin a
// call with a new ID.
func (s *openAIStream) call(piece openAICall) {
	for i := len(s.calls) - 1; i >= 0; i-- {
		c := s.calls[i]
		if c.Index == piece.Index && (piece.ID == "" || piece.ID == c.ID) {
			c.Function.Name += piece.Function.Name
			c.Function.Arguments += piece.Function.Arguments
			return
		}
	}
	s.calls = append(s.calls, &piece)
}

func (s *openAIStream) answer() answer {
	a := s.so
	a.text = s.text.String()
	for _, c := range s.calls {
		a.calls = append(a.calls, newCall(c.ID, c.Function.Name, string(c.Function.Arguments)))
	}
	return a
}

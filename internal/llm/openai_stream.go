package llm

import (
	"encoding/json"
	"strings"
)

func (openAI) stream(*exchange) assembler { return &openAIStream{} }

type openAIStream struct {
	so      answer
	text    strings.Builder
	refusal string
	calls   []*openAICall
	reasons strings.Builder
}

func (s *openAIStream) event(data []byte) (string, error) {
	var e openAIAnswer
	if err := json.Unmarshal(data, &e); err != nil {
		return "", garbled(data, err)
	}
	if e.Error.says(len(e.Choices) == 0) {
		return "", e.Error.err(data)
	}
	e.Usage.V.count(&s.so)
	if len(e.Choices) == 0 || e.Choices[0] == nil || e.Choices[0].Index != 0 {
		return "", nil
	}
	choice := e.Choices[0]
	if choice.Error.says(false) {
		return "", choice.Error.err(data)
	}
	s.so.begun = true
	s.reasons.WriteString(choice.Delta.Reasoning.V)
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
// call with a new ID, and those without both with a name behind whole arguments. Some
// repeat the name in each piece.
func (s *openAIStream) call(piece openAICall) {
	for i := len(s.calls) - 1; i >= 0; i-- {
		c := s.calls[i]
		if c.Index == piece.Index && (piece.ID == "" || piece.ID == c.ID) {
			if piece.ID == "" && piece.Function.Name != "" && json.Valid([]byte(c.Function.Arguments)) {
				break
			}
			if piece.Function.Name != c.Function.Name {
				c.Function.Name += piece.Function.Name
			}
			c.Function.Arguments += piece.Function.Arguments
			return
		}
	}
	s.calls = append(s.calls, &piece)
}

func (s *openAIStream) answer() answer {
	a := s.so
	a.text = withoutThoughts(s.text.String())
	for _, c := range s.calls {
		a.calls = append(a.calls, newCall(c.ID, c.Function.Name, string(c.Function.Arguments)))
	}
	a.reason(s.reasons.String())
	return a
}

// reason keeps the reasoning with the first call, see giveReasons.
func (a *answer) reason(text string) {
	if len(a.calls) > 0 {
		a.calls[0].Signature = strings.ToValidUTF8(text, "\uFFFD")
	}
}

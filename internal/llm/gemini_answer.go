package llm

import (
	"cmp"
	"encoding/json"
	"strings"
)

// geminiAnswer is a whole answer or an event of a stream.
type geminiAnswer struct {
	Candidates []*geminiCandidate  `json:"candidates"`
	Feedback   *geminiFeedback     `json:"promptFeedback,omitempty"`
	Usage      loose[*geminiUsage] `json:"usageMetadata,omitzero"`
	Error      *reported           `json:"error,omitempty"`
}

type geminiCandidate struct {
	Index        int                 `json:"index"`
	Content      geminiAnswerContent `json:"content"`
	FinishReason string              `json:"finishReason,omitempty"`
}

type geminiAnswerContent struct {
	Role  string       `json:"role"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text      string      `json:"text,omitempty"`
	Thought   bool        `json:"thought,omitempty"`
	Signature string      `json:"thoughtSignature,omitempty"`
	Call      *geminiCall `json:"functionCall,omitempty"`
}

type geminiCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type geminiFeedback struct {
	BlockReason string `json:"blockReason"`
}

type geminiUsage struct {
	Prompt     count `json:"promptTokenCount"`
	Cached     count `json:"cachedContentTokenCount"`
	Candidates count `json:"candidatesTokenCount"`
	Thoughts   count `json:"thoughtsTokenCount"` // billed as output, and not among the candidates'
}

func (geminiAPI) read(data []byte, x *exchange) (answer, error) {
	s := &geminiStream{}
	if _, err := s.event(data); err != nil {
		return s.answer(), err
	}
	a := s.answer()
	if !a.begun {
		return a, &Error{Kind: ErrAnswer, Message: "it holds no candidate"}
	}
	a.ended = true // a whole answer may come without a reason
	return a, nil
}

func (geminiAPI) stream(*exchange) assembler { return &geminiStream{} }

type geminiStream struct {
	so   answer
	text strings.Builder
}

// event reads an answer or a piece of one; both have the same shape.
func (s *geminiStream) event(data []byte) (string, error) {
	var e geminiAnswer
	if err := json.Unmarshal(data, &e); err != nil {
		return "", garbled(data, err)
	}
	if e.Error.says(len(e.Candidates) == 0) {
		return "", e.Error.err(data)
	}
	if u := e.Usage.V; u != nil && u.Prompt > 0 { // the last event has the sums
		s.so.counted = true
		s.so.input, s.so.cached, s.so.output = int(u.Prompt), int(u.Cached), int(u.Candidates+u.Thoughts)
	}
	if e.Feedback != nil && e.Feedback.BlockReason != "" {
		s.so.begun, s.so.ended, s.so.stop = true, true, StopFilter
	}
	if len(e.Candidates) == 0 || e.Candidates[0] == nil || e.Candidates[0].Index != 0 {
		return "", nil
	}
	s.so.begun = true
	delta := s.parts(e.Candidates[0].Content.Parts)
	return delta, s.finish(e.Candidates[0].FinishReason)
}

func (s *geminiStream) parts(parts []geminiPart) (delta string) {
	for _, p := range parts {
		switch {
		case p.Call != nil:
			call := newCall(p.Call.ID, p.Call.Name, string(p.Call.Args))
			call.Signature = p.Signature
			s.so.calls = append(s.so.calls, call)
		case !p.Thought:
			delta += p.Text
		}
	}
	s.text.WriteString(delta)
	return delta
}

// finish reads the reason to stop. langchaingo would fail on a refusal and forget
// what it cost.
func (s *geminiStream) finish(reason string) error {
	switch reason {
	case "", "FINISH_REASON_UNSPECIFIED":
		return nil
	case "MAX_TOKENS":
		s.so.stop = StopLength
	case "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY":
		s.so.stop = StopFilter
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL":
		return &Error{Kind: ErrAnswer, Message: "the model's call could not be read: " + reason}
	}
	s.so.ended = true
	return nil
}

func (s *geminiStream) answer() answer {
	a := s.so
	a.text = s.text.String()
	a.stop = cmp.Or(a.stop, StopEnd)
	return a
}

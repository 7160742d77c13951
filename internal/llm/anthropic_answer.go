package llm

import (
	"encoding/json"
	"strings"
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
}

type anthropicUsage struct {
	Input   int `json:"input_tokens"`
	Output  int `json:"output_tokens"`
	Written int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
}

// count takes the greater numbers: the events of a stream give parts of them. Here
// input_tokens are those beside the cache; with us they are all.
func (a *answer) countAnthropic(u anthropicUsage) {
	a.input = max(a.input, u.Input+u.Written+u.Read)
	a.cached = max(a.cached, u.Read)
	a.output = max(a.output, u.Output)
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

// add puts one block into the answer. Thoughts and kinds that are not known have no
// place in it.
func (a *answer) add(b anthropicBlock, form answerForm) {
	switch {
	case b.Type == "text":
		a.text += b.Text
	case b.Type == "tool_use" && form == byTool && b.Name == answerTool:
		a.text += string(b.Input)
	case b.Type == "tool_use":
		a.calls = append(a.calls, newCall(b.ID, b.Name, string(b.Input)))
	}
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
		return answer{}, &Error{Kind: ErrAnswer, Message: "it is no message: " + clip(string(data[:min(len(data), 200)]))}
	}
	a := answer{begun: true}
	a.countAnthropic(whole.Usage)
	for _, b := range whole.Content {
		a.add(b, x.form)
	}
	a.finishAnthropic(whole.StopReason)
	return a, nil
}

func (anthropicAPI) stream(x *exchange) assembler { return &anthropicStream{form: x.form} }

type anthropicStream struct {
	form   answerForm
	so     answer
	blocks []*growing
}

// growing is a block of which the text or the arguments still come.
type growing struct {
	index int
	anthropicBlock
	grown strings.Builder
}

type anthropicEvent struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Message anthropicAnswer `json:"message"`
	Block   anthropicBlock  `json:"content_block"`
	Delta   struct {
		Text        string `json:"text"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage anthropicUsage `json:"usage"`
	Error *reported      `json:"error"`
}

func (s *anthropicStream) event(data []byte) (string, error) {
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return "", garbled(data, err)
	}
	switch e.Type {
	case "error":
		if e.Error == nil {
			e.Error = &reported{}
		}
		return "", e.Error.err(data)
	case "message_start":
		s.so.begun = true
		s.so.countAnthropic(e.Message.Usage)
	case "content_block_start":
		s.so.begun = true
		b := &growing{index: e.Index, anthropicBlock: e.Block}
		b.grown.WriteString(e.Block.Text)
		s.blocks = append(s.blocks, b)
		return e.Block.Text, nil
	case "content_block_delta":
		return s.grow(e), nil
	case "message_delta":
		s.so.countAnthropic(e.Usage)
		if e.Delta.StopReason != "" {
			s.so.finishAnthropic(e.Delta.StopReason)
		}
	case "message_stop":
		s.so.ended = true
	}
	return "", nil
}

func (s *anthropicStream) grow(e anthropicEvent) string {
	for i := len(s.blocks) - 1; i >= 0; i-- {
		b := s.blocks[i]
		if b.index != e.Index {
			continue
		}
		b.grown.WriteString(e.Delta.Text + e.Delta.PartialJSON)
		if s.form == byTool && b.Name == answerTool {
			return e.Delta.PartialJSON
		}
		return e.Delta.Text
	}
	return ""
}

func (s *anthropicStream) answer() answer {
	a := s.so
	for _, b := range s.blocks {
		block := b.anthropicBlock
		if block.Text = b.grown.String(); block.Type == "tool_use" && block.Text != "" {
			block.Input = json.RawMessage(block.Text)
		}
		a.add(block, s.form)
	}
	if a.stop == "" {
		a.stop = StopEnd
	}
	return a
}

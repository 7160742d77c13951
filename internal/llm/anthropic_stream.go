package llm

import (
	"encoding/json"
	"strings"
)

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
		Thinking    string `json:"thinking"`
		Signature   string `json:"signature"`
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
		b.grown.WriteString(e.Block.Text + e.Block.Thinking)
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
		b.grown.WriteString(e.Delta.Text + e.Delta.PartialJSON + e.Delta.Thinking)
		b.Signature += e.Delta.Signature
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
		switch grown := b.grown.String(); {
		case block.Type == "thinking":
			block.Thinking = grown
		case block.Type == "tool_use" && grown != "":
			block.Input = json.RawMessage(grown)
		default:
			block.Text = grown
		}
		a.add(block, s.form)
	}
	if a.stop == "" {
		a.stop = StopEnd
	}
	return a
}

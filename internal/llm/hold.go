package llm

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"

	"github.com/tmc/langchaingo/llms"
)

// holdFrom is the length from which a text does not go through langchaingo, which
// writes each byte up to three times: that was more than half of the own time of a
// call.
const holdFrom = 512

// hold keeps a text for the transport and gives the word for it. The word is random,
// so that no text, and no argument that a model wrote, can be taken for one.
func (x *exchange) hold(text string) string {
	if len(text) < holdFrom {
		return text
	}
	if x.mark == "" {
		x.mark = rand.Text()
	}
	x.held = append(x.held, text)
	return fmt.Sprintf("%s-%d.", x.mark, len(x.held)-1)
}

// holdTexts puts words in the place of long texts. It comes after the dialect, which
// may join texts or look at them.
func (x *exchange) holdTexts(messages []llms.MessageContent) []llms.MessageContent {
	for _, m := range messages {
		for i, part := range m.Parts {
			switch p := part.(type) {
			case llms.TextContent:
				m.Parts[i] = llms.TextContent{Text: x.hold(p.Text)}
			case llms.ToolCallResponse:
				p.Content = x.hold(p.Content)
				m.Parts[i] = p
			}
		}
	}
	return messages
}

var errHeld = errors.New("langchaingo's request does not hold each text once")

// release puts the held texts into the request. Each must stand there once and alone:
// anything else would send a model a wrong prompt.
func (x *exchange) release(body []byte) ([]byte, error) {
	size := len(body)
	for _, text := range x.held {
		size += len(text) + len(text)/16
	}
	out := bytes.NewBuffer(make([]byte, 0, size))
	put := make([]bool, len(x.held))
	for range x.held {
		before, after, ok := bytes.Cut(body, []byte(`"`+x.mark+"-"))
		number, rest, ends := bytes.Cut(after, []byte(`."`))
		i, err := strconv.Atoi(string(number))
		if !ok || !ends || err != nil || i < 0 || i >= len(put) || put[i] {
			return nil, errHeld
		}
		literal, err := encodeJSON(x.held[i])
		if err != nil {
			return nil, err
		}
		put[i] = true
		out.Write(before)
		out.Write(literal)
		body = rest
	}
	out.Write(body)
	return out.Bytes(), nil
}

package llm

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// cassette is a request with the answers that it got, in one file. It is written for
// people: a text of several lines is a list of lines, and an image is its hash.
type cassette struct {
	Model   string      `json:"model"`
	Request tape        `json:"request"`
	Answers []tapeReply `json:"answers"`
}

type tape struct {
	Messages    []tapeMessage   `json:"messages"`
	Tools       []Tool          `json:"tools,omitempty"`
	NoCalls     bool            `json:"no_calls,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	MaxTokens   int             `json:"max_tokens,omitempty"`
	Temperature float64         `json:"temperature,omitempty"`
	Seed        int             `json:"seed,omitempty"`
}

type tapeMessage struct {
	Role  Role       `json:"role"`
	Parts []tapePart `json:"parts"`
}

type tapePart struct {
	Text   lines       `json:"text,omitempty"`
	Image  string      `json:"image,omitempty"` // type, size and hash
	Call   *ToolCall   `json:"call,omitempty"`
	Result *tapeResult `json:"result,omitempty"`
}

type tapeResult struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Text   lines  `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}

type tapeReply struct {
	Text  lines      `json:"text,omitempty"`
	Calls []ToolCall `json:"calls,omitempty"`
	Stop  Stop       `json:"stop,omitempty"`
	Error *tapeError `json:"error,omitempty"` // in place of an answer
	Usage Usage      `json:"usage"`
}

// lines is a text that is stored as a list where it has more than one line.
type lines string

func (l lines) MarshalJSON() ([]byte, error) {
	if !strings.Contains(string(l), "\n") {
		return encodeJSON(string(l))
	}
	return encodeJSON(strings.Split(string(l), "\n"))
}

func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) == nil {
		*l = lines(strings.Join(list, "\n"))
		return nil
	}
	return json.Unmarshal(data, (*string)(l))
}

func newTape(r Request, scrub scrubber) tape {
	t := tape{Tools: r.Tools, NoCalls: r.NoCalls, Schema: r.Schema, MaxTokens: r.MaxTokens, Temperature: r.Temperature, Seed: r.Seed}
	for _, m := range r.Messages {
		out := tapeMessage{Role: m.Role, Parts: []tapePart{}}
		for _, p := range m.Parts {
			out.Parts = append(out.Parts, newTapePart(p, scrub))
		}
		t.Messages = append(t.Messages, out)
	}
	return t
}

func newTapePart(p Part, scrub scrubber) tapePart {
	out := tapePart{Text: lines(scrub.strict(p.Text))}
	if p.Call != nil {
		c := scrub.call(*p.Call)
		out.Call = &c
	}
	if p.Image != nil {
		out.Image = fmt.Sprintf("%s, %d bytes, sha256 %x", p.Image.MIME, len(p.Image.Data), sha256.Sum256(p.Image.Data))
	}
	if r := p.Result; r != nil {
		out.Result = &tapeResult{r.ID, r.Name, lines(scrub.strict(r.Text)), r.Failed}
	}
	return out
}

// call has no signature, which is long, secret to nobody, and of no use to a replay.
func (s scrubber) call(c ToolCall) ToolCall {
	c.Signature, c.Malformed = "", s.strict(c.Malformed)
	c.Args = maskArgs(c.Args, s.strict)
	return c
}

func newReply(r Response, failed *Error, scrub scrubber) tapeReply {
	out := tapeReply{Text: lines(scrub.strict(r.Text)), Stop: r.Stop, Usage: r.Usage}
	if failed != nil {
		out.Error = newTapeError(failed, scrub)
	}
	for _, c := range r.Calls {
		out.Calls = append(out.Calls, scrub.call(c))
	}
	return out
}

func (t tapeReply) response(model string) Response {
	resp := Response{Model: model, Text: string(t.Text), Stop: t.Stop, Usage: t.Usage}
	for _, c := range t.Calls {
		plain := newCall(c.ID, c.Name, string(c.Args)) // without the indents of the file
		plain.Malformed = cmp.Or(c.Malformed, plain.Malformed)
		resp.Calls = append(resp.Calls, plain)
	}
	return resp
}

// key is made of all that decides the answer, and of the model's name.
func (t tape) key(model string) (string, error) {
	data, err := encodeJSON(struct {
		Model   string
		Request tape
	}{model, t})
	if err != nil {
		return "", fmt.Errorf("key of a request: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]), nil
}

// text is the request as people read it, to find the nearest of those recorded.
func (t tape) text() []string {
	data, err := layOut(t)
	if err != nil {
		return nil // it is for a hint alone
	}
	return strings.Split(string(data), "\n")
}

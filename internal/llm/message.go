package llm

import (
	"encoding/json"
	"strings"
)

// Role says whose message it is.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one turn of a conversation.
type Message struct {
	Role  Role   `json:"role"`
	Parts []Part `json:"parts"`
}

// Part is a piece of a message; exactly one of its fields is set.
type Part struct {
	Text   string      `json:"text,omitempty"`
	Image  *Image      `json:"image,omitempty"`  // of a user
	Call   *ToolCall   `json:"call,omitempty"`   // of an assistant
	Result *ToolResult `json:"result,omitempty"` // of a tool
}

// Image is a picture that goes with a user's text.
type Image struct {
	MIME string `json:"mime"` // image/png, image/jpeg, image/webp, image/gif
	Data []byte `json:"data"`
}

// ToolCall is a call that a model asks for.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Args is always a JSON object, {} where the model wrote something else.
	Args json.RawMessage `json:"args"`
	// Malformed is what the model wrote instead of an object. Such a call is answered
	// with a failed result and not run.
	Malformed string `json:"malformed,omitempty"`
	// Signature belongs to the provider and goes back to it with the call: a mark, or
	// the reasoning that led to the call.
	Signature string `json:"signature,omitempty"`
}

// ToolResult answers the call with the same ID.
type ToolResult struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}

// System is a message with the standing orders.
func System(text string) Message { return Message{RoleSystem, []Part{{Text: text}}} }

// User is a user's message: a text, and the images that it speaks of.
func User(text string, images ...Image) Message {
	m := Message{RoleUser, []Part{{Text: text}}}
	for _, i := range images {
		m.Parts = append(m.Parts, Part{Image: &i})
	}
	return m
}

// Results answers the calls of one turn, all of them and in their order.
func Results(results ...ToolResult) Message {
	m := Message{Role: RoleTool}
	for _, r := range results {
		m.Parts = append(m.Parts, Part{Result: &r})
	}
	return m
}

// Text is the message's text without the other parts.
func (m Message) Text() string {
	var texts []string
	for _, p := range m.Parts {
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// empty are the arguments of a call that has none.
var empty = json.RawMessage("{}")

// newCall makes a call of what a model wrote. Arguments are put into one form, with
// sorted keys, so that all providers give the same transcript.
func newCall(id, name, args string) ToolCall {
	if c, ok := canonical(args); ok {
		return ToolCall{ID: id, Name: name, Args: c}
	}
	return ToolCall{ID: id, Name: name, Args: empty, Malformed: args}
}

// canonical takes an object, an object inside a JSON string, or nothing at all, which
// is also written as null.
func canonical(args string) (json.RawMessage, bool) {
	if blank := strings.Trim(strings.TrimSpace(args), `"`); blank == "" || blank == "null" {
		return empty, true
	}
	v, err := decodeJSON([]byte(args))
	if s, ok := v.(string); ok && err == nil {
		v, err = decodeJSON([]byte(s))
	}
	if object, ok := v.(map[string]any); err != nil || !ok || object == nil {
		return nil, false
	}
	data, err := encodeJSON(v)
	return data, err == nil
}

package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// maxKey leaves room for what the transport adds: servers take 255 bytes. Decode's
// additions are within it, so that a caller's own key should be of 200 at most.
const maxKey = 220

// check refuses what some provider would refuse, so that all behave the same.
func (r Request) check() error {
	if !slices.ContainsFunc(r.Messages, func(m Message) bool { return m.Role == RoleUser }) {
		return errors.New("the request has no message of a user")
	}
	if last := r.Messages[len(r.Messages)-1].Role; last != RoleUser && last != RoleTool {
		return fmt.Errorf("the request ends with a message of the %s, want one of the user or of a tool", last)
	}
	for i, m := range r.Messages {
		if err := m.check(); err != nil {
			return fmt.Errorf("message %d of the %s: %w", i+1, m.Role, err)
		}
	}
	if len(r.Key) > maxKey || strings.ContainsFunc(r.Key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return fmt.Errorf("the idempotency key is not of 1 to %d visible ASCII characters", maxKey)
	}
	for _, t := range r.Tools {
		if t.Name == "" || len(t.Schema) > 0 && !json.Valid(t.Schema) {
			return fmt.Errorf("tool %q has no name or a schema that is not JSON", t.Name)
		}
	}
	if r.Schema != nil && !json.Valid(r.Schema) {
		return errors.New("the schema of the answer is not JSON")
	}
	return nil
}

// imageTypes are those that all providers take.
var imageTypes = []string{"image/png", "image/jpeg", "image/webp", "image/gif"}

func (m Message) check() error {
	if !slices.Contains([]Role{RoleSystem, RoleUser, RoleAssistant, RoleTool}, m.Role) {
		return errors.New("no such role")
	}
	for _, p := range m.Parts {
		if !p.fits(m.Role) {
			return errors.New("a part that this role cannot have")
		}
		if p.Image != nil && !slices.Contains(imageTypes, p.Image.MIME) {
			return fmt.Errorf("an image of the type %q: use one of %s", clip(p.Image.MIME), strings.Join(imageTypes, ", "))
		}
	}
	return nil
}

func (p Part) fits(role Role) bool {
	switch {
	case p.Image != nil:
		return role == RoleUser
	case p.Call != nil:
		return role == RoleAssistant && json.Valid(p.Call.Args)
	case p.Result != nil:
		return role == RoleTool
	}
	return role != RoleTool
}

// calls are those of the whole conversation, in order.
func (r Request) calls() iter.Seq[ToolCall] {
	return func(yield func(ToolCall) bool) {
		for _, m := range r.Messages {
			for _, p := range m.Parts {
				if p.Call != nil && !yield(*p.Call) {
					return
				}
			}
		}
	}
}

// request puts the exchange into langchaingo's words.
func (x *exchange) request() ([]llms.MessageContent, []llms.CallOption, error) {
	x.held = nil
	system, err := x.system()
	if err != nil {
		return nil, nil, err
	}
	var messages []llms.MessageContent
	if system != "" {
		messages = append(messages, llms.TextParts(llms.ChatMessageTypeSystem, system))
	}
	for _, m := range x.req.Messages {
		if m.Role != RoleSystem {
			messages = append(messages, x.provider.wire.message(m)...)
		}
	}
	options := []llms.CallOption{
		llms.WithModel(x.model), llms.WithMaxTokens(x.req.MaxTokens), llms.WithTemperature(x.req.Temperature), llms.WithSeed(x.req.Seed),
	}
	if x.form == byObject {
		options = append(options, llms.WithJSONMode())
	}
	if x.provider.legacy {
		options = append(options, llms.WithMetadata(map[string]any{"openai:use_legacy_max_tokens": true}))
	}
	if tools := x.provider.wire.tools(x.tools()); len(tools) > 0 {
		options = append(options, llms.WithTools(tools))
	}
	return x.holdTexts(messages), options, nil
}

// system gathers the standing orders in one text: langchaingo's Anthropic client
// glues several together, and its Gemini client keeps the last.
func (x *exchange) system() (string, error) {
	var texts []string
	for _, m := range x.req.Messages {
		if m.Role == RoleSystem {
			texts = append(texts, m.Text())
		}
	}
	if x.req.Schema != nil && x.explains() {
		ask, err := prompt("schema", struct{ Schema string }{string(x.req.Schema)})
		if err != nil {
			return "", err
		}
		texts = append(texts, ask)
	}
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n"), nil
}

// explains says whether the prompt asks for JSON: in all forms where nothing else does,
// or where that may be for nothing.
func (x *exchange) explains() bool {
	return x.form == byText || x.form == byObject || x.form == bySchema && x.provider.unsure
}

// functions are the tools in langchaingo's words.
func functions(tools []Tool, parameters func(Tool) any) []llms.Tool {
	var all []llms.Tool
	for _, t := range tools {
		all = append(all, llms.Tool{Type: "function", Function: &llms.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: parameters(t),
		}})
	}
	return all
}

func rawSchema(t Tool) any { return schemaObject(t.Schema) }

func lcCall(c ToolCall) llms.ToolCall {
	return llms.ToolCall{ID: c.ID, Type: "function", FunctionCall: &llms.FunctionCall{Name: c.Name, Arguments: string(c.Args)}}
}

func lcResult(r ToolResult) llms.ToolCallResponse {
	return llms.ToolCallResponse{ToolCallID: r.ID, Name: r.Name, Content: r.Text}
}

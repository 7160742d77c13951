package llm

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// openAI is the API of OpenAI's chat completions, which most servers speak.
type openAI struct{}

// placeholder stands where langchaingo wants a key or an address: the transport sets
// the real ones, so that nothing above it can show or misdirect them.
const placeholder = "none"

func (openAI) open(client *http.Client, model string) (llms.Model, error) {
	return openai.New(openai.WithHTTPClient(client), openai.WithModel(model), openai.WithToken(placeholder),
		openai.WithBaseURL("http://"+placeholder)) // else it reads the environment
}

// message gives one message for each result, as the API has it. The texts of a message
// without an image are one: langchaingo writes several as a list, and many servers take
// a string alone. An image is a URL with its data, as langchaingo's binary part is of no
// type that OpenAI knows.
func (openAI) message(m Message) []llms.MessageContent {
	if m.Role == RoleTool {
		return eachResult(m)
	}
	out := llms.MessageContent{Role: lcRole(m.Role)}
	for _, p := range joined(m).Parts {
		switch {
		case p.Image != nil:
			url := "data:" + p.Image.MIME + ";base64," + base64.StdEncoding.EncodeToString(p.Image.Data)
			out.Parts = append(out.Parts, llms.ImageURLContent{URL: url})
		case p.Call != nil:
			out.Parts = append(out.Parts, lcCall(*p.Call))
		case p.Text != "":
			out.Parts = append(out.Parts, llms.TextContent{Text: p.Text})
		}
	}
	return filled(out)
}

// joined is m with its texts in one, in front of its calls; one with an image is left.
func joined(m Message) Message {
	if slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Image != nil }) {
		return m
	}
	parts := []Part{{Text: m.Text()}}
	for _, p := range m.Parts {
		if p.Call != nil {
			parts = append(parts, p)
		}
	}
	return Message{Role: m.Role, Parts: parts}
}

func lcRole(r Role) llms.ChatMessageType {
	if r == RoleAssistant {
		return llms.ChatMessageTypeAI
	}
	return llms.ChatMessageTypeHuman
}

func eachResult(m Message) []llms.MessageContent {
	var all []llms.MessageContent
	for _, p := range m.Parts {
		all = append(all, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{lcResult(*p.Result)}})
	}
	return all
}

// filled drops a message without content, which no API takes.
func filled(m llms.MessageContent) []llms.MessageContent {
	if len(m.Parts) == 0 {
		return nil
	}
	return []llms.MessageContent{m}
}

func (openAI) tools(tools []Tool) []llms.Tool { return functions(tools, rawSchema) }

func (openAI) path(string, bool) string { return "/chat/completions" }

func (openAI) authorize(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) }

// sampled models take no temperature; langchaingo sends one to o1 and o4.
var sampled = regexp.MustCompile(`^(?:o\d|gpt-5)`)

func (openAI) patch(body fields, x *exchange) error {
	if x.cold || x.provider.name == "openai" && sampled.MatchString(x.model) {
		delete(body, "temperature")
	}
	if err := giveReasons(body, x); err != nil {
		return err
	}
	if x.quiet() {
		body["tool_choice"] = json.RawMessage(`"none"`)
	}
	if x.form == bySchema {
		// langchaingo's own type for this has no anyOf, no bounds and no null.
		format := schemaFormat{Type: "json_schema"}
		format.JSONSchema.Name, format.JSONSchema.Schema = "answer", x.req.Schema
		if err := body.set("response_format", format); err != nil {
			return err
		}
	}
	if x.req.Stream == nil {
		return nil
	}
	body["stream"] = json.RawMessage("true")
	return body.set("stream_options", map[string]bool{"include_usage": true})
}

type schemaFormat struct {
	Type       string `json:"type"`
	JSONSchema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// giveReasons gives turns with calls the reasoning that came with them: DeepSeek's
// thinking models refuse a conversation without (its guide "Thinking Mode", 2026-11),
// even where it is empty, and langchaingo has no place for it.
func giveReasons(body fields, x *exchange) error {
	always := x.provider.name == "deepseek"
	var reasons []string
	some := false
	for _, m := range x.req.Messages {
		if i := slices.IndexFunc(m.Parts, func(p Part) bool { return p.Call != nil }); i >= 0 {
			reasons = append(reasons, m.Parts[i].Call.Signature)
			some = some || always || m.Parts[i].Call.Signature != ""
		}
	}
	if !some {
		return nil
	}
	messages, err := elements(body["messages"])
	if err != nil {
		return err
	}
	for _, m := range messages {
		if m["tool_calls"] == nil || len(reasons) == 0 {
			continue
		}
		if reason := reasons[0]; always || reason != "" {
			if err := m.set("reasoning_content", reason); err != nil {
				return err
			}
		}
		reasons = reasons[1:]
	}
	body["messages"] = list(messages)
	return nil
}

func (openAI) write(a answer, _ string) ([]byte, error) {
	message := openAIMessage{Role: "assistant", Content: openAIText(a.text)}
	for _, c := range a.calls {
		message.ToolCalls = append(message.ToolCalls, openAICall{ID: c.ID, Type: "function", Function: openAIFunction{c.Name, openAIArgs(c.Args)}})
	}
	return encodeJSON(openAIAnswer{Choices: []*openAIChoice{{Message: message, FinishReason: "stop"}}})
}

package llm

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
)

// anthropicAPI is Anthropic's API of messages.
type anthropicAPI struct{}

// answerTool is the tool that takes the answer where a schema is asked for.
const answerTool = "answer"

func (anthropicAPI) open(client *http.Client, model string) (llms.Model, error) {
	return anthropic.New(anthropic.WithHTTPClient(client), anthropic.WithModel(model), anthropic.WithToken(placeholder),
		anthropic.WithBaseURL("http://"+placeholder))
}

// message gives one message for each part of an assistant, as langchaingo sends the
// first part alone; patch joins them again.
func (anthropicAPI) message(m Message) []llms.MessageContent {
	if m.Role == RoleTool {
		return eachResult(m)
	}
	var all []llms.MessageContent
	for _, p := range m.Parts {
		if part := binaryPart(p); part != nil {
			all = append(all, llms.MessageContent{Role: lcRole(m.Role), Parts: []llms.ContentPart{part}})
		}
	}
	return all
}

// binaryPart is a part with an image as its bytes; nil is none.
func binaryPart(p Part) llms.ContentPart {
	switch {
	case p.Image != nil:
		return llms.BinaryContent{MIMEType: p.Image.MIME, Data: p.Image.Data}
	case p.Call != nil:
		return lcCall(*p.Call)
	case p.Result != nil:
		return lcResult(*p.Result)
	case strings.TrimSpace(p.Text) != "": // Anthropic refuses a blank text
		return llms.TextContent{Text: p.Text}
	}
	return nil
}

func (anthropicAPI) tools(tools []Tool) []llms.Tool { return functions(tools, rawSchema) }

func (anthropicAPI) path(string, bool) string { return "/messages" }

func (anthropicAPI) authorize(h http.Header, key string) {
	h.Set("X-Api-Key", key)
	h.Set("Anthropic-Version", "2023-06-01")
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

func (anthropicAPI) write(a answer, _ string) ([]byte, error) {
	out := anthropicAnswer{Type: "message", Role: "assistant", StopReason: "end_turn"}
	if a.text != "" || len(a.calls) == 0 { // langchaingo takes no answer without a block
		out.Content = append(out.Content, anthropicBlock{Type: "text", Text: a.text})
	}
	for _, c := range a.calls {
		out.Content = append(out.Content, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: c.Args})
	}
	return encodeJSON(out)
}

package llm

import (
	"encoding/json"
	"net/http"

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
	case p.Text != "":
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

func (anthropicAPI) patch(body fields, x *exchange) error {
	if err := joinTurns(body, x.req); err != nil {
		return err
	}
	if x.form == byTool {
		tool := anthropicTool{answerTool, "Takes your answer.", x.req.Schema}
		if err := body.set("tools", []anthropicTool{tool}); err != nil {
			return err
		}
		if err := body.set("tool_choice", map[string]string{"type": "tool", "name": answerTool}); err != nil {
			return err
		}
	}
	if x.req.Stream != nil {
		body["stream"] = json.RawMessage("true")
	}
	return nil
}

// joinTurns makes one message of neighbours with the same role: all results of a
// turn must stand in the message after it. It also marks the results that failed,
// which langchaingo has no word for.
func joinTurns(body fields, req Request) error {
	messages, err := elements(body["messages"])
	if err != nil {
		return err
	}
	failed := failedResults(req)
	var roles []string
	var turns [][]fields
	for _, m := range messages {
		blocks, err := elements(m["content"])
		if err != nil {
			return err
		}
		for _, block := range blocks {
			if failed[string(block["tool_use_id"])] {
				block["is_error"] = json.RawMessage("true")
			}
		}
		if last := len(roles) - 1; last >= 0 && roles[last] == string(m["role"]) {
			turns[last] = append(turns[last], blocks...)
			continue
		}
		roles, turns = append(roles, string(m["role"])), append(turns, blocks)
	}
	var joined []fields
	for i, blocks := range turns {
		joined = append(joined, fields{"role": json.RawMessage(roles[i]), "content": list(blocks)})
	}
	body["messages"] = list(joined)
	return nil
}

// failedResults are the IDs of results that failed, as JSON.
func failedResults(req Request) map[string]bool {
	failed := map[string]bool{}
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			if p.Result != nil && p.Result.Failed {
				id, _ := json.Marshal(p.Result.ID) // a string can always be written
				failed[string(id)] = true
			}
		}
	}
	return failed
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

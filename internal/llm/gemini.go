package llm

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// geminiAPI is Google's API of Gemini.
type geminiAPI struct{}

// message gives one message with all its parts: the results of a turn must be as
// many as its calls.
func (geminiAPI) message(m Message) []llms.MessageContent {
	out := llms.MessageContent{Role: lcRole(m.Role)}
	if m.Role == RoleTool {
		out.Role = llms.ChatMessageTypeTool
	}
	for _, p := range m.Parts {
		if part := binaryPart(p); part != nil {
			out.Parts = append(out.Parts, part)
		}
	}
	return filled(out)
}

// tools gives none: langchaingo would drop enums and bounds from the schemas, and
// take no tool without arguments. patch adds them.
func (geminiAPI) tools([]Tool) []llms.Tool { return nil }

// path does not take over langchaingo's query, which asks for enums as numbers.
func (geminiAPI) path(model string, stream bool) string {
	if stream {
		return "/models/" + url.PathEscape(model) + ":streamGenerateContent?alt=sse"
	}
	return "/models/" + url.PathEscape(model) + ":generateContent"
}

func (geminiAPI) authorize(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) }

type geminiTools struct {
	Functions []geminiFunction `json:"functionDeclarations"`
}

type geminiFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parametersJsonSchema"`
}

func (geminiAPI) patch(body fields, x *exchange) error {
	if err := geminiConfig(body, x); err != nil {
		return err
	}
	if err := sign(body, x.req); err != nil {
		return err
	}
	if x.quiet() {
		body["toolConfig"] = json.RawMessage(`{"functionCallingConfig":{"mode":"NONE"}}`)
	}
	if len(x.tools()) == 0 {
		return nil
	}
	var list geminiTools
	for _, t := range x.tools() {
		list.Functions = append(list.Functions, geminiFunction{t.Name, t.Description, schemaObject(t.Schema)})
	}
	return body.set("tools", []geminiTools{list})
}

// geminiConfig takes out the sampling that langchaingo sets unasked, and puts in
// what it has no option for.
func geminiConfig(body fields, x *exchange) error {
	config, err := members(body["generationConfig"])
	if err != nil {
		return err
	}
	delete(config, "topK")
	delete(config, "topP")
	if x.req.Seed != 0 {
		if err := config.set("seed", x.req.Seed); err != nil {
			return err
		}
	}
	if x.form == bySchema {
		config["responseMimeType"] = json.RawMessage(`"application/json"`)
		config["responseJsonSchema"] = x.req.Schema
	}
	delete(body, "model") // the path says it
	body["generationConfig"] = config.text()
	return nil
}

// sign gives calls the signatures that came with them: Gemini 3 refuses a
// conversation without, and langchaingo has no place for them.
func sign(body fields, req Request) error {
	calls := slices.Collect(req.calls())
	if !slices.ContainsFunc(calls, func(c ToolCall) bool { return c.Signature != "" }) {
		return nil
	}
	contents, err := elements(body["contents"])
	if err != nil {
		return err
	}
	for _, c := range contents {
		parts, err := elements(c["parts"])
		if err != nil {
			return err
		}
		for _, part := range parts {
			if part["functionCall"] == nil || len(calls) == 0 {
				continue
			}
			if s := calls[0].Signature; s != "" {
				if err := part.set("thoughtSignature", s); err != nil {
					return err
				}
			}
			calls = calls[1:]
		}
		c["parts"] = list(parts)
	}
	body["contents"] = list(contents)
	return nil
}

// write gives a list where langchaingo's client, for a chat, waits for a stream.
func (geminiAPI) write(a answer, asked string) ([]byte, error) {
	content := geminiAnswerContent{Role: "model"}
	if a.text != "" {
		content.Parts = append(content.Parts, geminiPart{Text: a.text})
	}
	for _, c := range a.calls {
		content.Parts = append(content.Parts, geminiPart{Call: &geminiCall{Name: c.Name, Args: c.Args}})
	}
	whole := geminiAnswer{Candidates: []*geminiCandidate{{Content: content, FinishReason: "STOP"}}}
	if strings.HasSuffix(asked, ":streamGenerateContent") {
		return encodeJSON([]geminiAnswer{whole})
	}
	return encodeJSON(whole)
}

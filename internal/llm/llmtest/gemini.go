package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

type geminiSpeech struct{}

type geminiRequest struct {
	System   geminiContent `json:"systemInstruction"`
	Contents []geminiContent
	Tools    []struct {
		Functions []struct {
			Name       string
			Parameters json.RawMessage `json:"parametersJsonSchema"`
			Older      json.RawMessage `json:"parameters"` // of OpenAPI, without lists of types
		} `json:"functionDeclarations"`
	}
	ToolConfig struct {
		Calling struct{ Mode string } `json:"functionCallingConfig"`
	}
	Config struct {
		MaxTokens int `json:"maxOutputTokens"`
		TopK      *int
	} `json:"generationConfig"`
}

type geminiContent struct {
	Role  string
	Parts []geminiPart
}

type geminiPart struct {
	Text string
	Blob *struct{ MimeType, Data string } `json:"inlineData"`
	Call *struct {
		Name string
		Args json.RawMessage
	} `json:"functionCall"`
	Result *struct {
		Name     string
		Response struct{ Response string }
	} `json:"functionResponse"`
	Signature string `json:"thoughtSignature"`
}

func (geminiSpeech) hear(r *http.Request, body []byte) (Heard, error) {
	var req geminiRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Heard{}, err
	}
	whole := strings.HasSuffix(r.URL.Path, ":generateContent") && r.URL.RawQuery == ""
	h := hearing{Heard: Heard{Stream: strings.HasSuffix(r.URL.Path, ":streamGenerateContent") && r.URL.RawQuery == "alt=sse"}}
	if !strings.HasPrefix(r.URL.Path, "/v1/models/") || !whole && !h.Stream || req.Config.MaxTokens == 0 || req.Config.TopK != nil {
		return h.Heard, fmt.Errorf("path %s, or no limit of tokens, or sampling that nobody asked for", r.URL)
	}
	for _, p := range req.System.Parts {
		h.say("system", p.Text)
	}
	for _, c := range req.Contents {
		if err := c.hear(&h); err != nil {
			return h.Heard, err
		}
	}
	for _, t := range req.Tools {
		for _, f := range t.Functions {
			if f.Older != nil {
				return h.Heard, fmt.Errorf("the parameters of %s in the older form", f.Name)
			}
			h.Tools = append(h.Tools, f.Name+" "+string(f.Parameters))
		}
	}
	h.NoCalls = req.ToolConfig.Calling.Mode == "NONE"
	return h.Heard, h.choose(req.ToolConfig.Calling.Mode != "")
}

// hear wants as many results as there were calls.
func (c geminiContent) hear(h *hearing) error {
	who := map[string]string{"user": "user", "model": "assistant"}[c.Role]
	switch waiting := len(h.open); {
	case who == "" || len(c.Parts) == 0:
		return fmt.Errorf("a content of the role %q with %d parts", c.Role, len(c.Parts))
	case waiting > 0 && len(c.Parts) != waiting:
		return fmt.Errorf("%d results for the calls %v", len(c.Parts), h.open)
	}
	for _, p := range c.Parts {
		if err := p.hear(h, who); err != nil {
			return err
		}
	}
	return nil
}

func (p geminiPart) hear(h *hearing, who string) error {
	switch {
	case p.Blob != nil:
		h.say(who, "["+p.Blob.MimeType+" "+p.Blob.Data+"]")
	case p.Call != nil:
		h.call(p.Call.Name, p.Call.Name, compact(p.Call.Args))
	case p.Result != nil:
		return h.result(p.Result.Name, "tool says "+p.Result.Response.Response)
	case p.Text == "":
		return errors.New("an empty part")
	default:
		h.say(who, p.Text)
	}
	return nil
}

func (geminiSpeech) reason(t Turn) string {
	switch t.stop() {
	case llm.StopLength:
		return "MAX_TOKENS"
	case llm.StopFilter:
		return "SAFETY"
	}
	return "STOP" // for calls too
}

func (s geminiSpeech) whole(t Turn) []byte {
	parts := []object{}
	if t.Thought != "" {
		parts = append(parts, object{"text": t.Thought, "thought": true})
	}
	if t.Text != "" {
		parts = append(parts, object{"text": t.Text})
	}
	return encode(s.answer(t, append(parts, s.calls(t)...), s.reason(t), t.Output))
}

// calls have no ID, and the first of a turn has a signature.
func (geminiSpeech) calls(t Turn) []object {
	var all []object
	for _, c := range t.Calls {
		part := object{"functionCall": object{"name": c.Name, "args": c.Args}}
		if c.Signature != "" {
			part["thoughtSignature"] = c.Signature
		}
		all = append(all, part)
	}
	return all
}

func (geminiSpeech) answer(t Turn, parts []object, reason string, output int) object {
	candidate := object{"content": object{"role": "model", "parts": parts}, "index": 0}
	if reason != "" {
		candidate["finishReason"] = reason
	}
	a := object{"candidates": []object{candidate}, "modelVersion": "m"}
	if !t.NoUsage {
		a["usageMetadata"] = object{"promptTokenCount": t.Input, "cachedContentTokenCount": t.Cached, "candidatesTokenCount": output, "totalTokenCount": t.Input + output}
	}
	return a
}

// events repeat the usage, and it grows.
func (s geminiSpeech) events(t Turn) [][]byte {
	var all [][]byte
	if t.Thought != "" {
		all = append(all, event(s.answer(t, []object{{"text": t.Thought, "thought": true}}, "", 1)))
	}
	if t.Text != "" {
		for _, p := range pieces(t.Text) {
			all = append(all, event(s.answer(t, []object{{"text": p}}, "", 1)))
		}
	}
	for _, c := range s.calls(t) {
		all = append(all, event(s.answer(t, []object{c}, "", 1)))
	}
	return append(all, event(s.answer(t, []object{{"text": ""}}, s.reason(t), t.Output)))
}

func (geminiSpeech) refuse(status int, message string) []byte {
	return encode(object{"error": object{"code": status, "message": message, "status": "ERROR"}})
}

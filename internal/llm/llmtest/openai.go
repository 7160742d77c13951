package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

type openAISpeech struct{ ollama bool }

type openAIRequest struct {
	Model         string
	Stream        bool
	MaxTokens     int `json:"max_tokens"`
	MaxCompletion int `json:"max_completion_tokens"`
	Messages      []openAIMessage
	Choice        json.RawMessage `json:"tool_choice"`
	Tools         []struct {
		Type     string
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
}

type openAIMessage struct {
	Role       string
	Content    json.RawMessage
	ToolCallID string `json:"tool_call_id"`
	Reasoning  string `json:"reasoning_content"`
	ToolCalls  []struct {
		ID, Type string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func (openAISpeech) hear(r *http.Request, body []byte) (Heard, error) {
	var req openAIRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Heard{}, err
	}
	h := hearing{Heard: Heard{Stream: req.Stream}}
	if r.URL.Path != "/v1/chat/completions" || req.Model == "" || req.MaxTokens+req.MaxCompletion == 0 {
		return h.Heard, fmt.Errorf("path %s, model %q, or no limit of tokens", r.URL.Path, req.Model)
	}
	for _, m := range req.Messages {
		if err := m.hear(&h); err != nil {
			return h.Heard, err
		}
	}
	for _, t := range req.Tools {
		h.Tools = append(h.Tools, t.Function.Name+" "+string(t.Function.Parameters))
	}
	h.NoCalls = string(req.Choice) == `"none"`
	return h.Heard, h.choose(req.Choice != nil)
}

func (m openAIMessage) hear(h *hearing) error {
	text, err := openAIContent(m.Content)
	switch {
	case err != nil:
		return err
	case m.Role == "tool":
		return h.result(m.ToolCallID, "tool says "+strings.Join(text, ""))
	case len(h.open) > 0:
		return fmt.Errorf("no results for the calls %v", h.open)
	case len(text) == 0 && len(m.ToolCalls) == 0:
		return errors.New("an empty message")
	}
	if m.Reasoning != "" {
		h.think(m.Reasoning)
	}
	h.say(m.Role, text...)
	for _, c := range m.ToolCalls {
		if c.Type != "function" || !json.Valid([]byte(c.Function.Arguments)) {
			return fmt.Errorf("call %+v", c)
		}
		h.call(c.ID, c.Function.Name, c.Function.Arguments)
	}
	return nil
}

// openAIContent takes a text, or a list of texts and images. One of texts alone is
// refused, as by servers that take a string for it.
func openAIContent(raw json.RawMessage) ([]string, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if text == "" {
			return nil, nil
		}
		return []string{text}, nil
	}
	var parts []struct {
		Type, Text string
		ImageURL   struct{ URL string } `json:"image_url"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return nil, err
	}
	var all []string
	images := 0
	for _, p := range parts {
		switch {
		case p.Type == "text":
			all = append(all, p.Text)
		case p.Type == "image_url" && strings.HasPrefix(p.ImageURL.URL, "data:image/"):
			images++
			all = append(all, "["+strings.Replace(strings.TrimPrefix(p.ImageURL.URL, "data:"), ";base64,", " ", 1)+"]")
		default:
			return nil, fmt.Errorf("a part of type %q", p.Type)
		}
	}
	if images == 0 {
		return nil, errors.New("invalid type: sequence, expected a string")
	}
	return all, nil
}

func (o openAISpeech) reason(t Turn) string {
	switch t.stop() {
	case llm.StopLength:
		if o.ollama {
			return "stop"
		}
		return "length"
	case llm.StopTools:
		return "tool_calls"
	case llm.StopFilter:
		return "content_filter"
	}
	return "stop"
}

type object = map[string]any

func (o openAISpeech) usage(t Turn) any {
	if t.NoUsage {
		return nil
	}
	u := object{"prompt_tokens": t.Input, "completion_tokens": t.Output, "total_tokens": t.Input + t.Output}
	if !o.ollama {
		u["prompt_tokens_details"] = object{"cached_tokens": t.Cached, "audio_tokens": 0}
	}
	return u
}

func (o openAISpeech) whole(t Turn) []byte {
	message := object{"role": "assistant", "content": t.Text, "refusal": nil}
	if t.Text == "" && !o.ollama {
		message["content"] = nil
	}
	if t.Thought != "" && !o.ollama {
		message["reasoning_content"] = t.Thought
	}
	var calls []object
	for i, c := range t.Calls {
		calls = append(calls, object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": string(c.Args)}})
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	return encode(object{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "system_fingerprint": "fp",
		"choices": []object{{"index": 0, "message": message, "logprobs": nil, "finish_reason": o.reason(t)}},
		"usage":   o.usage(t),
	})
}

// events mixes the pieces of parallel calls, as the API may.
func (o openAISpeech) events(t Turn) [][]byte {
	all := [][]byte{[]byte(": a comment\n\n"), o.chunk(object{"role": "assistant", "content": ""}, nil)}
	if t.Thought != "" && !o.ollama {
		for _, p := range pieces(t.Thought) {
			all = append(all, o.chunk(object{"content": nil, "reasoning_content": p}, nil))
		}
	}
	for _, p := range pieces(t.Text) {
		all = append(all, o.chunk(object{"content": p}, nil))
	}
	args := make([][]string, len(t.Calls))
	for i, c := range t.Calls {
		first := object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": ""}}
		all = append(all, o.chunk(object{"tool_calls": []object{first}}, nil))
		args[i] = pieces(string(c.Args))
	}
	for more := true; more; {
		more = false
		for i := range args {
			if len(args[i]) > 0 {
				piece := object{"index": i, "function": object{"arguments": args[i][0]}}
				all = append(all, o.chunk(object{"tool_calls": []object{piece}}, nil))
				args[i], more = args[i][1:], true
			}
		}
	}
	all = append(all, o.chunk(object{}, o.reason(t)))
	if u := o.usage(t); u != nil {
		all = append(all, event(object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": []object{}, "usage": u}))
	}
	return append(all, []byte("data: [DONE]\n\n"))
}

func (openAISpeech) chunk(delta object, reason any) []byte {
	return event(object{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
		"choices": []object{{"index": 0, "delta": delta, "finish_reason": reason}},
	})
}

func (openAISpeech) refuse(status int, message string) []byte {
	return encode(object{"error": object{"message": message, "type": "error", "param": nil, "code": nil}})
}

// compact takes out the blanks, which protobuf's JSON has at random.
func compact(data json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		return err.Error()
	}
	return b.String()
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps and texts of ours can be written
	}
	return data
}

func event(v any) []byte { return append(append([]byte("data: "), encode(v)...), "\n\n"...) }

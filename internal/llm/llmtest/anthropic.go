package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

type anthropicSpeech struct{}

// thoughtSignature must come back with a thought.
const thoughtSignature = "signed=="

type anthropicRequest struct {
	Model     string
	System    []anthropicPart
	Stream    bool
	MaxTokens int `json:"max_tokens"`
	Messages  []anthropicMessage
	Choice    struct{ Type string } `json:"tool_choice"`
	Tools     []struct {
		Name        string
		InputSchema json.RawMessage `json:"input_schema"`
	}
}

type anthropicMessage struct {
	Role    string
	Content []anthropicPart
}

type anthropicPart struct {
	Type, Text, ID, Name string
	Input                json.RawMessage
	Thinking, Signature  string
	Cache                *struct{ Type string } `json:"cache_control"`
	ToolUseID            string                 `json:"tool_use_id"`
	Content              string
	IsError              bool `json:"is_error"`
	Source               struct {
		Type, Data string
		MediaType  string `json:"media_type"`
	}
}

func (anthropicSpeech) hear(r *http.Request, body []byte) (Heard, error) {
	var req anthropicRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return Heard{}, err
	}
	h := hearing{Heard: Heard{Stream: req.Stream}}
	if r.URL.Path != "/v1/messages" || req.Model == "" || req.MaxTokens == 0 || r.Header.Get("Anthropic-Version") == "" {
		return h.Heard, fmt.Errorf("path %s, model %q, no limit of tokens or no version", r.URL.Path, req.Model)
	}
	for _, p := range req.System {
		if err := p.hear(&h, "system"); err != nil {
			return h.Heard, err
		}
	}
	for i, m := range req.Messages {
		if want := []string{"user", "assistant"}[i%2]; m.Role != want || len(m.Content) == 0 {
			return h.Heard, fmt.Errorf("message %d is of the %s, want of the %s and not empty", i, m.Role, want)
		}
		if err := m.hear(&h); err != nil {
			return h.Heard, err
		}
	}
	for _, t := range req.Tools {
		h.Tools = append(h.Tools, t.Name+" "+string(t.InputSchema))
	}
	h.NoCalls = req.Choice.Type == "none"
	if err := h.choose(req.Choice.Type != ""); err != nil {
		return h.Heard, err
	}
	if h.called && len(h.Tools) == 0 {
		return h.Heard, errors.New("calls in the conversation, and no tools")
	}
	if len(h.Marked) > 4 {
		return h.Heard, fmt.Errorf("%d marks for the cache, want at most 4", len(h.Marked))
	}
	return h.Heard, nil
}

// hear wants the results of the last message's calls first.
func (m anthropicMessage) hear(h *hearing) error {
	waiting := len(h.open)
	for i, p := range m.Content {
		if i < waiting && p.Type != "tool_result" {
			return fmt.Errorf("no results for the calls %v", h.open)
		}
		if err := p.hear(h, m.Role); err != nil {
			return err
		}
	}
	return nil
}

func (p anthropicPart) hear(h *hearing, role string) error {
	if err := p.hearPart(h, role); err != nil {
		return err
	}
	if p.Cache != nil {
		if p.Cache.Type != "ephemeral" {
			return fmt.Errorf("a mark for the cache of type %q", p.Cache.Type)
		}
		h.mark()
	}
	return nil
}

func (p anthropicPart) hearPart(h *hearing, role string) error {
	switch p.Type {
	case "text":
		if strings.TrimSpace(p.Text) == "" {
			return errors.New("a blank text")
		}
		h.say(role, p.Text)
	case "thinking":
		if p.Signature != thoughtSignature || p.Cache != nil {
			return fmt.Errorf("a thought with the signature %q", p.Signature)
		}
		h.think(p.Thinking)
	case "image":
		h.say(role, "["+p.Source.MediaType+" "+p.Source.Data+"]")
	case "tool_use":
		h.call(p.ID, p.Name, compact(p.Input))
	case "tool_result":
		line := "tool says " + p.Content
		if p.IsError {
			line = "tool fails with " + p.Content
		}
		return h.result(p.ToolUseID, line)
	default:
		return fmt.Errorf("a part of type %q", p.Type)
	}
	return nil
}

func (anthropicSpeech) reason(t Turn) string {
	switch t.stop() {
	case llm.StopLength:
		return "max_tokens"
	case llm.StopTools:
		return "tool_use"
	case llm.StopFilter:
		return "refusal"
	}
	return "end_turn"
}

func (anthropicSpeech) usage(t Turn, output int) object {
	if t.NoUsage {
		return object{}
	}
	return object{"input_tokens": t.Input - t.Cached - t.Written, "cache_creation_input_tokens": t.Written, "cache_read_input_tokens": t.Cached, "output_tokens": output}
}

func (s anthropicSpeech) whole(t Turn) []byte {
	content := []object{}
	if t.Thought != "" {
		content = append(content, object{"type": "thinking", "thinking": t.Thought, "signature": thoughtSignature})
	}
	if t.Text != "" {
		content = append(content, object{"type": "text", "text": t.Text})
	}
	for _, c := range t.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Args})
	}
	return encode(object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
		"stop_reason": s.reason(t), "stop_sequence": nil, "usage": s.usage(t, t.Output),
	})
}

func (s anthropicSpeech) events(t Turn) [][]byte {
	start := object{"id": "msg_1", "type": "message", "role": "assistant", "content": []object{}, "usage": s.usage(t, 1)}
	all := [][]byte{named("message_start", object{"message": start}), named("ping", object{})}
	index := 0
	if t.Thought != "" {
		all = append(all, s.block(index, object{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", t.Thought)...)
		end := named("content_block_delta", object{"index": index, "delta": object{"type": "signature_delta", "signature": thoughtSignature}})
		all = slices.Insert(all, len(all)-1, end)
		index++
	}
	if t.Text != "" {
		all = append(all, s.block(index, object{"type": "text", "text": ""}, "text_delta", "text", t.Text)...)
		index++
	}
	for _, c := range t.Calls {
		begin := object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}}
		all = append(all, s.block(index, begin, "input_json_delta", "partial_json", string(c.Args))...)
		index++
	}
	end := object{"delta": object{"stop_reason": s.reason(t), "stop_sequence": nil}, "usage": object{"output_tokens": t.Output}}
	if t.NoUsage {
		end["usage"] = object{}
	}
	return append(all, named("message_delta", end), named("message_stop", object{}))
}

func (anthropicSpeech) block(index int, begin object, kind, field, text string) [][]byte {
	all := [][]byte{named("content_block_start", object{"index": index, "content_block": begin})}
	for _, p := range pieces(text) {
		all = append(all, named("content_block_delta", object{"index": index, "delta": object{"type": kind, field: p}}))
	}
	return append(all, named("content_block_stop", object{"index": index}))
}

func named(name string, v object) []byte {
	v["type"] = name
	return append([]byte("event: "+name+"\n"), event(v)...)
}

func (anthropicSpeech) refuse(status int, message string) []byte {
	kinds := map[int]string{400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error", 529: "overloaded_error"}
	kind, ok := kinds[status]
	if !ok {
		kind = "api_error"
	}
	return encode(object{"type": "error", "error": object{"type": kind, "message": message}})
}

package llm

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// The habits of Anthropic's models, by their names, as its migration guides say
// (2026-11). A name that is not Anthropic's is taken for one of the latest; what a
// server turns down all the same is given up, see [exchange.concede].
var (
	// oldClaude have no output format, but can be made to call a tool.
	oldClaude = regexp.MustCompile(`^claude-(?:[123]|instant|(?:opus|sonnet)-4(?:-[01]|-\d{8})?(?:-\d{8})?$)`)
	// warmClaude take a temperature; those after Opus 4.6 answer it with an error.
	warmClaude = regexp.MustCompile(`^claude-(?:[123]|instant|(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:-\d{8})?$)`)
)

func (anthropicAPI) patch(body fields, x *exchange) error {
	if x.cold || strings.HasPrefix(x.model, "claude-") && !warmClaude.MatchString(x.model) {
		delete(body, "temperature")
	}
	if err := joinTurns(body, x); err != nil {
		return err
	}
	if x.quiet() {
		body["tool_choice"] = json.RawMessage(`{"type":"none"}`)
	}
	if err := formAnswer(body, x); err != nil {
		return err
	}
	if x.req.Stream != nil {
		body["stream"] = json.RawMessage("true")
	}
	return nil
}

func formAnswer(body fields, x *exchange) error {
	switch x.form {
	case bySchema:
		format := map[string]any{"format": map[string]any{"type": "json_schema", "schema": x.req.Schema}}
		return body.set("output_config", format)
	case byTool:
		tool := anthropicTool{answerTool, "Takes your answer.", x.req.Schema}
		if err := body.set("tools", []anthropicTool{tool}); err != nil {
			return err
		}
		return body.set("tool_choice", map[string]string{"type": "tool", "name": answerTool})
	}
	return nil
}

// turn is a message with its blocks.
type turn struct {
	role   string // as JSON
	blocks []fields
}

// joinTurns makes one message of neighbours with the same role: all results of a
// turn must stand in the message after it. It also puts in what langchaingo has no
// word for: failed results, the thoughts of calls, and marks for the cache.
func joinTurns(body fields, x *exchange) error {
	messages, err := elements(body["messages"])
	if err != nil {
		return err
	}
	parts := newWaiting(x.req)
	var turns []turn
	for _, m := range messages {
		blocks, err := elements(m["content"])
		if err != nil {
			return err
		}
		role := string(m["role"])
		if len(turns) == 0 || turns[len(turns)-1].role != role {
			turns = append(turns, turn{role: role})
		}
		last := &turns[len(turns)-1]
		if err := last.add(blocks, parts); err != nil {
			return err
		}
	}
	writeTurns(body, turns, x)
	return nil
}

// add puts blocks into the turn. The thoughts of its first call come first of all, as
// the API wants them, and those of a later call right before it.
func (t *turn) add(blocks []fields, parts *waiting) error {
	for _, block := range blocks {
		switch string(block["type"]) {
		case `"tool_result"`:
			if parts.failed() {
				block["is_error"] = json.RawMessage("true")
			}
		case `"tool_use"`:
			call := parts.call()
			block["input"] = call.Args // langchaingo makes floats of its numbers
			thoughts, err := thoughtsOf(call)
			if err != nil {
				return err
			}
			t.blocks = slices.Insert(t.blocks, t.placeForThoughts(), thoughts...)
		}
		t.blocks = append(t.blocks, block)
	}
	return nil
}

func (t *turn) placeForThoughts() int {
	if slices.ContainsFunc(t.blocks, func(b fields) bool { return string(b["type"]) == `"tool_use"` }) {
		return len(t.blocks)
	}
	return 0
}

// thoughtsOf are the blocks of thought that came with a call. Another provider's
// signature is none of them.
func thoughtsOf(c ToolCall) ([]fields, error) {
	if !strings.HasPrefix(c.Signature, `[{"type":`) || !json.Valid([]byte(c.Signature)) {
		return nil, nil
	}
	return elements([]byte(c.Signature))
}

// writeTurns puts the turns into the body, with marks at the system prompt and, where the
// conversation will go on, at its end: the next request begins with all of this and
// is billed a tenth for it. A request that stands alone has no mark at its end, as
// writing the cache costs a quarter more than reading the text; nor has one with another
// tool_choice than those before it, for which messages are not read from the cache
// (Anthropic's guide "Prompt caching", 2026-11).
func writeTurns(body fields, turns []turn, x *exchange) {
	if system := body["system"]; system != nil {
		body["system"] = list([]fields{marked(fields{"type": json.RawMessage(`"text"`), "text": system})})
	}
	if n := len(turns) - 1; n >= 0 && len(turns[n].blocks) > 0 && goesOn(x.req) && !x.quiet() {
		marked(turns[n].blocks[len(turns[n].blocks)-1])
	}
	var joined []fields
	for _, t := range turns {
		joined = append(joined, fields{"role": json.RawMessage(t.role), "content": list(t.blocks)})
	}
	body["messages"] = list(joined)
}

func marked(block fields) fields {
	block["cache_control"] = json.RawMessage(`{"type":"ephemeral"}`)
	return block
}

// goesOn says whether a request is a step of a conversation.
func goesOn(req Request) bool {
	return len(req.Tools) > 0 || slices.ContainsFunc(req.Messages, func(m Message) bool { return m.Role == RoleAssistant })
}

// waiting are the calls and results of a request that have not been seen in its body
// yet. They are told apart by their order, as a server may use an ID twice.
type waiting struct {
	calls   []ToolCall
	results []ToolResult
}

func newWaiting(req Request) *waiting {
	w := &waiting{calls: slices.Collect(req.calls())}
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			if p.Result != nil {
				w.results = append(w.results, *p.Result)
			}
		}
	}
	return w
}

// call is the one of the next block of a call.
func (w *waiting) call() ToolCall {
	if len(w.calls) == 0 {
		return ToolCall{Args: empty}
	}
	c := w.calls[0]
	w.calls = w.calls[1:]
	return c
}

func (w *waiting) failed() bool {
	if len(w.results) == 0 {
		return false
	}
	r := w.results[0]
	w.results = w.results[1:]
	return r.Failed
}

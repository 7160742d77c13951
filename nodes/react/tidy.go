package react

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

const (
	maxText  = 100_000 // bytes of one turn
	maxName  = 1000    // bytes of what is only shown or compared
	maxAsked = 64      // calls of one turn
	maxUsage = 1 << 40 // tokens that one call may report
)

// tidy makes a response that can be stored, and sent back to any provider: text is
// UTF-8, names are names, each call has an id of its own, arguments are an object.
func tidy(resp llm.Response, round int) llm.Response {
	resp.Text, resp.Model, resp.Stop = valid(resp.Text), valid(resp.Model), llm.Stop(valid(string(resp.Stop)))
	resp.Calls = append([]llm.ToolCall(nil), resp.Calls[:min(len(resp.Calls), maxAsked)]...)
	ids := map[string]bool{}
	for i := range resp.Calls {
		c := &resp.Calls[i]
		if c.Malformed = valid(c.Malformed[:min(len(c.Malformed), maxName)]); len(c.Signature) > maxText {
			c.Signature = "" // it cannot be cut
		}
		c.Signature = strings.ToValidUTF8(c.Signature, "")
		if c.Name = strings.Map(nameRune, c.Name[:min(len(c.Name), 64)]); c.Name == "" {
			c.Name = "none"
		}
		if c.ID = strings.ToValidUTF8(c.ID, ""); c.ID == "" || len(c.ID) > maxName || ids[c.ID] {
			c.ID = fmt.Sprintf("call_%d_%d", round, i+1)
		}
		ids[c.ID] = true
		arguments(c)
	}
	u := &resp.Usage
	for _, n := range []*int{&u.Calls, &u.Failed, &u.Input, &u.Cached, &u.Output} {
		*n = max(0, min(*n, maxUsage))
	}
	u.Cost.Amount = max(0, min(u.Cost.Amount, maxUsage*1_000_000))
	return resp
}

func valid(s string) string {
	return strings.ToValidUTF8(s[:min(len(s), maxText)], "\uFFFD")
}

// nameRune leaves what all providers take in the name of a tool.
func nameRune(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
		return r
	}
	return '_'
}

// arguments makes those of a call an object.
func arguments(c *llm.ToolCall) {
	text := strings.ToValidUTF8(string(c.Args), "\uFFFD")
	var object map[string]json.RawMessage
	switch {
	case strings.TrimSpace(text) == "" && c.Malformed == "":
		c.Args = json.RawMessage("{}")
	case len(text) > maxText || json.Unmarshal([]byte(text), &object) != nil || object == nil:
		if c.Malformed == "" {
			c.Malformed = valid(text[:min(len(text), maxName)])
		}
		c.Args = json.RawMessage("{}")
	default:
		c.Args, _ = encode(object) // of what was just read; with its keys in order, so that equal calls are seen
	}
}

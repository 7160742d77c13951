package react

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

const (
	maxText  = 100_000 // bytes of one turn
	maxName  = 1000    // bytes of what is only shown or compared
	maxAsked = 64      // calls of one turn
	maxUsage = 1 << 40 // tokens that one call may report
	// maxDollars is what one call may report; the sum of 900 is still an amount of Money.
	maxDollars = 10_000
)

// tidy makes a response that can be stored, and sent back to any provider: text is
// UTF-8, names are names, each call has an id that none in the conversation has and
// that Anthropic takes, which has the narrowest rule; arguments are an object.
func tidy(resp llm.Response, round int, said []llm.Message) llm.Response {
	resp.Text, resp.Model, resp.Stop = valid(resp.Text), valid(resp.Model), llm.Stop(valid(string(resp.Stop)))
	resp.Calls = append([]llm.ToolCall(nil), resp.Calls[:min(len(resp.Calls), maxAsked)]...)
	ids := idsOf(said)
	for i := range resp.Calls {
		c := &resp.Calls[i]
		if c.Malformed = valid(c.Malformed[:min(len(c.Malformed), maxName)]); len(c.Signature) > maxText {
			c.Signature = "" // it cannot be cut
		}
		c.Signature = strings.ToValidUTF8(c.Signature, "")
		if c.Name = strings.Map(nameRune, c.Name[:min(len(c.Name), 64)]); c.Name == "" {
			c.Name = "none"
		}
		for n := i + 1; !isName.MatchString(c.ID) || ids[c.ID]; n++ {
			c.ID = fmt.Sprintf("call_%d_%d", round, n)
		}
		ids[c.ID] = true
		arguments(c)
	}
	u := &resp.Usage
	for _, n := range []*int{&u.Calls, &u.Failed, &u.Estimated, &u.Input, &u.Cached, &u.Written, &u.Output} {
		*n = max(0, min(*n, maxUsage))
	}
	u.Cost.Amount = max(0, min(u.Cost.Amount, llm.Dollars(maxDollars)))
	return resp
}

func idsOf(messages []llm.Message) map[string]bool {
	ids := map[string]bool{}
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Call != nil {
				ids[p.Call.ID] = true
			}
		}
	}
	return ids
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

// arguments makes those of a call an object in one form, so that equal calls are seen:
// keys in order, each number written in one way, without point or exponent where it is
// whole, which tools take.
func arguments(c *llm.ToolCall) {
	text := strings.ToValidUTF8(string(c.Args), "\uFFFD")
	if strings.TrimSpace(text) == "" && c.Malformed == "" {
		c.Args = json.RawMessage("{}")
		return
	}
	if object, ok := objectOf(text); ok {
		if args, err := encode(settled(object)); err == nil {
			c.Args = args
			return
		}
	}
	if c.Malformed == "" {
		c.Malformed = valid(text[:min(len(text), maxName)])
	}
	c.Args = json.RawMessage("{}")
}

func objectOf(text string) (object map[string]any, ok bool) {
	if len(text) > maxText || !json.Valid([]byte(text)) {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return object, d.Decode(&object) == nil && object != nil
}

// settled writes 3.0 and 3e0 as 3, and 1.50 as 1.5, also within lists and objects.
func settled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = settled(v[name])
		}
	case []any:
		for i := range v {
			v[i] = settled(v[i])
		}
	case json.Number:
		return plain(v)
	}
	return v
}

// plain leaves digits alone, of which there may be more than a float64 holds.
func plain(v json.Number) json.Number {
	f, err := v.Float64()
	if err != nil || !strings.ContainsAny(string(v), ".eE-") {
		return v
	}
	const exact = 1 << 53 // up to here a float64 holds every whole number
	if f == math.Trunc(f) && math.Abs(f) < exact {
		return json.Number(strconv.FormatInt(int64(f), 10))
	}
	if !strings.ContainsAny(string(v), ".eE") {
		return v
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

package react

import (
	"encoding/json"
	"slices"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
)

// room fits a conversation into the window of the model. What is oldest is shortened
// first, many messages at a time, so that what a provider has cached stays valid for
// some rounds. The first two messages and the last round stay whole.
type room struct {
	limit  int     // tokens of a request
	fixed  int     // of the tools, or the form of a turn
	factor float64 // of the model's count to ours
	upto   int     // messages before it are short, but for the first two
	said   int     // our count of the last request
	full   []int   // tokens of each message
	short  []llm.Message
	small  []int // tokens of the short ones
}

const opening = 2 // messages that are never shortened

func newRoom(l Loop, offered []llm.Tool, form json.RawMessage) room {
	fixed := 0
	for _, t := range offered {
		fixed += prompt.Estimate(t.Name) + prompt.Estimate(t.Description) + prompt.Estimate(string(t.Schema))
	}
	if l.JSON {
		fixed = prompt.Estimate(string(form)) // the tools are in the first message
	}
	return room{limit: max(l.Window-l.TurnTokens, l.Window/2), fixed: fixed, factor: 1, upto: opening}
}

// fit gives what to send.
func (r *room) fit(messages []llm.Message) []llm.Message {
	r.measure(messages)
	r.said = r.size(messages)
	if r.count(r.said) > r.limit {
		for r.upto < len(messages)-2 && r.count(r.size(messages)) > r.limit*6/10 {
			r.upto++
			if messages[r.upto].Role == llm.RoleTool {
				r.upto++ // with its calls
			}
		}
		r.said = r.size(messages)
	}
	view := slices.Clone(messages)
	copy(view[min(opening, len(view)):], r.short[min(opening, len(view)):min(r.upto, len(view))])
	return view
}

// next is how many tokens the next request will have.
func (r *room) next(messages []llm.Message) int {
	r.fit(messages)
	return r.count(r.said)
}

func (r *room) count(tokens int) int { return int(float64(tokens) * r.factor) }

// learn compares the model's count with ours.
func (r *room) learn(u llm.Usage) {
	if u.Input > 0 && u.Calls > 0 && r.said > 0 {
		r.factor = max(0.5, min(2, float64(u.Input/u.Calls)/float64(r.said)))
	}
}

// shrink makes less room after the model said that its window is smaller.
func (r *room) shrink(messages []llm.Message) {
	r.limit = min(r.limit, r.count(r.said)*7/10)
	r.fit(messages)
}

// canShrink says whether that would take anything out.
func (r room) canShrink(messages []llm.Message) bool {
	before := r.upto
	r.shrink(messages)
	return r.upto > before
}

func (r *room) size(messages []llm.Message) int {
	sum := r.fixed
	for i := range messages {
		if i >= opening && i < r.upto {
			sum += r.small[i]
		} else {
			sum += r.full[i]
		}
	}
	return sum
}

// measure counts the messages that are new.
func (r *room) measure(messages []llm.Message) {
	for i := len(r.full); i < len(messages); i++ {
		short := shorten(messages[i])
		if i >= opening && (heavy(messages[i]) || messages[i].Role == llm.RoleTool && heavy(messages[i-1])) {
			short = flatten([]llm.Message{short}, false)[0]
		}
		r.full = append(r.full, tokens(messages[i]))
		r.short = append(r.short, short)
		r.small = append(r.small, tokens(short))
	}
}

// heavy says whether the reasoning that goes back with calls takes much room. Providers
// want it whole or the calls not at all, so that a round with it is made a text.
func heavy(m llm.Message) bool {
	n := 0
	for _, p := range m.Parts {
		if p.Call != nil {
			n += len(p.Call.Signature)
		}
	}
	return n > shortText
}

const imageTokens = 1000

func tokens(m llm.Message) int {
	n := 4
	for _, p := range m.Parts {
		n += prompt.Estimate(p.Text)
		switch {
		case p.Image != nil:
			n += imageTokens
		case p.Call != nil:
			n += prompt.Estimate(p.Call.Name) + prompt.Estimate(string(p.Call.Args)) + prompt.Estimate(p.Call.Signature)
		case p.Result != nil:
			n += prompt.Estimate(p.Result.Text)
		}
	}
	return n
}

package llmtest

import (
	"errors"
	"fmt"
)

// hearing is what was heard so far of a conversation, and the calls that wait for
// their results, by ID or, with Gemini, by name.
type hearing struct {
	Heard
	open   []string
	called bool // there was a call
}

func (h *hearing) say(who string, texts ...string) {
	for _, t := range texts {
		h.Said = append(h.Said, who+" says "+t)
	}
}

// think is a thought that came back with a call.
func (h *hearing) think(text string) { h.Said = append(h.Said, "assistant thinks "+text) }

// mark says that all up to the last line is to be cached.
func (h *hearing) mark() { h.Marked = append(h.Marked, h.Said[len(h.Said)-1]) }

func (h *hearing) call(id, name, args string) {
	h.open, h.called = append(h.open, id), true
	h.Said = append(h.Said, "assistant calls "+name+" "+args)
}

// result must be that of the next call that waits.
func (h *hearing) result(id, line string) error {
	if len(h.open) == 0 || h.open[0] != id {
		return fmt.Errorf("a result of %q, want of %v", id, h.open)
	}
	h.open = h.open[1:]
	h.Said = append(h.Said, line)
	return nil
}

// choose refuses a choice among tools without tools, as all APIs do.
func (h *hearing) choose(chosen bool) error {
	if chosen && len(h.Tools) == 0 {
		return errors.New("a choice of tools without tools")
	}
	return nil
}

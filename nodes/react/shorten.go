package react

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

const (
	shortText = 600 // bytes that a thought keeps
	shortArgs = 400
	shortLine = 160 // that a result keeps of its first line
)

// shorten leaves of a message what was asked and what it was about.
func shorten(m llm.Message) llm.Message {
	m.Parts = slices.Clone(m.Parts)
	for i, p := range m.Parts {
		switch {
		case len(p.Text) > shortText:
			m.Parts[i].Text = head(p.Text, shortText) + " […]"
		case p.Call != nil && len(p.Call.Args) > shortArgs:
			c := *p.Call
			c.Args = fmt.Appendf(nil, `{"taken_out":"%d bytes of arguments"}`, len(c.Args))
			m.Parts[i].Call = &c
		case p.Result != nil && len(p.Result.Text) > shortText:
			res := *p.Result
			res.Text = note(res.Text)
			m.Parts[i].Result = &res
		}
	}
	return m
}

// note stands for the text of a result, and keeps its first line within the fence.
func note(text string) string {
	lines := strings.SplitN(strings.TrimPrefix(text, again), "\n", 4) // which it is, the mark, the first line, the rest
	id, _, _ := strings.Cut(lines[0], ",")
	if number(id) == 0 || len(lines) < 4 {
		return head(text, shortText) + " […]" // it is ours, as a list of the tools
	}
	mark, _, _ := strings.Cut(strings.TrimPrefix(lines[1], "<"), " ")
	return fmt.Sprintf("[%s: taken out to make room; %s shows it again; it began:]\n%s\n%s\n</%s>", lines[0], more, lines[1], head(lines[2], shortLine), mark)
}

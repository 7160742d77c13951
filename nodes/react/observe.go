package react

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/tools"
)

// minShown is shown of each result, however many there are.
const minShown = 1000

// kept is a result with the place of the message that shows it.
type kept struct {
	tools.Result
	name    string
	message int
}

func (r *run) keep(got []tools.Result, names []llm.ToolCall) {
	for i, o := range got {
		r.kept = append(r.kept, kept{o, names[i].Name, len(r.Messages)})
	}
}

// reply writes the answer to a call for the model.
func (r *run) reply(c llm.ToolCall, a answer, limit int) (Call, string, error) {
	done := Call{Round: r.Rounds, Result: a.id, Name: c.Name, Args: c.Args, Bad: a.bad, Failed: a.id == ""}
	if a.id == "" {
		return done, a.text, nil
	}
	o := r.kept[number(a.id)-1]
	done.Failed, done.Bad = o.Failed, a.same || a.bad || o.Refused
	if a.same && o.message >= r.room.upto {
		return done, fmt.Sprintf("This call was made before, and its result %s stands above. Do something else, or answer.", a.id), nil
	}
	text, shown, err := r.show(a.id, a.from, limit)
	if a.same {
		r.kept[number(a.id)-1].message = len(r.Messages) // where it stands from now on
		text = again + text
	}
	done.Shown = shown
	return done, text, err
}

const again = "This call was made before; this is the same result. "

// show gives a part of a result, and how to get the rest. Its first line says which.
func (r *run) show(id string, from, limit int) (string, []tools.Shown, error) {
	o := r.kept[number(id)-1]
	end := from + len(head(o.Text[from:], limit))
	part := o.Part(from, end)
	fenced, err := r.Fence.Wrap(o.name+" "+id, part.Text)
	if err != nil {
		return "", nil, err
	}
	if from == 0 && end == len(o.Text) {
		return id + "\n" + fenced, part.Shown, nil
	}
	text := fmt.Sprintf("%s, bytes %d to %d of %d\n%s", id, from, end, len(o.Text), fenced)
	if end < len(o.Text) {
		text += fmt.Sprintf("\n[%d bytes are not shown; %s {\"id\": %q, \"from\": %d} goes on]", len(o.Text)-end, more, id, end)
	}
	return text, part.Shown, nil
}

// head is the beginning of a text, in whole lines if one ends in its second half. It is
// at least one character.
func head(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	if limit == 0 {
		_, limit = utf8.DecodeRuneInString(text)
	}
	if end := strings.LastIndexByte(text[:limit], '\n') + 1; end > limit/2 {
		return text[:end]
	}
	return text[:limit]
}

// rest judges a call of read_more.
func (r *run) rest(args json.RawMessage) answer {
	var p struct {
		ID   string `json:"id"`
		From int    `json:"from"`
	}
	if json.Unmarshal(args, &p) != nil {
		return answer{text: `The arguments must be like {"id": "r1", "from": 0}.`, bad: true}
	}
	n := number(p.ID)
	switch {
	case len(r.kept) == 0:
		return answer{text: "There is no result yet.", bad: true}
	case n < 1 || n > len(r.kept):
		return answer{text: fmt.Sprintf("There is no result %q; there are r1 to r%d.", r.Fence.Inline(p.ID), len(r.kept)), bad: true}
	}
	if size := len(r.kept[n-1].Text); p.From < 0 || p.From >= max(size, 1) {
		return answer{text: fmt.Sprintf("%s has %d bytes; from must be between 0 and %d.", p.ID, size, max(size-1, 0)), bad: true}
	}
	for p.From > 0 && p.From < len(r.kept[n-1].Text) && !utf8.RuneStart(r.kept[n-1].Text[p.From]) {
		p.From--
	}
	return answer{id: p.ID, from: p.From}
}

// number reads the id of a result, and is 0 for what is none.
func number(id string) int {
	digits, ok := strings.CutPrefix(id, "r")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || id != "r"+strconv.Itoa(n) {
		return 0
	}
	return n
}

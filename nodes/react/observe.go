package react

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/tools"
)

// minShown is shown of each result, however many there are.
const minShown = 300

// kept is a result with the tool that gave it.
type kept struct {
	tools.Result
	name string
}

func (r *run) keep(got []tools.Result, names []llm.ToolCall) {
	for i, o := range got {
		r.kept = append(r.kept, kept{o, names[i].Name})
	}
}

// reply writes the answer to a call for the model.
func (r *run) reply(c llm.ToolCall, a answer, limit int) (Call, string, error) {
	done := Call{Round: r.Rounds, Result: a.id, Name: c.Name, Args: c.Args, Bad: a.bad, Failed: a.id == ""}
	if a.id == "" {
		return done, a.text, nil
	}
	o := r.kept[number(a.id)-1]
	done.Failed, done.Bad = o.Failed, a.bad || o.Refused
	if a.stands {
		return done, fmt.Sprintf("This call was made before, and %s stands above. Do something else, or answer.", a.what(c.Name)), nil
	}
	text, shown, err := r.show(a.id, a.from, limit)
	if a.same {
		text = again + text
	}
	done.Shown = shown
	return done, text, err
}

// limits shares the room of a turn among its results, in bytes: what small ones leave is
// for the large ones.
func (r *run) limits(answers []answer) []int {
	out := make([]int, len(answers))
	order := make([]int, len(answers))
	for i, a := range answers {
		order[i] = i
		if a.id != "" && !a.stands {
			out[i] = len(r.kept[number(a.id)-1].Text) - a.from
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return out[i] - out[j] })
	room := r.Window / 4 * 3
	for n, i := range order {
		out[i] = min(out[i], r.ShowBytes, max(minShown, room/(len(order)-n)))
		room -= out[i]
	}
	return out
}

// what names the answer that the tool's call got.
func (a answer) what(tool string) string {
	if tool == more {
		return fmt.Sprintf("%s from byte %d", a.id, a.from)
	}
	return "its result " + a.id
}

const again = "This call was made before; this is the same result. "

// show gives a part of a result, and how to get the rest. Its first line says which.
func (r *run) show(id string, from, limit int) (string, []tools.Shown, error) {
	o := r.kept[number(id)-1]
	end := from + len(most(o.Text[from:], limit))
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

// most is the head of a text, or all of it where that would hide less than a tenth: to
// ask for so little would cost a turn.
func most(text string, limit int) string {
	if h := head(text, limit); (len(text)-len(h))*10 >= len(text) {
		return h
	}
	return text
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

// number reads the id of a result, and is 0 for what is none.
func number(id string) int {
	digits, ok := strings.CutPrefix(id, "r")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || id != "r"+strconv.Itoa(n) {
		return 0
	}
	return n
}

package react

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/llm"
)

// more is the tool of the loop itself, which shows the rest of a result.
const more = "read_more"

var moreTool = llm.Tool{
	Name: more,
	Description: "Shows more of an earlier result: of one that was too long to be shown at once, or that was taken out " +
		"of the conversation to make room.",
	Schema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string","description":"the result, as r3"},` +
		`"from":{"type":"integer","description":"first byte to show; default 0"}},"required":["id"],"additionalProperties":false}`),
}

// rest judges a call of read_more.
func (r *run) rest(args json.RawMessage) answer {
	id, from, faults := moreArgs(args)
	n := number(id)
	switch {
	case len(faults) > 0:
		return answer{text: r.Fence.Inline(strings.Join(faults, "; ")) + "; the parameters are id, [from]", bad: true}
	case len(r.kept) == 0:
		return answer{text: "There is no result yet.", bad: true}
	case n < 1 || n > len(r.kept):
		return answer{text: fmt.Sprintf("There is no result %q; there are r1 to r%d.", r.Fence.Inline(id), len(r.kept)), bad: true}
	}
	text := r.kept[n-1].Text
	if from < 0 || from >= max(len(text), 1) {
		return answer{text: fmt.Sprintf("%s has %d bytes; from must be between 0 and %d.", id, len(text), max(len(text)-1, 0)), bad: true}
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	return answer{id: id, from: from}
}

// moreArgs reads the arguments as package tools reads those of its tools: a name may be
// spelt otherwise, and a number may be in a text, but nothing is passed over. All that is
// wrong is named at once.
func moreArgs(args json.RawMessage) (id string, from int, faults []string) {
	var said map[string]any
	if err := json.Unmarshal(args, &said); err != nil {
		return "", 0, []string{"the arguments must be one JSON object"}
	}
	given := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(said)) {
		param, value := letters(name), said[name]
		text, isText := value.(string)
		if value == nil || isText && strings.TrimSpace(text) == "" {
			continue // as if it were left out
		}
		ok := true
		switch {
		case param != "id" && param != "from":
			faults = append(faults, fmt.Sprintf("there is no argument %q", head(name, 40)))
			continue
		case given[param]:
			faults = append(faults, param+" is given twice")
			continue
		case param == "id":
			if id, ok = text, isText; !ok {
				faults = append(faults, fmt.Sprintf("id must be a string as r1, not %s", brief(value)))
			}
		default:
			if from, ok = wholeNumber(value); !ok {
				faults = append(faults, fmt.Sprintf("from must be a whole number, not %s", brief(value)))
			}
		}
		given[param] = true
	}
	if !given["id"] {
		faults = append(faults, "id is missing")
	}
	return strings.TrimSpace(id), from, faults
}

// wholeNumber also takes one in a text.
func wholeNumber(v any) (int, bool) {
	if f, ok := v.(float64); ok {
		return int(f), f == float64(int32(f))
	}
	text, _ := v.(string)
	n, err := strconv.Atoi(strings.TrimSpace(text))
	return n, err == nil
}

// brief is the beginning of a value, to show it back.
func brief(v any) string {
	data, err := encode(v)
	if err != nil {
		return "that"
	}
	return head(string(data), 40)
}

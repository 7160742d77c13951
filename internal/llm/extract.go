package llm

import (
	"errors"
	"fmt"
	"iter"
	"strings"
)

// maxValues bounds how many places of a kind are tried.
const maxValues = 8

// answerOf is the text without the thoughts that stand before it. Servers whose
// template opens them give their end alone.
func answerOf(text string) string {
	if text == "" || strings.IndexByte("{[\"`", text[0]) >= 0 {
		return text // it begins with the answer
	}
	for _, end := range []string{"</think>", "</thinking>"} {
		if _, after, ok := strings.Cut(text, end); ok {
			return after
		}
	}
	return text
}

// jsonIn gives the JSON values that a model's text holds, the likeliest first: the
// whole text, what stands in fences, and the objects between prose. An error says
// why a place holds none.
func jsonIn(text string) iter.Seq2[any, error] {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
	text = strings.TrimSpace(answerOf(text))
	return func(yield func(any, error) bool) {
		if text == "" {
			yield(nil, errors.New("the answer is empty"))
			return
		}
		for place := range places(text) {
			v, err := decodeJSON([]byte(place))
			if err != nil {
				v, err = decodeJSON([]byte(mend(place)))
			}
			switch {
			case err != nil:
				err = fmt.Errorf("it is not JSON: %w", err)
			case !structured(v):
				err = errNoObject
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

var errNoObject = errors.New("there is no JSON object in it")

// structured takes what can hold an object, also as a text.
func structured(v any) bool {
	switch v := v.(type) {
	case map[string]any, []any:
		return true
	case string:
		return strings.HasPrefix(strings.TrimSpace(v), "{")
	}
	return false
}

func places(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		whole := strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || strings.HasPrefix(text, `"`)
		if whole && !yield(text) {
			return
		}
		for _, find := range []func(string) []string{fenced, balanced} {
			for _, place := range find(text) {
				if !(whole && place == text) && !yield(place) {
					return
				}
			}
		}
	}
}

// fenced gives what stands between lines of three backticks.
func fenced(text string) []string {
	var all []string
	for len(all) < maxValues {
		_, rest, ok := strings.Cut(text, "```")
		if !ok {
			break
		}
		_, body, ok := strings.Cut(rest, "\n")
		if !ok {
			break
		}
		end := strings.Index(body, "\n```")
		if end < 0 {
			break
		}
		all = append(all, body[:end])
		text = body[end+4:]
	}
	return all
}

// balanced gives the outermost objects. A brace that does not close is passed over,
// a few times, so that the work stays linear.
func balanced(text string) []string {
	var all []string
	for tries := 0; tries < maxValues; tries++ {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			break
		}
		text = text[start:]
		end := closing(text)
		if end < 0 {
			text = text[1:]
			continue
		}
		all = append(all, text[:end])
		text = text[end:]
	}
	return all
}

// closing is the end of the object that text begins with, or -1.
func closing(text string) int {
	depth, inText := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

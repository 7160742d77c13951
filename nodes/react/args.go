package react

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/repomind/repomind/internal/llm"
)

func (r *run) tool(name string) (llm.Tool, bool) {
	i := slices.IndexFunc(r.tools, func(t llm.Tool) bool { return t.Name == name })
	if i < 0 {
		return llm.Tool{}, false
	}
	return r.tools[i], true
}

// noTool tells a model which names would be right.
func (r *run) noTool(name string) string {
	if len(r.tools) == 0 {
		return fmt.Sprintf("There is no tool %s; there are none at all. Answer.", strconv.Quote(name))
	}
	var names, near []string
	for _, t := range r.tools {
		names = append(names, t.Name)
		if a, b := letters(t.Name), letters(name); a == b || len(b) > 2 && strings.Contains(a, b) || strings.Contains(b, a) {
			near = append(near, t.Name)
		}
	}
	text := fmt.Sprintf("There is no tool %s.", strconv.Quote(name))
	if len(near) > 0 {
		text += fmt.Sprintf(" Did you mean %s?", strings.Join(near, " or "))
	}
	return text + fmt.Sprintf(" The tools are %s.", strings.Join(names, ", "))
}

// letters are those of a name, in lower case: readFile and read-file are read_file.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// fits looks at names and types only. A tool says itself, and better, what is wrong
// with its arguments; this is to know whether the model called it at random.
func fits(args, schema json.RawMessage) bool {
	var s struct {
		Properties map[string]struct {
			Type json.RawMessage `json:"type"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(schema, &s) != nil || json.Unmarshal(args, &given) != nil {
		return false
	}
	for _, name := range s.Required {
		if _, ok := given[name]; !ok {
			return false
		}
	}
	for name, value := range given {
		p, ok := s.Properties[name]
		if !ok || len(p.Type) > 0 && !strings.Contains(string(p.Type), strconv.Quote(kindOf(value))) &&
			!(kindOf(value) == "integer" && strings.Contains(string(p.Type), `"number"`)) {
			return false
		}
	}
	return true
}

// kindOf names the type of a JSON value as a schema does.
func kindOf(value json.RawMessage) string {
	switch value[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if strings.ContainsAny(string(value), ".eE") {
		return "number"
	}
	return "integer"
}

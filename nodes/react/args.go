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

// misfit tells a model what is wrong with arguments that are no object.
func (r *run) misfit(tool llm.Tool, c llm.ToolCall) string {
	return fmt.Sprintf("The arguments must be one JSON object, of the JSON Schema %s. They were: %s", tool.Schema, r.Fence.Inline(c.Malformed))
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

// unwrapped takes arguments out of an object around them, as some models write it: one
// whose only member has another protocol's name for arguments, and holds an object of
// names that the tool knows.
func unwrapped(tool llm.Tool, args json.RawMessage) json.RawMessage {
	var outer, inner map[string]json.RawMessage
	var knows struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(args, &outer) != nil || len(outer) != 1 || json.Unmarshal(tool.Schema, &knows) != nil {
		return args
	}
	for name, value := range outer {
		if !slices.Contains([]string{"args", "arguments", "parameters", "input"}, name) || knows.Properties[name] != nil {
			return args
		}
		if json.Unmarshal(value, &inner) != nil || inner == nil {
			return args
		}
		for name := range inner {
			if knows.Properties[name] == nil {
				return args
			}
		}
		args = value
	}
	return args
}

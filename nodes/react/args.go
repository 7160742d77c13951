package react

import (
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

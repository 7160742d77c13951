package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/repomind/repomind/nodes/react"
)

// calls are the calls of a round in one line: grep_code "foo", read_file a.py:1-40.
func calls(r react.Round) string {
	var out []string
	for _, c := range r.Calls {
		line := c.Name + " " + brief(c.Args)
		if c.Failed {
			line += " (failed)"
		}
		out = append(out, strings.TrimSpace(line))
	}
	if len(out) == 0 && r.End != "" {
		return "answers"
	}
	return strings.Join(out, ", ")
}

// brief is what a call is about: a place where it has one, else its texts.
func brief(args json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return ""
	}
	if p, ok := m["path"].(string); ok && m["start_line"] != nil {
		return cut(fmt.Sprintf("%s:%v", p, m["start_line"]))
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if v, ok := m[name].(string); ok {
			out = append(out, v)
		}
	}
	return cut(strings.Join(out, " "))
}

func cut(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

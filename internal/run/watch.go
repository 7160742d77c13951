package run

import (
	"encoding/json"
	"fmt"
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

// brief is what a call is about: its arguments without their names.
func brief(args json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return ""
	}
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []string
	for _, name := range names {
		switch v := m[name].(type) {
		case string:
			out = append(out, cut(v))
		case float64:
			out = append(out, fmt.Sprint(v))
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

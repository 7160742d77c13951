package tools_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/tools"
)

// Models, small ones above all, write arguments in ways of their own. What can mean one
// thing only is taken as that.
func TestArgumentsThatMeanOneThing(t *testing.T) {
	set := tools.All(workspace(t))
	const read, grep = `{"path": "app/jobs/queue.py", "start_line": 9, "end_line": 12}`, `{"pattern": "put", "paths": ["app/jobs"], "context_lines": 1, "ignore_case": true}`
	for _, tt := range []struct{ tool, plain, said string }{
		{"read_file", read, `{"path": "app/jobs/queue.py", "start_line": "9", "end_line": "12"}`},
		{"read_file", read, `{"path": "app/jobs/queue.py", "start_line": 9.0, "end_line": " 1.2e1 "}`},
		{"read_file", read, `{"path": "app/jobs/queue.py", "startLine": 9, "END-LINE": 12, "revision": ""}`},
		{"read_file", read, `{"path": "app/jobs/queue.py", "start_line": 9, "end_line": 12, "revision": null}`},
		{"read_file", `{"path": "app/cli.py"}`, `{"path": "app/cli.py", "start_line": "", "end_line": null}`},
		{"grep_code", grep, `{"pattern": "put", "paths": "app/jobs", "context_lines": "1", "ignore_case": "True"}`},
		{"grep_code", grep, `{"pattern": "put", "paths": "[\"app/jobs\"]", "context_lines": 1, "ignore_case": true}`},
		{"grep_code", `{"pattern": "put"}`, `{"pattern": "put", "paths": "", "literal": "false"}`},
	} {
		want := set.Call(t.Context(), tt.tool, json.RawMessage(tt.plain))
		got := set.Call(t.Context(), tt.tool, json.RawMessage(tt.said))
		if diff := cmp.Diff(want, got); want.Failed || diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.said, diff)
		}
	}
}

// What could mean several things, or nothing, is shown back.
func TestArgumentsThatMeanNothing(t *testing.T) {
	set := tools.All(workspace(t))
	for said, want := range map[string]string{
		`"0x10"`:                            `not "0x10"`,
		`"1_000"`:                           `not "1_000"`,
		`"007"`:                             `not "007"`,
		`"12, 13"`:                          `not "12, 13"`,
		`"inf"`:                             `not "inf"`,
		`1e400`:                             `not 1e400`,
		`9007199254740993.0`:                `not 9007199254740993.0`,
		`9007199254740993.5`:                `not 9007199254740993.5`,
		`99999999999999999999`:              `not 99999999999999999999`,
		`" "`:                               `not " "`,
		"[\n  195,\n\t7\n]":                 `not [ 195, 7 ]`,
		`[195]`:                             `not [195]`,
		`"\u202e195\u001b[31m"`:             `not "\u202e195\u001b[31m"`,
		`"` + "\u202e195" + `"`:             `not "\u202e195"`,
		`"` + strings.Repeat("9", 60) + `"`: `not "` + strings.Repeat("9", 39) + "…",
	} {
		r := set.Call(t.Context(), "read_file", json.RawMessage(`{"path": "README.md", "start_line": `+said+`}`))
		if want := "start_line must be a whole number, " + want + "; the parameters are path, [start_line], [end_line], [revision]"; r.Text != want || !r.Refused {
			t.Errorf("%s gives\n%s\nwant\n%s", said, r.Text, want)
		}
	}
	for said, want := range map[string]string{
		`{"pattern": "x", "paths": [1]}`:           "paths must be a list of strings, not [1]; ",
		`{"pattern": "x", "paths": {"in": "app"}}`: `paths must be a list of strings, not {"in": "app"}; `,
		`{"pattern": "x", "literal": "yes"}`:       `literal must be a boolean, not "yes"; `,
		`{"pattern": "x", "literal": 1}`:           "literal must be a boolean, not 1; ",
	} {
		r := set.Call(t.Context(), "grep_code", json.RawMessage(said))
		if !strings.HasPrefix(r.Text, want) || !r.Refused {
			t.Errorf("%s gives %s, want %s", said, r.Text, want)
		}
	}
}

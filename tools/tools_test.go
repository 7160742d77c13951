package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/tools"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// workspace makes the repository of testdata/history.txtar, a commit for each file.
func workspace(t *testing.T) tools.Workspace {
	t.Helper()
	history, err := txtar.ParseFile("testdata/history.txtar")
	if err != nil {
		t.Fatal(err)
	}
	return of(t, repotest.History(t, history))
}

func of(t *testing.T, r *repotest.Repo) tools.Workspace {
	t.Helper()
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clone.Close)
	s, err := clone.Snapshot(t.Context(), source.Commit(r.Commits[len(r.Commits)-1]))
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	var index *code.Index
	return tools.Workspace{Snapshot: s, Dependencies: library{}, Index: func(ctx context.Context) (*code.Index, error) {
		var err error
		once.Do(func() { index, err = code.Build(ctx, s.Files(), s, code.Config{}) })
		return index, err
	}}
}

// library is one dependency with one function.
type library struct{}

func (library) Search(_ context.Context, name, version, query string, max int) (tools.Dependency, error) {
	d := tools.Dependency{Name: name, Version: "2.1", From: "its archive by pip", Asked: "setup.py:7"}
	if version != "" {
		d.Version = version
	}
	if name == "amqp" {
		d = tools.Dependency{Name: name, Notes: []string{"a", "b\nc", "d", "e", "f", "g", "h"}}
	}
	if strings.Contains(query, "pool") {
		d.Excerpts = []tools.Excerpt{{Span: source.Span{Path: "lib/pool.py", Start: 7, End: 8}, Text: []string{"def pool():", "    return []"}}}
	}
	return d, nil
}

// Each file of testdata/calls is named for a tool; each of its sections is named for
// the arguments of a call and holds the answer.
func TestCalls(t *testing.T) {
	set := tools.All(workspace(t))
	files, _ := filepath.Glob("testdata/calls/*.txtar")
	var covered []string
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		covered = append(covered, name)
		t.Run(name, func(t *testing.T) {
			golden, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, call := range golden.Files {
				got := answer(set.Call(t.Context(), name, json.RawMessage(call.Name)))
				if diff := cmp.Diff(string(call.Data), got); diff != "" && !*update {
					t.Errorf("%s:\n%s", call.Name, diff)
				}
				golden.Files[i].Data = []byte(got)
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(golden), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	want := set.Names()
	slices.Sort(want)
	if diff := cmp.Diff(want, covered); diff != "" {
		t.Errorf("tools and files of calls: %s", diff)
	}
}

func answer(r tools.Result) string {
	text := r.Text
	if r.Failed {
		text = "FAILED: " + text
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for _, s := range r.Shown {
		text += "shown " + s.Span.String() + " at " + s.Commit.Short() + "\n"
	}
	return text
}

func TestSchemas(t *testing.T) {
	for _, tool := range tools.All(workspace(t)) {
		var indented bytes.Buffer
		if err := json.Indent(&indented, tool.Schema, "", "  "); err != nil {
			t.Fatal(err)
		}
		indented.WriteByte('\n')
		name := filepath.Join("testdata", "schema", tool.Name+".json")
		if *update {
			if err := os.WriteFile(name, indented.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if diff := cmp.Diff(string(want), indented.String()); err != nil || diff != "" {
			t.Errorf("%s: %v %s", tool.Name, err, diff)
		}
		if !tool.ReadOnly || len(tool.Description) < 50 {
			t.Errorf("%s: read only %v, description %q", tool.Name, tool.ReadOnly, tool.Description)
		}
	}
}

func TestArguments(t *testing.T) {
	set := tools.All(workspace(t))
	const params = "path, [start_line], [end_line], [revision]"
	for args, want := range map[string]string{
		``:                                   "path is missing; the parameters are " + params,
		`null`:                               "path is missing; the parameters are " + params,
		`{"path": ""}`:                       "path is missing; the parameters are " + params,
		`{"path": 3}`:                        "path must be a string, not 3; the parameters are " + params,
		`{"path": "a", "start_line": "top"}`: `start_line must be a whole number, not "top"; the parameters are ` + params,
		`{"path": "a", "start_line": 1.5}`:   "start_line must be a whole number, not 1.5; the parameters are " + params,
		`{"path": "a", "lines": 3}`:          `there is no argument "lines"; the parameters are ` + params,
		`{"file": "a"}`:                      `there is no argument "file"; path is missing; the parameters are ` + params,
		`{"start_line": "1 to 9", "path": {"name": "a"}, "end_line": true, "revision": ["x"]}`: "path must be a string, not {\"name\": \"a\"}; start_line must be a whole number, not \"1 to 9\"; " +
			"end_line must be a whole number, not true; revision must be a string, not [\"x\"]; the parameters are " + params,
		`{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "` + strings.Repeat("g", 60) + `": 1}`: `there are no arguments "a", "b", "c", "d", "e" and 2 more; path is missing; the parameters are ` + params,
		`{"` + strings.Repeat("g", 60) + `": 1, "path": "a"}`:                                    `there is no argument "` + strings.Repeat("g", 40) + `…"; the parameters are ` + params,
		`{"path": "a", "startLine": 1, "start_line": 2}`:                                         "start_line is given twice; the parameters are " + params,
		`{"path": "a"} {}`:                      "the arguments must be one JSON object: something follows the object; the parameters are " + params,
		`["a"]`:                                 "the arguments must be one JSON object: it is of the type array; the parameters are " + params,
		`{"path": "a`:                           "the arguments must be one JSON object: unexpected EOF; the parameters are " + params,
		`{"path": "README.md", "end_line": -1}`: "",
	} {
		r := set.Call(t.Context(), "read_file", json.RawMessage(args))
		if want == "" && r.Failed || want != "" && (r.Text != want || !r.Failed || !r.Refused) {
			t.Errorf("%s:\n %s\nwant\n %s", args, r.Text, want)
		}
	}
	r := set.Call(t.Context(), "write_file", nil)
	if want := `there is no tool "write_file"; the tools are read_file, grep_code, list_dir, find_definition, find_callers, git_log_file, git_blame, search_commits, fetch_dependency`; r.Text != want || !r.Refused {
		t.Errorf("%s\nwant\n%s", r.Text, want)
	}
	if r = set.Call(t.Context(), "read_file", json.RawMessage(`{"path": "absent"}`)); !r.Failed || r.Refused {
		t.Errorf("a file that is not there: %+v", r)
	}
	if names := set.Only("git_blame", "read_file", "none").Names(); !slices.Equal(names, []string{"read_file", "git_blame"}) {
		t.Errorf("only: %v", names)
	}
}

// A model may ask for anything: an answer has a bound, is printable, and shows what
// was left out.
func TestHostileFiles(t *testing.T) {
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, "-- many%d.py --\ndef many():\n    pass\n", i)
	}
	r := repotest.New(t, "Evil \x1b[2J\n-- long.py --\n"+strings.Repeat("x = '"+strings.Repeat("y", 200)+"'\n", 5000)+"-- wide.py --\nx = '"+strings.Repeat("z", 100_000)+"'\n-- esc.py --\nx = '\x1b[31m\u202e\U000E0041'\n"+many.String())
	set := tools.All(of(t, r))
	for _, tt := range []struct{ tool, args, holds string }{
		{"read_file", `{"path": "long.py"}`, "[lines 141 to 5000 are left out; read on with start_line 141]"},
		{"read_file", `{"path": "wide.py"}`, "… [99506 bytes more]"},
		{"read_file", `{"path": "esc.py"}`, `x = '\x1b[31m\u202e\U000e0041'`},
		{"grep_code", `{"pattern": "y", "max_results": 200}`, "[136 of 5030 matches in 31 files are shown; narrow"},
		{"grep_code", `{"pattern": "x", "context_lines": 10, "max_results": 200}`, "are shown"},
		{"grep_code", `{"pattern": "31m"}`, `x = '\x1b[31m`},
		{"git_blame", `{"path": "long.py", "start_line": 1, "end_line": 5000}`, "are left out"},
		{"git_log_file", `{"path": "long.py", "patch": true}`, "the rest of the changes is left out"},
		{"search_commits", `{"query": "evil"}`, `Evil \x1b[2J`},
		{"find_definition", `{"name": "many"}`, "[10 more definitions left out; give a qualified name or a path]"},
	} {
		got := set.Call(t.Context(), tt.tool, json.RawMessage(tt.args))
		if got.Failed || !strings.Contains(got.Text, tt.holds) {
			t.Errorf("%s %s lacks %q: %.300s … %s", tt.tool, tt.args, tt.holds, got.Text, got.Text[max(0, len(got.Text)-200):])
		}
		if len(got.Text) > 35_000 || strings.ContainsAny(got.Text, "\x1b\u202e") {
			t.Errorf("%s %s gives %d bytes, or a control character", tt.tool, tt.args, len(got.Text))
		}
	}
}

// What could not be looked into is said where nothing is found.
func TestWhatWasNotSeenIsSaid(t *testing.T) {
	wide := "\xff\xfed\x00e\x00f\x00 \x00x\x00"
	long := ""
	for i := range 40 {
		long += fmt.Sprintf("-- d/%02d%s --\nx\n", i, strings.Repeat("n", 200))
	}
	commits := []string{"Files\n-- big.py --\n" + strings.Repeat("# filler\n", 130_000) + "def target(): pass\n-- wide.txt --\n" + wide + "\n" + long}
	for i := range 150 {
		commits = append(commits, fmt.Sprintf("Topic %d\n-- a/%s/%d --\n%d\n-- b/%s/%d --\n%d\n", i, strings.Repeat("p", 90), i, i, strings.Repeat("q", 90), i, i))
	}
	set := tools.All(of(t, repotest.New(t, commits...)))
	for _, tt := range []struct {
		tool, args, holds string
		max               int
	}{
		{"find_definition", `{"name": "target"}`, "Not read as code, so look there by grep_code: big.py (", 1000},
		{"grep_code", `{"pattern": "def x"}`, "[1 file not searched, as they are not text in UTF-8]", 1000},
		{"search_commits", `{"query": "topic", "max_results": 100}`, "[there are older commits; go on with skip 100]", 31_000},
		{"read_file", `{"path": "d"}`, "bytes more]", 2100},
	} {
		got := set.Call(t.Context(), tt.tool, json.RawMessage(tt.args))
		if !strings.Contains(got.Text, tt.holds) || len(got.Text) > tt.max {
			t.Errorf("%s %s: %d bytes, lacks %q: %.300s", tt.tool, tt.args, len(got.Text), tt.holds, got.Text)
		}
	}
}

// What a result shows is there, word for word.
func TestShownCanBeLookedUp(t *testing.T) {
	w := workspace(t)
	r := tools.All(w).Call(t.Context(), "grep_code", json.RawMessage(`{"pattern": "put", "context_lines": 1}`))
	if len(r.Shown) != 4 {
		t.Fatalf("%d places are shown, want 4: %s", len(r.Shown), r.Text)
	}
	for _, s := range r.Shown {
		if s.Commit != w.Snapshot.Commit() {
			t.Errorf("%v is at another commit", s)
		}
		l, err := w.Snapshot.ReadLines(t.Context(), s.Span.Path, s.Span.Start, s.Span.End)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range l.Text {
			if !strings.Contains(r.Text, line) {
				t.Errorf("%q of %v is not in the result", line, s.Span)
			}
		}
	}
}

func FuzzCall(f *testing.F) {
	f.Add("read_file", `{"path": "app/cli.py", "start_line": -5}`)
	f.Add("git_blame", `{"path": "app/cli.py", "start_line": 1, "end_line": 99999999}`)
	f.Add("grep_code", `{"pattern": "(", "paths": ["[", "**"]}`)
	var set tools.Set
	f.Fuzz(func(t *testing.T, name, args string) {
		if set == nil {
			set = tools.All(workspace(t))
		}
		if r := set.Call(t.Context(), name, json.RawMessage(args)); r.Text == "" || len(r.Text) > 40_000 {
			t.Errorf("%s %s gives %d bytes", name, args, len(r.Text))
		}
	})
}

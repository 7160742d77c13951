package tools_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/tools"
)

// Wherever a result is cut, both parts together show what it shows, and each shows
// only lines that are in its text.
func TestPartShowsWhatItHolds(t *testing.T) {
	w := workspace(t)
	files := map[string][]string{}
	for _, f := range w.Snapshot.Files() {
		if l, err := w.Snapshot.ReadLines(t.Context(), f.Path, 1, 0); err == nil {
			files[f.Path] = l.Text
		}
	}
	for _, tt := range []struct{ tool, args string }{
		{"read_file", `{"path": "app/jobs/queue.py", "start_line": 3}`},
		{"grep_code", `{"pattern": "put", "context_lines": 2}`},
		{"find_definition", `{"name": "Queue"}`},
		{"find_callers", `{"name": "put"}`},
		{"git_blame", `{"path": "app/jobs/queue.py", "start_line": 1, "end_line": 20}`},
	} {
		r := tools.All(w).Call(t.Context(), tt.tool, json.RawMessage(tt.args))
		want := linesShown(t, files, r)
		if len(want) < 4 {
			t.Fatalf("%s shows %v: %s", tt.tool, want, r.Text)
		}
		for cut := 0; cut <= len(r.Text); cut++ {
			got := append(linesShown(t, files, r.Part(0, cut)), linesShown(t, files, r.Part(cut, len(r.Text)))...)
			if cut == 0 || r.Text[cut-1] == '\n' {
				slices.Sort(got)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, cut at %d of %q: %s", tt.tool, cut, r.Text, diff)
				}
			}
		}
	}
}

// linesShown lists the lines that a result shows, and fails where one is not in it.
func linesShown(t *testing.T, files map[string][]string, r tools.Result) []string {
	t.Helper()
	var all []string
	for i, s := range r.Shown {
		rest := r.Text[r.At[i]:]
		for n, text := range files[s.Span.Path][s.Span.Start-1 : s.Span.End] {
			line, after, _ := strings.Cut(rest, "\n")
			if rest = after; !strings.Contains(line, strings.Trim(text, " :")) {
				t.Errorf("%v says %q, line %d is %q", s.Span, line, s.Span.Start+n, text)
			}
			all = append(all, fmt.Sprintf("%s:%03d", s.Span.Path, s.Span.Start+n))
		}
	}
	slices.Sort(all)
	return all
}

func TestPart(t *testing.T) {
	text := "head\n1 a\n2 b\n3 c\ntail"
	r := tools.Result{Text: text, Shown: []tools.Shown{{Span: source.Span{Path: "f", Start: 1, End: 3}}}, At: []int{5}}
	span := func(start, end int) []tools.Shown {
		return []tools.Shown{{Span: source.Span{Path: "f", Start: start, End: end}}}
	}
	for _, tt := range []struct {
		from, end int
		want      tools.Result
	}{
		{0, len(text), r},
		{0, 9, tools.Result{Text: "head\n1 a\n", Shown: span(1, 1), At: []int{5}}},
		{0, 10, tools.Result{Text: "head\n1 a\n2", Shown: span(1, 1), At: []int{5}}},
		{6, 17, tools.Result{Text: " a\n2 b\n3 c\n", Shown: span(2, 3), At: []int{3}}},
		{9, 12, tools.Result{Text: "2 b", Shown: span(2, 2), At: []int{0}}},
		{17, 21, tools.Result{Text: "tail"}},
		{4, 4, tools.Result{}},
	} {
		if diff := cmp.Diff(tt.want, r.Part(tt.from, tt.end)); diff != "" {
			t.Errorf("%d to %d: %s", tt.from, tt.end, diff)
		}
	}
	r.At = nil
	if got := r.Part(0, 9); got.Shown != nil {
		t.Errorf("without places a part shows %v", got.Shown)
	}
}

package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/tools"
)

// A long class is shown by its functions, each as a line that was shown; a long one
// without functions by its first lines.
func TestALongClassIsShownByItsFunctions(t *testing.T) {
	var long, plain strings.Builder
	for i := range 3 {
		fmt.Fprintf(&long, "    def step%d(self, x):\n%s", i, strings.Repeat("        x += 1\n", 20))
	}
	for i := range 70 {
		fmt.Fprintf(&plain, "    f%d = %d\n", i, i)
	}
	r := repotest.New(t, "Begin\n-- a.py --\nclass Long:\n"+long.String()+"\n\nclass Plain:\n"+plain.String())
	set := tools.All(of(t, r))
	got := set.Call(t.Context(), "find_definition", json.RawMessage(`{"name":"Long"}`))
	want := `a.py:1-64  class Long  class Long
     2	def step0(self, x)
    23	def step1(self, x)
    44	def step2(self, x)
[these are its functions; read_file shows lines 1 to 64]
`
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Error(diff)
	}
	var lines []int
	for _, s := range got.Shown {
		lines = append(lines, s.Span.Start)
		if s.Commit != source.Commit(r.Commits[0]) || s.Span.Lines() != 1 {
			t.Errorf("shown %v", s)
		}
	}
	if diff := cmp.Diff([]int{1, 2, 23, 44}, lines); diff != "" {
		t.Error(diff)
	}
	got = set.Call(t.Context(), "find_definition", json.RawMessage(`{"name":"Plain"}`))
	if !strings.Contains(got.Text, "f58 = 58") || !strings.Contains(got.Text, "[the definition goes on to line 137]") {
		t.Errorf("got %s", got.Text)
	}
}

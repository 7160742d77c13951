package stacktrace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/stacktrace"
)

// TestMap reads testdata/map/*.txtar: the files of a tree, and a line for each
// frame, the file and the function printed, => and where it is.
func TestMap(t *testing.T) {
	for _, name := range globbed(t, "testdata/map/*.txtar") {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := stacktrace.NewMapper(tree(a))
		for line := range strings.Lines(file(a, "frames")) {
			printed, want, ok := strings.Cut(strings.TrimSpace(line), " => ")
			if !ok {
				continue
			}
			f, module, _ := strings.Cut(printed, " of ")
			f, function, _ := strings.Cut(f, " in ")
			if f == "-" {
				f = ""
			}
			got := m.Map(stacktrace.Frame{File: f, Line: 1, Function: function, Module: module})
			if got.String() != want {
				t.Errorf("%s: %s is in %s, want %s", name, printed, got, want)
			}
		}
	}
}

// tree reads the repository's name from the comment, and its packages.
func tree(a *txtar.Archive) stacktrace.Tree {
	t := stacktrace.Tree{Files: strings.Fields(file(a, "tree")), Packages: map[string]string{}}
	if owner, name, ok := strings.Cut(strings.TrimSuffix(strings.Fields(string(a.Comment))[0], ":"), "/"); ok {
		t.Repo = source.Repo{Owner: owner, Name: name}
	}
	for line := range strings.Lines(file(a, "packages")) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		t.Packages[name] = dir
	}
	return t
}

func TestMapAllSettlesByNeighbours(t *testing.T) {
	m := stacktrace.NewMapper(stacktrace.Tree{Files: strings.Fields("a/pkg/run.py a/pkg/one.py b/pkg/run.py b/pkg/two.py a/pkg/same.py b/pkg/same.py")})
	frames := []stacktrace.Frame{{File: "/build/pkg/run.py"}, {File: "/build/pkg/two.py"}, {File: "/build/pkg/run.py"}}
	var got []string
	for _, l := range m.MapAll(frames) {
		got = append(got, l.String())
	}
	if diff := cmp.Diff([]string{"b/pkg/run.py", "b/pkg/two.py", "b/pkg/run.py"}, got); diff != "" {
		t.Errorf("one root (-want +got):\n%s", diff)
	}
	frames = append(frames, stacktrace.Frame{File: "/build/pkg/one.py"})
	if l := m.MapAll(frames)[0]; l.Why != stacktrace.Ambiguous {
		t.Errorf("two roots: %s", l)
	}
}

func TestCandidatesAreBounded(t *testing.T) {
	var files []string
	for i := range 50 {
		files = append(files, fmt.Sprintf("p%02d/pkg/x.js", i))
	}
	l := stacktrace.NewMapper(stacktrace.Tree{Files: files}).Map(stacktrace.Frame{File: "x.js"})
	if diff := cmp.Diff(stacktrace.Location{Why: stacktrace.Ambiguous, Candidates: files[:20]}, l); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

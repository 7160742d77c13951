package stacktrace_test

import (
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/stacktrace"
)

func FuzzParse(f *testing.F) {
	for _, name := range archives(f) {
		for _, in := range parse(f, name).Files {
			if !strings.HasSuffix(in.Name, ".want") {
				f.Add(string(in.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := stacktrace.Parse(s)
		check(t, r)
		crlf := stacktrace.Parse(strings.ReplaceAll(strings.ReplaceAll(s, "\r", ""), "\n", "\r\n"))
		plain := stacktrace.Parse(strings.ReplaceAll(s, "\r", ""))
		if a, b := printed(crlf), printed(plain); a != b {
			t.Errorf("with CRLF\n%s\nwithout\n%s", a, b)
		}
	})
}

// FuzzMap wants a file of the tree, or a reason.
func FuzzMap(f *testing.F) {
	for _, name := range globbed(f, "testdata/map/*.txtar") {
		a := parse(f, name)
		for line := range strings.Lines(file(a, "frames")) {
			printed, _, _ := strings.Cut(line, " => ")
			path, function, _ := strings.Cut(printed, " in ")
			f.Add(file(a, "tree"), path, function, "")
		}
	}
	f.Fuzz(func(t *testing.T, files, path, function, module string) {
		tree := stacktrace.Tree{Files: strings.Fields(files), Repo: source.Repo{Owner: "shop", Name: "shop"}}
		known := map[string]bool{}
		for _, f := range tree.Files {
			known[f] = true
		}
		frame := stacktrace.Frame{File: path, Function: function, Module: module}
		l := stacktrace.NewMapper(tree).MapAll([]stacktrace.Frame{frame, frame})[1]
		if (l.Path == "") == (l.Why == "") || l.Path != "" && !known[l.Path] || l.String() == "" {
			t.Errorf("%+v", l)
		}
		for _, c := range l.Candidates {
			if !known[c] {
				t.Errorf("candidate %q", c)
			}
		}
	})
}

package stacktrace_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/stacktrace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestParse compares each text of testdata/*.txtar with the file name.want of the
// same archive.
func TestParse(t *testing.T) {
	for _, name := range archives(t) {
		a := parse(t, name)
		var out txtar.Archive
		out.Comment = a.Comment
		for _, in := range a.Files {
			if strings.HasSuffix(in.Name, ".want") {
				continue
			}
			got := printed(stacktrace.Parse(string(in.Data)))
			out.Files = append(out.Files, in, txtar.File{Name: in.Name + ".want", Data: []byte(got)})
			if diff := cmp.Diff(file(a, in.Name+".want"), got); diff != "" && !*update {
				t.Errorf("%s, %s (-want +got):\n%s", name, in.Name, diff)
			}
		}
		if *update {
			if err := os.WriteFile(name, txtar.Format(&out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func archives(tb testing.TB) []string { return globbed(tb, "testdata/*.txtar") }

func globbed(tb testing.TB, pattern string) []string {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		tb.Fatalf("%s: no files: %v", pattern, err)
	}
	return names
}

func parse(tb testing.TB, name string) *txtar.Archive {
	a, err := txtar.ParseFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func file(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// printed is a result as text, a line for each trace, link and frame.
func printed(r stacktrace.Result) string {
	var b strings.Builder
	for i, t := range r.Traces {
		fmt.Fprintf(&b, "%d: lines %d-%d %s\n", i, t.Line, t.End, told(t))
	}
	return b.String()
}

// told is a trace without its place in the text.
func told(t stacktrace.Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, %s: %q", t.Language, t.Kind, t.Error, t.Message)
	if t.Truncated {
		b.WriteString(" truncated")
	}
	if t.Omitted > 0 {
		fmt.Fprintf(&b, " omitted %d", t.Omitted)
	}
	for _, l := range t.Links {
		fmt.Fprintf(&b, "\n   %s: %d", l.Relation, l.Trace)
	}
	for _, f := range t.Frames {
		b.WriteString("\n   " + place(f))
	}
	return b.String()
}

func place(f stacktrace.Frame) string {
	s := f.File
	if f.Line > 0 {
		s += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column > 0 {
		s += fmt.Sprintf(":%d", f.Column)
	}
	if f.Function != "" {
		s += " in " + f.Function
	}
	if f.Module != "" {
		s += " of " + f.Module
	}
	if f.Code != "" {
		s += " | " + f.Code
	}
	return strings.TrimSpace(s)
}

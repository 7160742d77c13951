package code_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// TestLayout compares layouts with the goldens. There each line has the depth of the cut
// before it; "^" if it belongs to the cut below; and "#" if it is comment alone.
func TestLayout(t *testing.T) {
	golden(t, "testdata/layout/languages.txtar", func(path string, data []byte) []txtar.File {
		l, err := code.LayoutOf(path, data)
		if err != nil {
			t.Error(err)
		}
		return []txtar.File{{Name: "layout of " + path, Data: showLayout(data, l)}}
	})
}

func showLayout(data []byte, l code.Layout) []byte {
	lines := strings.SplitAfter(string(data), "\n")
	marks := make([][3]byte, len(lines)+1)
	for i := range marks {
		marks[i] = [3]byte{' ', ' ', ' '}
	}
	for _, c := range l.Cuts {
		marks[c.Line][0] = "0123456789abcdef"[c.Depth]
		for n := c.First; n < c.Line; n++ {
			marks[n][1] = '^'
		}
	}
	for _, s := range l.Comments {
		for n := s.Start; n <= s.End; n++ {
			marks[n][2] = '#'
		}
	}
	var b bytes.Buffer
	for i, line := range lines {
		if line != "" {
			fmt.Fprintln(&b, strings.TrimRight(string(marks[i+1][:])+" "+line, " \t\r\n"))
		}
	}
	for _, s := range l.Symbols {
		fmt.Fprintf(&b, "symbol %s %s %d-%d\n", s.Kind, s.Qualified, s.Span.Start, s.Span.End)
	}
	return b.Bytes()
}

// TestLayoutKept: a layout is the same when it comes from the cache.
func TestLayoutKept(t *testing.T) {
	m := &memory{}
	files := []source.File{m.add("a.py", "# above\nclass A:\n    '''Doc.'''\n    def f(self):\n        return 1\n"), m.add("b.txt", "text\n")}
	dir := t.TempDir()
	var layouts [2]code.Layout
	for i := range layouts {
		idx, err := code.Build(t.Context(), files, m, code.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if got := idx.Stats().Parsed; got != 1-i {
			t.Fatalf("build %d parsed %d files", i, got)
		}
		layouts[i], _ = idx.Layout("a.py")
		if l, ok := idx.Layout("b.txt"); ok {
			t.Errorf("a text has the layout %+v", l)
		}
	}
	symbol := func(name, kind, sig string, start, end, line int) code.Symbol {
		return code.Symbol{ID: "a.py:" + name, Name: name[strings.LastIndexByte(name, '.')+1:], Qualified: name, Kind: code.Kind(kind), Language: source.Python,
			Span: source.Span{Path: "a.py", Start: start, End: end}, NameLine: line, Signature: sig}
	}
	want := code.Layout{
		Language: source.Python,
		Symbols:  []code.Symbol{symbol("A", "class", "class A", 2, 5, 2), symbol("A.f", "method", "def f(self)", 4, 5, 4)},
		Cuts:     []code.Cut{{Line: 2, First: 1, Depth: 0}, {Line: 3, First: 3, Depth: 1}, {Line: 4, First: 4, Depth: 1}, {Line: 5, First: 5, Depth: 2}},
		Comments: []source.Span{{Path: "a.py", Start: 1, End: 1}, {Path: "a.py", Start: 3, End: 3}},
	}
	if diff := cmp.Diff([]code.Layout{want, want}, layouts[:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package code_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

func TestGraph(t *testing.T) {
	m := &memory{}
	files := []source.File{
		m.add("p/__init__.py", ""),
		m.add("p/a.py", `from p.b import helper, Base
import p.c, os

class A(Base):
    def run(self):
        self.step()
        self.inherited()
        helper(1)
        p.c.helper()
        os.getcwd()
        unknown.step()
        def inner():
            A()
        helper(2)
        return late

    def step(self):
        self.run()

def late(): helper(3)
def late(): pass
`),
		m.add("p/b.py", "def helper(x): pass\nclass Base:\n    def inherited(self): helper(0)\n"),
		m.add("p/c.py", "from . import b\nfrom p.b import helper as h\ndef helper(): h(b)\n"),
	}
	idx, err := code.Build(t.Context(), files, m, code.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]code.Edge{{"p/a.py", "p/b.py"}, {"p/a.py", "p/c.py"}, {"p/c.py", "p/b.py"}}, idx.ImportEdges()); diff != "" {
		t.Errorf("import edges (-want +got):\n%s", diff)
	}
	want := map[string]int{"A": 1, "run": 1, "step": 1, "inner": 1, "late": 1, "helper": 2, "Base": 1, "inherited": 1}
	if diff := cmp.Diff(want, maps.Collect(idx.Names())); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"p/b.py:helper", "p/c.py:helper"}, ids(idx.Defining("helper"))); diff != "" {
		t.Errorf("defining (-want +got):\n%s", diff)
	}
	if got := idx.Defining("Helper"); got != nil {
		t.Errorf("Helper is defined by %v", got)
	}
	for id, want := range map[string][]string{
		"p/a.py:A.run":       {"p/a.py:A.step", "p/b.py:Base.inherited", "p/b.py:helper", "p/c.py:helper", "p/a.py:A"},
		"p/a.py:A.run.inner": {"p/a.py:A"},
		"p/a.py:A.step":      {"p/a.py:A.run"},
		"p/c.py:helper":      {"p/b.py:helper"},
		"p/b.py:helper":      nil,
	} {
		sym, ok := idx.Symbol(id)
		if diff := cmp.Diff(want, ids(idx.Calls(sym))); !ok || diff != "" {
			t.Errorf("calls of %s (-want +got):\n%s", id, diff)
		}
	}
}

func ids(symbols []code.Symbol) (out []string) {
	for _, s := range symbols {
		out = append(out, s.ID)
	}
	return out
}

// TestHintsOfCache: what a question for definitions needs of the second part of records
// is read for it, without a question for uses before.
func TestHintsOfCache(t *testing.T) {
	m := &memory{}
	files := []source.File{m.add("src/lib.rs", "trait Show {\n    fn show(&self) {}\n}\nstruct Point;\nimpl Show for Point {}\n")}
	dir := t.TempDir()
	for range 2 {
		idx, err := code.Build(t.Context(), files, m, code.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"src/lib.rs:Show.show"}, ids(idx.Definitions("Point.show"))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

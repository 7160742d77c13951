package code_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

func TestImportEdges(t *testing.T) {
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

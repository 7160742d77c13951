package code_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/code"
)

// TestDeadly: what is known to end a process is refused where there is one process,
// and what looks like it is not.
func TestDeadly(t *testing.T) {
	const plain = "val s = \"${f(\"a\")} \\\" ${ { 1 } }\" + \"\"\"\"${x}\"\"\" + \"\"\n"
	m := &memory{}
	idx := build(t, m, code.Config{},
		m.add("abort.kt", "val x = "+strings.Repeat(`"${`, 1030)),
		m.add("braces.kt", "val x = "+strings.Repeat(`"}${{}`, 1030)),
		m.add("triple.kt", "val x = "+strings.Repeat(`"""a"${`, 1030)),
		m.add("plain.kt", "fun plain() {}\n"+strings.Repeat(plain, 500)),
		m.add("grow.cs", "x = "+strings.Repeat(strings.Repeat("a<", 100)+"\n", 1000)),
		m.add("plain.cs", "class Plain {\n"+strings.Repeat("bool f() { return a < b; }\nList<A<B>> x;\n", 1500)+"}\n"),
	)
	const reason = "nested in a way that the parser may not survive"
	want := []code.Skipped{{"abort.kt", reason}, {"braces.kt", reason}, {"grow.cs", reason}, {"triple.kt", reason}}
	if diff := cmp.Diff(want, idx.Skipped()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMissingNodes: a definition without the part that it should have is not taken
// for the whole file, which would never end.
func TestMissingNodes(t *testing.T) {
	m := &memory{}
	idx := build(t, m, code.Config{},
		m.add("a.ts", "declare module \"foo\";\ndeclare namespace x;\nmodule y\nfunction f() {}\n"),
		m.add("b.js", "class\nfunction g() {}\nclass A extends\n"),
		m.add("c.java", "class\ninterface X\nenum\nclass B { void f(); int }\n"),
		m.add("d.rs", "mod x;\nimpl\ntrait T\nfn f();\n"),
		m.add("e.py", "class A:\ndef f():\n\nlambda\n"),
		m.add("f.go", "package f\nfunc g()\ntype T\nfunc (t T)\n"),
		m.add("g.ex", "defmodule A\ndef f\ndef\n"),
	)
	if skipped := idx.Skipped(); skipped != nil {
		t.Errorf("skipped: %v", skipped)
	}
	if got := idx.Definitions("f"); len(got) == 0 {
		t.Error("f is not found")
	}
}

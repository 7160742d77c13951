package contract_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/contract"
)

// many is a change that breaks n callers in one file.
func many(n int) change {
	c := change{base: tree{"a.py": []byte("def f(a): pass\n")}, head: tree{"a.py": []byte("def f(a, b): pass\n")}}
	use := []byte("from a import f\n" + strings.Repeat("f(1)\n", n))
	c.base["b.py"], c.head["b.py"] = use, use
	return c
}

func (c change) input(t *testing.T) contract.Input {
	return contract.Input{Base: c.base.index(t), Head: c.head.index(t), Files: c.files(), Read: c.head.read}
}

// TestCheckBounds: 100 are given, or as many as are asked for, and always the same.
func TestCheckBounds(t *testing.T) {
	in := many(150).input(t)
	for want, limit := range map[int]int{100: 0, 7: 7, 150: 1000} {
		in.Max = limit
		got, err := contract.Check(t.Context(), in)
		if err != nil || len(got) != want || got[0].Caller.String() != "b.py:2" || got[want-1].Caller.Start != want+1 {
			t.Errorf("Max %d: %d findings, %v", limit, len(got), err)
		}
	}
}

// TestCheckErrors: what Read says ends the check, and so does the context.
func TestCheckErrors(t *testing.T) {
	in := many(1).input(t)
	gone := errors.New("gone")
	in.Read = func(context.Context, string) ([]byte, error) { return nil, gone }
	if _, err := contract.Check(t.Context(), in); !errors.Is(err, gone) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := contract.Check(ctx, in); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestCheckMovedFiles: a file that moved is compared with what it was, and the callers in
// a file that is deleted are gone.
func TestCheckMovedFiles(t *testing.T) {
	c := change{
		base: tree{"old.py": []byte("def f(a): pass\n"), "use.py": []byte("from old import f\nf(1)\n"), "dead.py": []byte("from old import f\nf(2)\n")},
		head: tree{"new.py": []byte("def f(a, b): pass\n"), "use.py": []byte("from new import f\nf(1)\n")},
	}
	in := c.input(t)
	in.Files = slices.DeleteFunc(in.Files, func(p contract.Pair) bool { return p.Path == "old.py" || p.Path == "new.py" })
	in.Files = append(in.Files, contract.Pair{Path: "new.py", OldPath: "old.py", Before: c.base["old.py"], After: c.head["new.py"]})
	got, err := contract.Check(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, b := range got {
		lines = append(lines, fmt.Sprintf("%s %s %s: %s; %s", b.Def, b.Symbol, b.Caller, b.What, b.Why))
	}
	want := []string{`new.py:1 f use.py:2: parameter "b" is new and has no default; does not give "b", which has no default`}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestCheckDeletedModule: what still takes a function from a file that is gone is broken.
func TestCheckDeletedModule(t *testing.T) {
	c := change{
		base: tree{"pkg/__init__.py": nil, "pkg/old.py": []byte("def f(a):\n    return a\n"), "use.py": []byte("from pkg.old import f\nf(1)\n")},
		head: tree{"pkg/__init__.py": nil, "use.py": []byte("from pkg.old import f\nf(1)\n")},
	}
	got := c.check(t)
	if len(got) != 1 || got[0].Caller.String() != "use.py:2" || got[0].Why != "still calls f, which this change removed" || got[0].Def.String() != "pkg/old.py:1" {
		t.Errorf("%+v", got)
	}
}

// TestCheckDeletedClass: a class with a constructor is called by its own name.
func TestCheckDeletedClass(t *testing.T) {
	use := []byte("from m import C, D as E\nC(1)\nE()\n")
	c := change{
		base: tree{"m.py": []byte("class C:\n    def __init__(self, x): pass\n\nclass D:\n    def __init__(self): pass\n"), "use.py": use},
		head: tree{"m.py": []byte("class B:\n    def __init__(self): pass\n"), "use.py": use},
	}
	var got []string
	for _, b := range c.check(t) {
		got = append(got, b.Caller.String()+" "+b.Why)
	}
	if diff := cmp.Diff([]string{"use.py:2 still calls C, which this change removed", "use.py:3 still calls E, which this change removed"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestCheckWrongOnPurpose: the test of an error that the change brings.
func TestCheckWrongOnPurpose(t *testing.T) {
	c := many(1)
	c.head["test_a.py"] = []byte("import pytest\nfrom a import f\n\ndef test_f():\n    with pytest.raises(TypeError):\n        f(1)\n    f(2)  # type: ignore[call-arg]\n")
	for _, b := range c.check(t) {
		if b.Caller.Path == "test_a.py" {
			t.Errorf("%+v", b)
		}
	}
}

// TestCheckGoMethod: the type of a method stands in another file of the package, and may
// have the method from what it embeds.
func TestCheckGoMethod(t *testing.T) {
	types := "package p\n\nimport \"os\"\n\ntype A struct{ n int }\n\ntype B struct {\n\t*os.File\n}\n"
	use := "package p\n\nfunc use(a *A, b *B) {\n\ta.Size()\n\tb.Size()\n}\n"
	c := change{
		base: tree{"p/types.go": []byte(types), "p/use.go": []byte(use), "p/m.go": []byte("package p\n\nfunc (a *A) Size() int { return 1 }\n\nfunc (b *B) Size() int { return 1 }\n")},
		head: tree{"p/types.go": []byte(types), "p/use.go": []byte(use), "p/m.go": []byte("package p\n")},
	}
	got := c.check(t)
	if len(got) != 1 || got[0].Caller.String() != "p/use.go:4" || got[0].Symbol != "A.Size" {
		t.Errorf("%+v", got)
	}
}

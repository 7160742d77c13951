package contract_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/contract"
)

func signatures(t *testing.T, path, text string) []code.Signature {
	t.Helper()
	out, err := code.SignaturesOf(path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCompare: what is said of two versions of a function, and whether it breaks a call.
func TestCompare(t *testing.T) {
	for _, tt := range []struct{ path, before, after, want string }{
		{"a.py", "def f(a): pass\n", "def f(a): pass\n", ""},
		{"a.py", "def f(a): pass\n", "def f(a, timeout): pass\n", `parameters true: parameter "timeout" is new and has no default`},
		{"a.py", "def f(a): pass\n", "def f(a, timeout=1): pass\n", `parameters false: parameter "timeout" is new and may be left out`},
		{"a.py", "def f(a, x=1): pass\n", "def f(a): pass\n", `parameters true: parameter "x" was removed`},
		{"a.py", "def f(a): pass\n", "def f(b): pass\n", `parameters true: parameter "a" is called "b" now`},
		{"a.py", "def f(a, /): pass\n", "def f(b, /): pass\n", `parameters false: parameter "a" is called "b" now`},
		{"a.py", "def f(a, b): pass\n", "def f(b, a): pass\n", `parameters true: its parameters have another order`},
		{"a.py", "def f(a, b=1): pass\n", "def f(a, *, b=1): pass\n", `parameters true: parameter "b" is keyword-only now`},
		{"a.py", "def f(a=1): pass\n", "def f(a): pass\n", `parameters true: parameter "a" may not be left out any more`},
		{"a.py", "def f(a): pass\n", "def f(a, *rest, **kw): pass\n", `parameters false: parameter "rest" is new and may be left out, parameter "kw" is new and may be left out`},
		{"a.py", "def f(): pass\n", "async def f(): pass\n", "manner true: is async now"},
		{"a.py", "def f() -> Awaitable[int]: pass\n", "async def f() -> int: pass\n", "manner false: is async now"},
		{"a.py", "class C:\n def f(self): pass\n", "class C:\n @property\n def f(self): pass\n", "manner true: is a property now"},
		{"a.py", "def f(a): return a\n", "def g(a): return a\n", "renamed true: was renamed to g"},
		{"a.py", "def f(a): return a\n", "def g(a): return a\ndef h(a): return a\n", "removed true: was removed"},
		{"a.go", "package p\nfunc F(a int) {}\n", "package p\nfunc F(b int) {}\n", `parameters false: parameter "a" is called "b" now`},
		{"a.go", "package p\nfunc F(int) {}\n", "package p\nfunc F(int, string) {}\n", "parameters true: parameter 2 is new"},
		{"a.go", "package p\nfunc F(a int) {}\n", "package p\nfunc F(a int64) {}\n", `parameters true: parameter "a" is int64 instead of int`},
		{"a.go", "package p\nfunc F() int {}\n", "package p\nfunc F() (int, error) {}\n", "results true: returns 2 values instead of 1"},
		{"a.go", "package p\nfunc F() error {}\n", "package p\nfunc F() {}\n", "results true: returns no value instead of 1"},
		{"a.go", "package p\nfunc F() int {}\n", "package p\nfunc F() int64 {}\n", "results false: returns int64 instead of int"},
		{"a.ts", "function f(a: string) {}\n", "function f(a: string, b?: string) {}\n", `parameters false: parameter "b" is new and may be left out`},
		{"a.ts", "function f(a: string): number {}\n", "async function f(a: string): Promise<number> {}\n", "manner true: is async now"},
		{"a.ts", "function f(a: string) {}\n", "async function f(a: string) {}\n", "manner false: is async now"},
		{"a.ts", "function f(a: string): void;\nfunction f(a: any) {}\n", "function f(a: number): void;\nfunction f(a: any) {}\n", ""},
		{"a.ts", "function f(): void;\nfunction f(a: string): void;\nfunction f(a?: any) {}\n", "function f(a: string): void;\nfunction f(a?: any) {}\n", "parameters true: takes other arguments"},
		{"a.js", "function f(a) {}\n", "function f(a, b) {}\n", `parameters false: parameter "b" is new`},
	} {
		got := ""
		for _, c := range contract.Compare(signatures(t, tt.path, tt.before), signatures(t, tt.path, tt.after)) {
			got += fmt.Sprintf("%s %v: %s", c.Kind, c.Breaking, c.What)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q to %q (-want +got):\n%s", tt.before, tt.after, diff)
		}
	}
}

// TestStale leaves alone what is not sure, and what was wrong before.
func TestStale(t *testing.T) {
	change := contract.Compare(signatures(t, "a.py", "def f(a): pass\n"), signatures(t, "a.py", "def f(a, b): pass\n"))[0]
	one := contract.Caller{Ref: code.Reference{Path: "b.py", Line: 3, Confident: true, Call: true}, Called: true, Site: code.CallSite{Positional: 1}, Quote: "f(1)"}
	guess, wrong, meant, passed := one, one, one, one
	guess.Ref.Confident, wrong.Site.Positional, meant.Meant, passed.Called = false, 0, true, false
	got := contract.Stale(change, []contract.Caller{guess, wrong, one, meant, passed})
	if len(got) != 1 || got[0].Caller.String() != "b.py:3" || got[0].Why != `does not give "b", which has no default` || got[0].Quote != "f(1)" {
		t.Errorf("%+v", got)
	}
}

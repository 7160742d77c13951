package rag_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/rag"
)

// sound checks what holds for every result.
func sound(t testing.TB, res rag.Result) {
	t.Helper()
	if _, err := json.Marshal(res); err != nil {
		t.Errorf("the result cannot be written: %v", err)
	}
	if len(res.Files) > 20 || len(res.Symbols) > 20 || len(res.Chunks) > 20 || len(res.Notes) > 30 {
		t.Errorf("%d files, %d symbols, %d chunks, %d notes", len(res.Files), len(res.Symbols), len(res.Chunks), len(res.Notes))
	}
	for _, f := range res.Files {
		inRange(t, f.Path, f.Score)
	}
	for _, s := range res.Symbols {
		inRange(t, s.Name, s.Score)
		if s.Span.Start < 1 || s.Span.End < s.Span.Start {
			t.Errorf("%s is at %v", s.Name, s.Span)
		}
	}
	for _, c := range res.Chunks {
		inRange(t, c.Span.String(), c.Score)
		if c.Span.Start < 1 || c.Span.End < c.Span.Start || len(c.Begins) > 10 {
			t.Errorf("chunk %v begins %q", c.Span, c.Begins)
		}
	}
}

func inRange(t testing.TB, what string, score float64) {
	t.Helper()
	if !(score <= 1) {
		t.Errorf("%s has the score %g", what, score)
	}
}

// TestEmptyRepository: no file is no error.
func TestEmptyRepository(t *testing.T) {
	r := repotest.New(t, "Nothing")
	s := snapshot(t, clone(t, r), r.Commits[0])
	dir := t.TempDir()
	for _, built := range []int64{1, 0} {
		o := open(t, s, dir)
		res := search(t, o.index, question)
		sound(t, res)
		if o.built != built || len(res.Files)+len(res.Symbols)+len(res.Chunks) != 0 {
			t.Errorf("built %d times, found %+v", o.built, res)
		}
		if diff := cmp.Diff(rag.Stats{Commits: 1}, o.index.Stats()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if e, err := o.index.Evidence(t.Context(), question, nil, 10); err != nil || len(e.Files)+len(e.Chunks)+len(e.Symbols) != 0 {
			t.Errorf("evidence %+v", e)
		}
	}
}

// TestOneFile: there is nothing to compare it with.
func TestOneFile(t *testing.T) {
	for name, content := range map[string]string{
		"a.py": "def f():\n    return 1\n", "a.md": "# A\n", "a": "x", "a.bin": "\x00\x01", "empty.go": "", "blank.go": "\n\n\n", "a.json": "{",
	} {
		r := repotest.New(t)
		r.Write(name, content)
		r.Commit("")
		x := open(t, snapshot(t, clone(t, r), r.Commits[0]), "").index
		for _, q := range []rag.Query{{}, question, {Title: "f a"}} {
			sound(t, search(t, x, q))
		}
	}
}

// TestAmounts: below zero is nothing, and more than there is, is all.
func TestAmounts(t *testing.T) {
	x := index(t, reader)
	for _, tt := range []struct {
		o    rag.Options
		want [3]int
	}{
		{rag.Options{}, [3]int{8, 7, 8}},
		{rag.Options{Files: -1, Symbols: -20, Chunks: -1 << 62}, [3]int{}},
		{rag.Options{Files: 1, Symbols: 2, Chunks: 3}, [3]int{1, 2, 3}},
		{rag.Options{Files: 1 << 62, Symbols: 1 << 62, Chunks: 1 << 62}, [3]int{8, 7, 8}},
	} {
		res, err := x.Search(t.Context(), question, tt.o)
		must(t, err)
		if got := [3]int{len(res.Files), len(res.Symbols), len(res.Chunks)}; got != tt.want {
			t.Errorf("%+v: %v, want %v", tt.o, got, tt.want)
		}
	}
}

// TestOddFiles: what is no text is not there, and what is odd text does no harm.
func TestOddFiles(t *testing.T) {
	r := repotest.New(t)
	for name, content := range map[string]string{
		"bytes.py":        "def caf\xe9():\n    return \"\xff\xfe\"\n",
		"utf16.py":        "\xff\xfed\x00e\x00f\x00",
		"program":         "\x7fELF\x00\x00\x00",
		"nul-late.py":     "x = 1\n" + strings.Repeat("# a comment\n", 1000) + "\x00\n",
		"nothing.py":      "",
		"cr.py":           "def a():\r    return 1\r",
		"crlf.py":         "def b():\r\n    return 1\r\n",
		"bom.py":          "\ufeffdef marmalade():\n    return 1\n",
		"no-end.py":       "def c():\n    return 1",
		"link.py":         "(link) bom.py",
		"out":             "(link) /etc/passwd",
		"loop":            "(link) loop",
		"dir":             "(link) .",
		"sp ace/ü\n\t.py": "def d():\n    return 1\n",
		"-rf.py":          "def e():\n    return 1\n",
		"deep.py":         strings.Repeat("(", 20000),
		"brackets.go":     "package x\n" + strings.Repeat("func f() {", 5000),
		"words.py":        "x = \"" + strings.Repeat("a ", 300_000) + "\"\n",
	} {
		r.Write(name, content)
	}
	r.Commit("\xff\xfe odd message")
	x := open(t, snapshot(t, clone(t, r), r.Commits[0]), "").index
	got := x.Roles()
	want := []string{"bytes.py", "nul-late.py", "cr.py", "crlf.py", "bom.py", "no-end.py", "sp ace/ü\n\t.py", "-rf.py", "deep.py", "brackets.go", "words.py"}
	for _, name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%q is not there", name)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("these are no texts: %q", got)
	}
	for _, q := range []rag.Query{{}, question, {Title: "marmalade"}, {Body: "caf\xe9 \xff"}} {
		sound(t, search(t, x, q))
	}
	if got := search(t, x, rag.Query{Title: "marmalade"}).Symbols[0]; got.Name != "marmalade" || got.Span.String() != "bom.py:1-2" {
		t.Errorf("the first symbol is %+v", got)
	}
}

// TestLargeFiles: of a file that is too large to be looked into the name counts, and
// the result says so, of 20 of them by name.
func TestLargeFiles(t *testing.T) {
	r := repotest.New(t, reader)
	r.Write("src/checker.py", "x = \""+strings.Repeat("x", 50<<20)+"\"\n")
	r.Write("src/medium.py", "def marmalade():\n"+strings.Repeat("    marmalade()\n", 100_000))
	r.Commit("Add large files")
	s := snapshot(t, clone(t, r), r.Commits[1])
	dir := t.TempDir()
	for _, built := range []int64{1, 0} {
		o := open(t, s, dir)
		if o.built != built || len(o.events) > 0 {
			t.Errorf("the code was asked for %d times; events %q", o.built, o.events)
		}
		res := search(t, o.index, rag.Query{Title: "src/checker.py and src/medium.py are slow with marmalade"})
		sound(t, res)
		if diff := cmp.Diff([]string{"src/medium.py", "src/checker.py"}, paths(res.Files)[:2]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"2 files are not looked into; repomind index names the first 2"}, res.Notes); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		want := []string{
			"src/checker.py: not in the clone, most often as it is too large; only its name counts",
			"src/medium.py: 1600017 bytes, more than 1048576; only its name counts",
		}
		if diff := cmp.Diff(want, o.index.Stats().Skipped); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for _, c := range res.Chunks {
			if strings.HasPrefix(c.Span.Path, "src/") {
				t.Errorf("a chunk of %s", c.Span.Path)
			}
		}
	}
}

// imported is a repository whose files a function names, made by git fast-import.
func imported(t *testing.T, n int, file func(i int) (path, content string)) *repotest.Repo {
	t.Helper()
	r := repotest.New(t)
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stderr = r.Dir, os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	w := bufio.NewWriter(in)
	fmt.Fprint(w, "commit refs/heads/main\ncommitter Ada <ada@example.org> 1704110400 +0000\ndata 6\nimport\n")
	for i := range n {
		path, content := file(i)
		fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(content), content)
	}
	must(t, w.Flush())
	must(t, in.Close())
	must(t, cmd.Wait())
	r.Commits = append(r.Commits, strings.TrimSpace(r.Git("rev-parse", "main")))
	return r
}

// TestManyFiles: 20,000 tiny files, 100,000 with -long. A tree of more than half a million
// is refused by package repo.
func TestManyFiles(t *testing.T) {
	n := 20_000
	if *long {
		n = 100_000
	}
	if testing.Short() {
		n = 1000
	}
	r := imported(t, n, func(i int) (string, string) {
		return fmt.Sprintf("d%d/e%d/f%d.py", i%7, i%1001, i), fmt.Sprintf("def f%d():\n    return %d\n", i, i)
	})
	s := snapshot(t, clone(t, r), r.Commits[0])
	dir := t.TempDir()
	name := fmt.Sprintf("f%d", n-1)
	for _, built := range []int64{1, 0} {
		o := open(t, s, dir)
		if o.built != built || o.index.Stats().Files != n || o.index.Stats().Names != n {
			t.Errorf("built %d times, %+v", o.built, o.index.Stats())
		}
		res := search(t, o.index, rag.Query{Title: name + "() returns the wrong number"})
		sound(t, res)
		if len(res.Symbols) == 0 || res.Symbols[0].Name != name {
			t.Errorf("%s is not the first: %+v", name, res.Files[0])
		}
	}
}

// TestOneNameForAll: an issue full of names that all files have. Each costs no more
// than a look at a part of them.
func TestOneNameForAll(t *testing.T) {
	n := 20_000
	r := imported(t, n, func(i int) (string, string) {
		return fmt.Sprintf("x/x/d%d/x/x.py", i), fmt.Sprintf("def x():\n    return %d\n", i)
	})
	x := open(t, snapshot(t, clone(t, r), r.Commits[0]), "").index
	var body strings.Builder
	for i := range 300 {
		fmt.Fprintf(&body, "`%sy%d` and /x/y%d/%sx.py\n", strings.Repeat("x.", 90), i, i, strings.Repeat("x/", 90))
	}
	sound(t, search(t, x, rag.Query{Title: "x", Body: body.String()}))
}

// TestHostileIssues: an issue is a quarter of a megabyte of anything.
func TestHostileIssues(t *testing.T) {
	x := index(t, reader)
	for name, unit := range map[string]string{
		"words":      "reader check header ",
		"lines":      "a\n",
		"code":       "```\nx\n```\n",
		"a block":    "    x\n",
		"paths":      "pkg/io/reader.py:7 ",
		"names":      "Reader.check(",
		"traces":     "  File \"pkg/io/reader.py\", line 10, in check\n",
		"crashes":    crash,
		"quotes":     `"the header of x" `,
		"brackets":   "[[<((",
		"backticks":  "`",
		"comments":   "<!-- ",
		"invalid":    "\xff\xfe ",
		"nuls":       "\x00",
		"one letter": "x",
		"dots":       "a.",
		"headings":   "# a\n",
		"ellipsis":   "日本語",
	} {
		long := strings.Repeat(unit, 1+(1<<18)/len(unit))
		for _, q := range []rag.Query{{Title: long}, {Body: long}, {Body: "```\n" + long}, {Title: long, Body: long, Code: long, Kind: rag.Question}} {
			t.Run(name, func(t *testing.T) { sound(t, search(t, x, q)) })
		}
	}
}

// TestText: a span of the index can be read, one that is not there is an error that
// names it.
func TestText(t *testing.T) {
	x := index(t, reader)
	res := search(t, x, question)
	for _, c := range res.Chunks {
		text, err := x.Text(t.Context(), c.Span)
		must(t, err)
		if got := 1 + strings.Count(text, "\n"); got != c.Span.Lines() {
			t.Errorf("%v has %d lines", c.Span, got)
		}
	}
	bad := res.Chunks[0].Span
	bad.Path = "no/such.py"
	_, err := x.Text(t.Context(), bad)
	if err == nil || !strings.HasPrefix(err.Error(), "read "+bad.String()+": ") {
		t.Errorf("error %v", err)
	}
}

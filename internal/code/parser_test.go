//go:build unix

package code_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// standIn is the command of a parser of a kind, see TestMain. Parsers start with an
// empty environment, so the variable is set by env.
func standIn(kind string) []string {
	return []string{"/usr/bin/env", "CODE_TEST_PARSER=" + kind, os.Args[0]}
}

// What ends the parser, or takes all of its memory and time.
var (
	aborts = "val x = " + strings.Repeat(`"${`, 1030)
	grows  = "x = " + strings.Repeat(strings.Repeat("a<", 100)+"\n", 1000)
)

// childless fails if a process that the test has started is left, running or dead.
func childless(t *testing.T) {
	t.Helper()
	if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err != syscall.ECHILD {
		t.Errorf("a child is left: %d %v", pid, err)
	}
}

// TestParser: a process gives the same facts as this one.
func TestParser(t *testing.T) {
	m := &memory{}
	files := []source.File{
		m.add("p/a.py", "import os\nclass A(B):\n    x: int = 1\n    def f(self):\n        return self.f(os.sep)\n"),
		m.add("b.go", "package b\nfunc F() { G() }\nfunc G() {}\n"),
		m.add("go.mod", "module example.org/b\n"),
		m.add("c.py", "x = \x00"),
	}
	here, there := build(t, m, code.Config{}, files...), build(t, m, code.Config{Parser: standIn("serve")}, files...)
	if diff := cmp.Diff(here.Stats(), there.Stats()); diff != "" {
		t.Errorf("stats (-here +there):\n%s", diff)
	}
	for _, f := range files {
		want, _ := here.File(f.Path)
		got, _ := there.File(f.Path)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-here +there):\n%s", f.Path, diff)
		}
	}
	for _, name := range []string{"A.f", "G"} {
		if diff := cmp.Diff(here.Callers(here.Definitions(name)[0]), there.Callers(there.Definitions(name)[0])); diff != "" {
			t.Errorf("callers of %s (-here +there):\n%s", name, diff)
		}
	}
	childless(t)
}

// TestKillers: a file that ends its parser is skipped, the others are read, and the
// next process does not try again.
func TestKillers(t *testing.T) {
	for path, f := range map[string]struct {
		content string
		read    []string
	}{
		"abort.kt": {aborts, []string{"big.py", "abort.kt", "a.py"}},
		"grow.cs":  {grows, []string{"grow.cs", "big.py", "a.py"}},
	} {
		if path == "grow.cs" && runtime.GOOS != "linux" {
			continue // no limit on memory is known here
		}
		m, cfg := &memory{}, code.Config{Dir: t.TempDir(), Workers: 1, FileTimeout: time.Hour, Timeout: time.Hour, Parser: standIn("serve")}
		files := []source.File{m.add(path, f.content), m.add("a.py", "def one(): pass\n"), m.add("big.py", "def two(): pass\n"+strings.Repeat("#\n", 3000))}
		want := []code.Skipped{{Path: path, Reason: "the parser died on it"}}
		for range 2 {
			idx := build(t, m, cfg, files...)
			if diff := cmp.Diff(want, idx.Skipped()); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"a.py:one"}, names(idx.Definitions("one"))); diff != "" {
				t.Errorf("definitions (-want +got):\n%s", diff)
			}
		}
		if diff := cmp.Diff(f.read, m.read); diff != "" {
			t.Errorf("read (-want +got):\n%s", diff)
		}
	}
	childless(t)
}

// TestSlowParser: a parser at work is killed when the time is over, and what it
// worked on is not tried again.
func TestSlowParser(t *testing.T) {
	m, cfg := &memory{}, code.Config{Dir: t.TempDir(), FileTimeout: 10 * time.Millisecond, Parser: standIn("serve")}
	file := m.add("grow.cs", grows)
	for range 2 {
		if diff := cmp.Diff([]code.Skipped{{Path: "grow.cs", Reason: "took longer than 10ms"}}, build(t, m, cfg, file).Skipped()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if len(m.read) != 1 {
		t.Errorf("read %v", m.read)
	}
	childless(t)
}

// TestBadParsers: what a parser does to a file is said of that file.
func TestBadParsers(t *testing.T) {
	for kind, reason := range map[string]string{
		"hang":    "took longer than 100ms",
		"die":     "the parser died on it",
		"garbage": "the parser's answer on it is damaged",
		"endless": "the parser's answer on it is damaged",
	} {
		m, limit := &memory{}, time.Minute
		if kind == "hang" {
			limit = 100 * time.Millisecond
		}
		idx := build(t, m, code.Config{FileTimeout: limit, Parser: standIn(kind)}, m.add("a.py", "def a(): pass\n"), m.add("b.py", "def b(): a()\n"))
		if diff := cmp.Diff([]code.Skipped{{Path: "a.py", Reason: reason}, {Path: "b.py", Reason: reason}}, idx.Skipped()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
	childless(t)
}

// TestWearyParser: what a parser dies of that has had other files is said of none
// before a new one has tried.
func TestWearyParser(t *testing.T) {
	m := &memory{}
	idx := build(t, m, code.Config{Workers: 1, FileTimeout: time.Minute, Parser: standIn("weary")}, many(m, "f%d.py", "def a(): pass\n", 4)...)
	if skipped, n := idx.Skipped(), len(idx.Definitions("a")); skipped != nil || n != 4 {
		t.Errorf("%d definitions, want 4; skipped: %v", n, skipped)
	}
	childless(t)
}

// TestNoParser: a command that is no parser is an error at once, with the reason.
func TestNoParser(t *testing.T) {
	m := &memory{}
	file := m.add("a.py", "def a(): pass\n")
	for want, command := range map[string][]string{
		"fork/exec /no/such/program: no such file or directory": {"/no/such/program"},
		`it says "hello, I am no par"`:                          standIn("other"),
		"EOF: no such command":                                  standIn("wrong"),
	} {
		_, err := code.Build(t.Context(), []source.File{file}, m, code.Config{Parser: command})
		if err == nil || !strings.HasPrefix(err.Error(), "index the code: start the parser ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %s", err, want)
		}
	}
	childless(t)
}

func many(m *memory, path, content string, n int) []source.File {
	var files []source.File
	for i := range n {
		files = append(files, m.add(fmt.Sprintf(path, i), content+strings.Repeat("\n", i)))
	}
	return files
}

// TestFailingParser: a parser that fails on every file is an error.
func TestFailingParser(t *testing.T) {
	m := &memory{}
	_, err := code.Build(t.Context(), many(m, "f%d.py", "x = 1\n", 30), m, code.Config{Workers: 1, Parser: standIn("die")})
	if want := "index the code: the parser failed on 20 files in a row, and on a plain one: "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want one that starts with %s", err, want)
	}
	if n := len(m.read); n > 25 {
		t.Errorf("%d files were read", n)
	}
	childless(t)
}

// TestManyKillers: hostile files, as many as they are, are no error.
func TestManyKillers(t *testing.T) {
	m := &memory{}
	idx := build(t, m, code.Config{FileTimeout: time.Minute, Parser: standIn("serve")}, append(many(m, "f%02d.kt", aborts, 25), m.add("a.py", "def a(): pass\n"))...)
	if n := len(idx.Skipped()); n != 25 || len(idx.Definitions("a")) != 1 {
		t.Errorf("%d files are skipped, want 25; a is defined by %v", n, idx.Definitions("a"))
	}
}

// TestCancel: the end of the context ends a parser that would not end, and the build.
func TestCancel(t *testing.T) {
	m := &memory{}
	file := m.add("a.py", "def a(): pass\n")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := code.Build(ctx, []source.File{file}, then{m, cancel}, code.Config{Workers: 1, FileTimeout: time.Hour, Timeout: time.Hour, Parser: standIn("hang")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the end of the context", err)
	}
	childless(t)
}

// then does something when the files were given out.
type then struct {
	*memory
	do func()
}

func (b then) Blobs(ctx context.Context, files []source.File, each func(int, []byte) error) error {
	err := b.memory.Blobs(ctx, files, each)
	b.do()
	return err
}

// TestTimeout: what is not parsed within the time for all files is skipped, and is
// tried again by the next process.
func TestTimeout(t *testing.T) {
	m, cfg := &memory{}, code.Config{Dir: t.TempDir(), Workers: 1, FileTimeout: time.Hour, Timeout: 100 * time.Millisecond, Parser: standIn("hang")}
	files := []source.File{m.add("a.py", "def a(): pass\n"), m.add("b.py", "def bb(): pass\n")}
	reason := "not parsed: all files took longer than 100ms"
	if diff := cmp.Diff([]code.Skipped{{Path: "a.py", Reason: reason}, {Path: "b.py", Reason: reason}}, build(t, m, cfg, files...).Skipped()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	cfg.Timeout, cfg.Parser = 0, nil
	if skipped := build(t, m, cfg, files...).Skipped(); skipped != nil {
		t.Errorf("given up for good: %v", skipped)
	}
	childless(t)
}

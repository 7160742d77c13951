package code_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/records"
	"github.com/repomind/repomind/internal/source"
)

func names(symbols []code.Symbol) []string {
	var out []string
	for _, s := range symbols {
		out = append(out, s.ID)
	}
	return out
}

// TestCache: a second process reads what has changed and nothing else.
func TestCache(t *testing.T) {
	m, dir := &memory{}, filepath.Join(t.TempDir(), "cache")
	cfg := code.Config{Dir: dir}
	a, b, same := m.add("a.py", "def one(): pass\n"), m.add("b.py", "def two(): one()\n"), m.add("copy.py", "def one(): pass\n")
	build(t, m, cfg, a, b, same)
	if diff := cmp.Diff([]string{"b.py", "a.py"}, m.read); diff != "" {
		t.Errorf("first read, the largest file first (-want +got):\n%s", diff)
	}
	m.read = nil
	b = m.add("b.py", "def three(): one()\n")
	idx := build(t, m, cfg, b, a, same)
	if diff := cmp.Diff([]string{"b.py"}, m.read); diff != "" {
		t.Errorf("second read (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a.py:one", "copy.py:one"}, names(idx.Definitions("one"))); diff != "" {
		t.Errorf("definitions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(code.Stats{Files: 3, Symbols: 3, References: 1, Parsed: 1}, idx.Stats()); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

// TestCacheAnswers: all questions have the same answers from the cache as without.
func TestCacheAnswers(t *testing.T) {
	m, dir := &memory{}, t.TempDir()
	file := m.add("p/a.py", "import os\nclass A(B):\n    x: int = 1\n    def f(self):\n        return self.f(os.sep)\n")
	fresh := build(t, m, code.Config{Dir: dir}, file)
	kept := build(t, m, code.Config{Dir: dir}, file)
	if kept.Stats().Parsed != 0 {
		t.Fatalf("parsed again: %+v", kept.Stats())
	}
	want, _ := fresh.File("p/a.py")
	got, _ := kept.File("p/a.py")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outline (-fresh +kept):\n%s", diff)
	}
	sym := fresh.Definitions("A.f")[0]
	if diff := cmp.Diff(fresh.Callers(sym), kept.Callers(sym)); diff != "" {
		t.Errorf("callers (-fresh +kept):\n%s", diff)
	}
}

// TestCacheLanguage: the same blob is other facts under another name.
func TestCacheLanguage(t *testing.T) {
	m, cfg := &memory{}, code.Config{Dir: t.TempDir()}
	js, ts := m.add("a.js", "function f() {}\n"), m.add("a.ts", "function f() {}\n")
	for range 2 {
		idx := build(t, m, cfg, js, ts)
		var langs []source.Language
		for _, s := range idx.Definitions("f") {
			langs = append(langs, s.Language)
		}
		if diff := cmp.Diff([]source.Language{source.JavaScript, source.TypeScript}, langs); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestDamagedCache: whatever is in the file, the index is right, damage is said once,
// and the file is written anew.
func TestDamagedCache(t *testing.T) {
	m, dir := &memory{}, t.TempDir()
	var said []string
	cfg, file := code.Config{Dir: dir, Notify: func(event string) { said = append(said, event) }}, m.add("a.py", "def one(): pass\n")
	build(t, m, cfg, file)
	name := filepath.Join(dir, "symbols.idx")
	whole, err := os.ReadFile(name)
	if err != nil || said != nil {
		t.Fatal(err, said)
	}
	flipped := slices.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	other := slices.Clone(whole)
	other[8]++ // the version
	damaged := []string{"read the symbol cache: " + name + " is damaged and counts as absent"}
	for what, tt := range map[string]struct {
		data []byte
		said []string
	}{
		"empty": {nil, damaged}, "cut": {whole[:len(whole)/2], damaged}, "flipped": {flipped, damaged},
		"text": {[]byte("hello"), damaged}, "version": {other, nil}, "whole": {whole, nil},
	} {
		said = nil
		if err := os.WriteFile(name, tt.data, 0o600); err != nil {
			t.Fatal(err)
		}
		idx := build(t, m, cfg, file)
		if diff := cmp.Diff([]string{"a.py:one"}, names(idx.Definitions("one"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		if diff := cmp.Diff(tt.said, said); diff != "" {
			t.Errorf("%s: said (-want +got):\n%s", what, diff)
		}
		if now, err := os.ReadFile(name); err != nil || !slices.Equal(now, whole) {
			t.Errorf("%s: the cache is not as before: %v", what, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("files left behind: %v %v", left, err)
	}
}

// TestDamagedRecord: a record that is none, in a file that is whole, is made anew.
func TestDamagedRecord(t *testing.T) {
	m, dir := &memory{}, t.TempDir()
	cfg, file := code.Config{Dir: dir}, m.add("a.py", "def one(): pass\n")
	name := filepath.Join(dir, "symbols.idx")
	build(t, m, cfg, file)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	key := file.Blob + " python"
	if err := (records.Records{key: "\x05no"}).Save(name, binary.LittleEndian.Uint32(whole[8:]), map[string]bool{key: true}); err != nil {
		t.Fatal(err)
	}
	idx := build(t, m, cfg, file)
	if diff := cmp.Diff([]string{"a.py:one"}, names(idx.Definitions("one"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if now, err := os.ReadFile(name); err != nil || !slices.Equal(now, whole) {
		t.Errorf("the cache is not as before: %v", err)
	}
}

// TestCacheForgets: what no commit uses any more goes when it outweighs what is used.
func TestCacheForgets(t *testing.T) {
	m, dir := &memory{}, t.TempDir()
	size := func() int64 {
		info, err := os.Stat(filepath.Join(dir, "symbols.idx"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	var sizes []int64
	for i := range 6 {
		build(t, m, code.Config{Dir: dir}, m.add("a.py", strings.Repeat("def f(): pass\n", 50)+strings.Repeat("#", i)))
		sizes = append(sizes, size())
	}
	if sizes[5] > 3*sizes[0] {
		t.Errorf("the cache grows with each commit: %v", sizes)
	}
	m.read = nil
	build(t, m, code.Config{Dir: dir}, m.add("a.py", strings.Repeat("def f(): pass\n", 50)+"####"))
	if m.read != nil {
		t.Errorf("the commit before was forgotten: %v", m.read)
	}
}

func TestSkipped(t *testing.T) {
	m := &memory{}
	missing := m.add("gone.py", "def gone(): pass\n")
	delete(m.blobs, missing.Blob)
	link := m.add("link.py", "def link(): pass\n")
	link.Mode = source.Symlink
	files := []source.File{
		m.add("big.py", strings.Repeat("x = 1\n", 400)),
		m.add("bin.py", "def f():\x00"),
		m.add("min.js", "function f() {};"+strings.Repeat("var a=1;", 4000)),
		m.add("ok.py", "def ok(): pass\n"),
		m.add("doc.md", "# text"),
		missing, link,
	}
	idx := build(t, m, code.Config{MaxFileSize: 100_000, Dir: t.TempDir()}, append(files, m.add("huge.py", strings.Repeat("x = 1\n", 20_000)))...)
	want := []code.Skipped{
		{Path: "bin.py", Reason: "binary content"},
		{Path: "gone.py", Reason: "not readable: over the reader's limit"},
		{Path: "huge.py", Reason: "120000 bytes, more than 100000"},
		{Path: "min.js", Reason: "minified: very long lines"},
	}
	if diff := cmp.Diff(want, idx.Skipped()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if slices.Contains(m.read, "huge.py") || slices.Contains(m.read, "link.py") {
		t.Errorf("read in vain: %v", m.read)
	}
}

// TestSlow: a file that takes too long is given up, reported, and tried again by the
// next process.
func TestSlow(t *testing.T) {
	m, cfg := &memory{}, code.Config{Dir: t.TempDir(), FileTimeout: time.Microsecond, Workers: 1}
	slow, quick := m.add("slow.py", strings.Repeat("x = [1, 2, 3]\n", 50_000)), m.add("z.py", "def z(): pass\n")
	idx := build(t, m, cfg, slow, quick)
	if diff := cmp.Diff([]code.Skipped{{Path: "slow.py", Reason: "parsing took too long"}}, idx.Skipped()[:1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	cfg.FileTimeout = time.Minute
	if skipped := build(t, m, cfg, slow, quick).Skipped(); skipped != nil {
		t.Errorf("given up for good: %v", skipped)
	}
}

// TestNesting: deep nesting costs neither the stack nor the file's other symbols.
func TestNesting(t *testing.T) {
	const n = 200_000
	m := &memory{}
	idx := build(t, m, code.Config{FileTimeout: time.Minute},
		m.add("a.py", "def before(): pass\nx = "+strings.Repeat("(", n)+strings.Repeat("\n", 2000)+strings.Repeat(")", n)+"\ndef after(): pass\n"),
		m.add("a.go", "package a\nfunc before() {}\nvar x = "+strings.Repeat("f(\n", n/4)+strings.Repeat(")", n/4)+"\nfunc after() {}\n"),
		m.add("a.js", "function before() {}\nx = "+strings.Repeat("[\n", n/4)+strings.Repeat("]", n/4)+"\nfunction after() {}\n"),
	)
	if diff := cmp.Diff([]string{"a.go:before", "a.js:before", "a.py:before"}, names(idx.Definitions("before"))); diff != "" {
		t.Errorf("(-want +got):\n%s skipped: %v", diff, idx.Skipped())
	}
}

// TestDepth: what is nested deeper than 1,000 nodes is left out.
func TestDepth(t *testing.T) {
	m := &memory{}
	idx := build(t, m, code.Config{}, m.add("a.py", "x = "+strings.Repeat("(", 300)+"shallow()"+strings.Repeat(")", 300)+"\ny = "+strings.Repeat("(", 2000)+"deep()"+strings.Repeat(")", 2000)+"\n"))
	if n, m := len(idx.References("shallow")), len(idx.References("deep")); n != 1 || m != 0 {
		t.Errorf("%d references 300 deep, %d references 2,000 deep; want 1 and 0", n, m)
	}
}

func TestBuildFails(t *testing.T) {
	m := &memory{}
	file := m.add("a.py", "def a(): pass\n")
	broken := errors.New("no such blob")
	if _, err := code.Build(t.Context(), []source.File{file}, failing{broken}, code.Config{}); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := code.Build(ctx, []source.File{file}, m, code.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the end of the context", err)
	}
}

// TestNoCache: without a place to keep it the index is right, and that is said once.
func TestNoCache(t *testing.T) {
	m := &memory{}
	file := m.add("a.py", "def a(): pass\n")
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	odd := t.TempDir()
	if err := os.Mkdir(filepath.Join(odd, "symbols.idx"), 0o700); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		occupied: "read the symbol cache: stat " + occupied + "/symbols.idx: not a directory",
		odd:      "read the symbol cache: read " + odd + "/symbols.idx: is a directory",
	} {
		var said []string
		idx := build(t, m, code.Config{Dir: dir, Notify: func(event string) { said = append(said, event) }}, file)
		if diff := cmp.Diff([]string{want}, said); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"a.py:a"}, names(idx.Definitions("a"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dir, diff)
		}
		build(t, m, code.Config{Dir: dir}, file)
	}
	if left, err := os.ReadDir(odd); err != nil || len(left) != 1 {
		t.Errorf("files left behind: %v %v", left, err)
	}
}

// TestStaleFiles: what a killed process left is removed, and what another one is
// writing is not.
func TestStaleFiles(t *testing.T) {
	m, dir := &memory{}, t.TempDir()
	for name, age := range map[string]time.Duration{"symbols.idx.1.tmp": 2 * time.Hour, "symbols.idx.2.tmp": 0, "notes.tmp": 2 * time.Hour} {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(name, then, then); err != nil {
			t.Fatal(err)
		}
	}
	build(t, m, code.Config{Dir: dir}, m.add("a.py", "def a(): pass\n"))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"notes.tmp", "symbols.idx", "symbols.idx.2.tmp"}, left); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

type failing struct{ err error }

func (f failing) Blobs(context.Context, []source.File, func(int, []byte) error) error { return f.err }

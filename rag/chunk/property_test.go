package chunk_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/chunk"
)

var forms = []string{"f.py", "f.go", "f.ts", "f.rs", "f.c", "f.md", "f.rst", "f.toml", "f.ini", "f.yaml", "f.json", "f.xml", "Makefile", "Dockerfile", "f.txt"}

// FuzzSplit: whatever the bytes and the form, the chunks are a partition of the lines,
// none of several lines is over the limits, and they can be read.
func FuzzSplit(f *testing.F) {
	archives, err := filepath.Glob("testdata/split/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			for i, form := range forms {
				if !strings.HasSuffix(file.Name, golden) && filepath.Ext(form) == filepath.Ext(file.Name) {
					f.Add(uint8(i), uint16(100), file.Data)
				}
			}
		}
	}
	for i := range forms {
		f.Add(uint8(i), uint16(3), []byte("a\r\n\r\r\n\xff\xfe{[\"</<!-- \n\n```\n===\n---\n  - x: |\n[a"))
	}
	f.Fuzz(func(t *testing.T, form uint8, size uint16, data []byte) {
		path := forms[int(form)%len(forms)]
		limits := chunk.Limits{Size: int(size) + 1, Bytes: 3 * (int(size) + 1)}
		layout, _ := code.LayoutOf(path, data)
		check(t, path, data, layout, limits)
		check(t, path, data, code.Layout{}, limits)
	})
}

func check(t *testing.T, path string, data []byte, layout code.Layout, limits chunk.Limits) {
	t.Helper()
	chunks := chunk.Split(path, data, layout, limits)
	checkPartition(t, data, chunks)
	for _, c := range chunks {
		text := data[c.From:c.To]
		if solid := len(bytes.Join(bytes.Fields(text), nil)); c.Span.Lines() > 1 && (len(text) > limits.Bytes || solid > 4*limits.Size*5/4) {
			t.Fatalf("%v has %d bytes, %d of them not white", c.Span, len(text), solid)
		}
		if got := c.Text(data, 60); len(got) > 60 {
			t.Fatalf("a text of %d bytes: %q", len(got), got)
		}
		body, comments := c.Apart(data)
		if len(body)+len(comments) != len(text) {
			t.Fatalf("%d bytes are %d of body and %d of comments", len(text), len(body), len(comments))
		}
	}
}

// TestForeignLayout: a layout of another file, or one that no parser gives, cuts
// otherwise but leaves no line out.
func TestForeignLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	line := func() int { return r.IntN(60) - 5 }
	for range 2000 {
		var l code.Layout
		for range r.IntN(20) {
			a, b := line(), line()
			l.Symbols = append(l.Symbols, code.Symbol{Qualified: fmt.Sprint("s", r.IntN(9)), Kind: code.Function, Span: source.Span{Path: "a.py", Start: a, End: b}})
			l.Cuts = append(l.Cuts, code.Cut{Line: line(), First: line(), Depth: r.IntN(16)})
			l.Comments = append(l.Comments, source.Span{Path: "a.py", Start: a, End: max(a, b)})
		}
		data := []byte(strings.Repeat("some text\n", r.IntN(50)) + strings.Repeat("x", r.IntN(3)))
		checkPartition(t, data, chunk.Split("a.py", data, l, chunk.Limits{Size: 1 + r.IntN(200)}))
	}
}

func TestHostile(t *testing.T) {
	long := bytes.Repeat([]byte("word "), 10<<20)
	lines := bytes.Repeat([]byte("x\n"), 1<<20)
	for _, tt := range []struct {
		name, path string
		data       []byte
		chunks     int
	}{
		{"50 MB on one line", "a.txt", long, 1},
		{"50 MB on one line of Markdown", "a.md", long, 1},
		{"a long line between short ones", "a.txt", []byte("a\n" + string(long[:1<<20]) + "\nb\n"), 3},
		{"a million short lines", "a.txt", lines, 700},
		{"a million short lines of YAML", "a.yaml", lines, 700},
		{"a million empty lines", "a.txt", bytes.Repeat([]byte("\n"), 1<<20), 263},
		{"20 MB of empty lines", "a.json", bytes.Repeat([]byte("\n"), 20<<20), 5243},
		{"a million brackets", "a.json", bytes.Repeat([]byte("[\n"), 1<<20), 700},
		{"a million keys", "a.json", bytes.Repeat([]byte("\"a\": {\n"), 1<<20), 3496},
		{"a million elements", "a.xml", bytes.Repeat([]byte("<a>\n"), 1<<20), 2098},
		{"a million headings", "a.md", bytes.Repeat([]byte("# a\n"), 1<<20), 1398},
		{"titles within each other", "a.rst", []byte(strings.Repeat("a\n===\nb\n---\nc\n~~~\n", 1<<16)), 525},
		{"deeper and deeper", "a.yaml", deeper(2000), 583},
		{"no line end", "a.txt", []byte("a"), 1},
		{"carriage returns", "a.txt", []byte("a\rb\r\nc\r"), 1},
		{"nothing", "a.txt", nil, 0},
		{"invalid UTF-8", "a.md", []byte("# \xff\n\xfe\xfd"), 1},
	} {
		chunks := chunk.Split(tt.path, tt.data, code.Layout{}, chunk.Limits{})
		checkPartition(t, tt.data, chunks)
		if len(chunks) != tt.chunks {
			t.Errorf("%s: %d chunks, want %d", tt.name, len(chunks), tt.chunks)
		}
	}
}

// deeper is YAML that is nested n deep.
func deeper(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.Bytes()
}

// TestStatements: a long function is cut between the statements of its body, and deeper
// only where one of these is too long.
func TestStatements(t *testing.T) {
	var b strings.Builder
	fmt.Fprintln(&b, "def f(x):")
	var allowed []int
	for i := range 40 {
		allowed = append(allowed, strings.Count(b.String(), "\n")+1)
		fmt.Fprintf(&b, "    if x == %d:\n        first_call(\n            x,\n        )\n        second_call(x)\n    else:\n        third_call(x, x, x, x)\n\n", i)
	}
	data := []byte(b.String())
	layout, err := code.LayoutOf("a.py", data)
	if err != nil {
		t.Fatal(err)
	}
	chunks := chunk.Split("a.py", data, layout, chunk.Limits{})
	var got []int
	for i, c := range chunks {
		want := chunk.Chunk{Span: c.Span, From: c.From, To: c.To, Symbol: "f", Kind: "function", Signature: "def f(x)", Part: i + 1, Parts: 2}
		if diff := cmp.Diff(want, c); diff != "" {
			t.Errorf("part %d (-want +got):\n%s", i, diff)
		}
		got = append(got, c.Span.Start)
	}
	if diff := cmp.Diff([]int{1, allowed[21]}, got); diff != "" {
		t.Errorf("first lines (-want +got):\n%s", diff)
	}
}

// TestSize counts characters, not bytes, and no white.
func TestSize(t *testing.T) {
	data := []byte(strings.Repeat("ä ö 漢\t\n", 25))
	for _, c := range chunk.Split("a.txt", data, code.Layout{}, chunk.Limits{Size: 15}) {
		if c.Span.Lines() != 5 {
			t.Errorf("%v has %d lines, want 5 of 3 characters", c.Span, c.Span.Lines())
		}
	}
}

// TestSameLines: of two definitions on the same lines, the first is shown.
func TestSameLines(t *testing.T) {
	span := source.Span{Path: "a.c", Start: 1, End: 20}
	layout := code.Layout{Symbols: []code.Symbol{{Qualified: "a", Kind: code.Struct, Span: span}, {Qualified: "b", Kind: code.Type, Span: span}}}
	var got []string
	for _, c := range chunk.Split("a.c", []byte(strings.Repeat("int some_field;\n", 20)), layout, chunk.Limits{Size: 150}) {
		got = append(got, fmt.Sprint(c.Symbol, " ", c.Part, "/", c.Parts, c.Holds))
	}
	if diff := cmp.Diff([]string{"a 1/2 [b]", "a 2/2 []"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRead(t *testing.T) {
	data := []byte("# one\nx = 1 # no\n# two\n# three\ny = \"ä\xff\"\n# four")
	layout, err := code.LayoutOf("a.py", data)
	if err != nil {
		t.Fatal(err)
	}
	c := chunk.Split("a.py", data, layout, chunk.Limits{})[0]
	body, comments := c.Apart(data)
	if diff := cmp.Diff([]string{"x = 1 # no\ny = \"ä\xff\"\n", "# one\n# two\n# three\n# four"}, []string{string(body), string(comments)}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("# one\nx = 1 # no\n# two\n# three\ny = \"ä\uFFFD\"\n# four", c.Text(data, 1000)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("# one\nx = 1\n[the first of 47 bytes]\n", c.Text(data, 36)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestForm(t *testing.T) {
	for path, want := range map[string]string{
		"a/b.py": "python", "README.MD": "markdown", "docs/x.rst": "rst", "pyproject.toml": "toml", "setup.cfg": "ini", "poetry.lock": "toml",
		".github/x.yml": "yaml", "package.json": "json", "pom.xml": "xml", "Makefile": "make", "docker/Dockerfile.dev": "docker", "LICENSE": "plain", "x.unknown": "plain",
	} {
		if got := chunk.Form(path); got != want {
			t.Errorf("Form(%s) = %s, want %s", path, got, want)
		}
	}
}

package clue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/rag/clue"
)

const body = "<!-- Please answer:\nall of this --> The `Loader.load_all` of pkg.io.reader fails <!-- hm --> for me.\n" +
	"See https://github.com/o/r/blob/main/src/pkg/io/reader.py#L12-L15 and src\\pkg\\util.py:7.\n" +
	"\n" +
	"```python\n" +
	"from pkg.io import reader\n" +
	"reader::open(\"x\")\n" +
	"```\n" +
	"\n" +
	"It says \"cannot read the header of\" and stops.\n" +
	"\n" +
	"    ValueError: header is too short\n" +
	"\n" +
	"## Environment\n" +
	"numpy 1.2.3 with OtherThing\n" +
	"```\n" +
	"numpy==1.26.0\n" +
	"```\n" +
	"### More\n" +
	"- [x] I searched\n" +
	"- OS: Linux\n" +
	"Thanks."

func TestReadTellsEvidenceFromNoise(t *testing.T) {
	c := clue.Read("  loadAll()  is\nslow ", body)
	want := clue.Clues{
		Title: "loadAll() is slow",
		Prose: "\n The `Loader.load_all` of pkg.io.reader fails  for me.\n" +
			"See https://github.com/o/r/blob/main/src/pkg/io/reader.py#L12-L15 and src\\pkg\\util.py:7.\n\n\n" +
			"It says \"cannot read the header of\" and stops.\n\n\n### More\nThanks.\n",
		Code: []clue.Block{
			{Language: "python", Text: "from pkg.io import reader\nreader::open(\"x\")\n"},
			{Text: "    ValueError: header is too short\n"},
			{},
		},
		Noise: "## Environment\nnumpy 1.2.3 with OtherThing\nnumpy==1.26.0\n- [x] I searched\n- OS: Linux\n",
		Paths: []clue.Path{
			{Path: "src/pkg/io/reader.py", Start: 12, End: 15, Place: clue.InProse},
			{Path: "src/pkg/util.py", Start: 7, Place: clue.InProse},
		},
		Names: []clue.Name{
			{Text: "loadAll", Place: clue.InTitle},
			{Text: "Loader.load_all", Place: clue.Inline},
			{Text: "pkg.io.reader", Place: clue.InProse},
			{Text: "util.py", Place: clue.InProse},
			{Text: "pkg.io", Place: clue.InCode},
			{Text: "reader.open", Place: clue.InCode},
			{Text: "ValueError", Place: clue.InCode},
		},
		Phrases: []string{"loadAll() is slow", "cannot read the header of", "header is too short"},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}
}

func TestReadFindsTraces(t *testing.T) {
	c := clue.Read("crash", "```\nTraceback (most recent call last):\n  File \"/home/u/pkg/a.py\", line 3, in run\n    go()\nKeyError: 'no such key here'\n```\n")
	if len(c.Traces) != 1 || c.Traces[0].Frames[0].Function != "run" {
		t.Fatalf("traces: %+v", c.Traces)
	}
	if diff := cmp.Diff([]clue.Path{{Path: "/home/u/pkg/a.py", Start: 3, Place: clue.InCode}}, c.Paths); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"'no such key here'", "no such key here"}, c.Phrases); diff != "" {
		t.Error(diff)
	}
}

func TestLooksLikeCode(t *testing.T) {
	for word, want := range map[string]bool{
		"foo_bar": true, "fooBar": true, "a.b": true, "HTTPServer": true, "__init__": true, "$scope": true,
		"Windows": false, "word": false, "HTTP": false, "URLs": true, "GitHub": true, "": false, "Ein": false,
	} {
		if got := clue.LooksLikeCode(word); got != want {
			t.Errorf("LooksLikeCode(%q) = %v", word, got)
		}
	}
}

func TestReadIsBounded(t *testing.T) {
	for name, s := range map[string]string{
		"one line":  strings.Repeat("a.b(", 1<<20),
		"many":      strings.Repeat("`xY_1` a/b.py \"two words\"\n", 1<<16),
		"backticks": strings.Repeat("`", 1<<20),
		"comments":  strings.Repeat("<!--", 1<<18),
		"invalid":   strings.Repeat("\xff\xfe`\xff`", 1<<16),
	} {
		c := clue.Read(s, s)
		if len(c.Names) > 300 || len(c.Paths) > 300 || len(c.Phrases) > 300 || len(c.Prose) > clue.MaxText+1 {
			t.Errorf("%s: %d names, %d paths, %d phrases, %d bytes", name, len(c.Names), len(c.Paths), len(c.Phrases), len(c.Prose))
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("title", body)
	f.Add("a::b#c->d", "~~~ {.go}\nx\n~~~\n>>> y\n\tz")
	f.Fuzz(func(t *testing.T, title, body string) {
		c := clue.Read(title, body)
		for _, p := range c.Paths {
			if p.Path == "" || p.Start < 0 {
				t.Errorf("path %+v", p)
			}
		}
		for _, n := range c.Names {
			if n.Text == "" {
				t.Errorf("name %+v", n)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	long := strings.Repeat(body, 20)
	b.SetBytes(int64(len(long)))
	for b.Loop() {
		clue.Read("title of the issue", long)
	}
}

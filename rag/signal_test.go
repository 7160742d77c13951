package rag_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/rag"
)

// reader is a package with a twin, for what names lead to.
const reader = `Begin
-- pkg/io/__init__.py --
from pkg.io.reader import Reader
-- pkg/io/reader.py --
import os


class Reader:
    def load(self, name):
        return self.check(os.stat(name))

    def check(self, info):
        if info.st_size < 8:
            raise ValueError(f"the header of {info} is too short for a reader")
        return info
-- old/io/reader.py --
def legacy(name):
    return name
-- pkg/net.py --
def check(x):
    return x
-- pkg/limits.py --
LOWEST = 1
HIGHEST = 9
-- pkg/flow.py --
from pkg.io.reader import Reader


def run(name):
    return Reader().load(name)
-- tests/test_flow.py --
from pkg.flow import run


def test_quicksilver_run():
    assert run("quicksilver")
-- docs/guide.md --
# Guide
`

var half = float32(math.Sqrt(0.5))

// TestFileSignals: each signal fires where it must, with this value, and nowhere else.
func TestFileSignals(t *testing.T) {
	x := index(t, reader)
	for _, tt := range []struct {
		name   string
		query  rag.Query
		signal string
		want   map[string]float32
	}{
		{
			"a path as it is", rag.Query{Body: "In pkg/io/reader.py it ends."}, "path is named",
			map[string]float32{"pkg/io/reader.py": 1},
		},
		{
			"a path of another machine", rag.Query{Body: `See C:\Users\ada\src\ship\pkg\io\reader.py:7`}, "path is named",
			map[string]float32{"pkg/io/reader.py": 1},
		},
		{
			"a path that may be either", rag.Query{Body: "See /srv/lib/io/reader.py"}, "path is named",
			map[string]float32{"pkg/io/reader.py": half, "old/io/reader.py": half},
		},
		{"a path of something else", rag.Query{Body: "See /srv/lib/other/reader.py"}, "path is named", map[string]float32{}},
		{"the same, by its name", rag.Query{Body: "See /srv/lib/other/reader.py"}, "file name is named", map[string]float32{}},
		{
			"a file's name", rag.Query{Title: "reader.py is slow"}, "file name is named",
			map[string]float32{"pkg/io/reader.py": half, "old/io/reader.py": half},
		},
		{
			"a module", rag.Query{Body: "`pkg.io.reader.Reader` hangs"}, "module is named",
			map[string]float32{"pkg/io/reader.py": 1},
		},
		{
			"a package", rag.Query{Body: "`from pkg.io import x` fails, see `pkg.io`"}, "module is named",
			map[string]float32{"pkg/io/__init__.py": 1},
		},
		{"one word is no module", rag.Query{Body: "`reader` hangs"}, "module is named", map[string]float32{}},
		{
			"a word of the title", rag.Query{Title: "Limits are ignored"}, "called like a word",
			map[string]float32{"pkg/limits.py": 1},
		},
		{
			"a name that two files define", rag.Query{Title: "check() is wrong"}, "defines a name",
			map[string]float32{"pkg/io/reader.py": half, "pkg/net.py": half},
		},
		{
			"a method", rag.Query{Title: "Reader.check is wrong"}, "defines a qualified name",
			map[string]float32{"pkg/io/reader.py": 1},
		},
		{
			"a function of a module", rag.Query{Title: "net.check is wrong"}, "defines a qualified name",
			map[string]float32{"pkg/net.py": 1},
		},
		{
			"a message", rag.Query{Body: "```\nValueError: the header of stat(8) is too short for a reader\n```"}, "has the message",
			map[string]float32{"pkg/io/reader.py": 1},
		},
		{"half a sentence that nobody says", rag.Query{Body: `It says "nobody ever writes this".`}, "has the message", map[string]float32{}},
		{"a test", rag.Query{Title: "quicksilver"}, "tests of it match the title", map[string]float32{"pkg/flow.py": 1}},
		{"a test, by the text", rag.Query{Body: "quicksilver"}, "tests of it match", map[string]float32{"pkg/flow.py": 1}},
		{
			"without a function", rag.Query{}, "without a function",
			map[string]float32{"pkg/limits.py": 1},
		},
		{"a test as it is", rag.Query{}, "is a test", map[string]float32{"tests/test_flow.py": 1}},
		{"a document", rag.Query{}, "is a document", map[string]float32{"docs/guide.md": 1}},
		{
			"what stands for a directory", rag.Query{}, "stands for its directory",
			map[string]float32{"pkg/io/__init__.py": float32(math.Exp(-33. / 4000))},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, x.Signal(tt.query, tt.signal), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.signal, diff)
			}
		})
	}
}

const crash = "```\nTraceback (most recent call last):\n" +
	"  File \"/home/ada/ship/pkg/flow.py\", line 5, in run\n    return Reader().load(name)\n" +
	"  File \"/usr/lib/python3.12/genericpath.py\", line 9, in stat\n" +
	"  File \"/home/ada/ship/pkg/io/reader.py\", line 10, in check\n    raise ValueError\nValueError: x\n```\n"

// TestTraceSignals: the file where it broke counts most, and frames of others do not
// count as steps away from it.
func TestTraceSignals(t *testing.T) {
	x := index(t, reader)
	q := rag.Query{Body: crash}
	if diff := cmp.Diff(map[string]float32{"pkg/flow.py": 1, "pkg/io/reader.py": 1}, x.Signal(q, "in a trace")); diff != "" {
		t.Errorf("in a trace (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]float32{"pkg/io/reader.py": 1, "pkg/flow.py": 0.5}, x.Signal(q, "near the break")); diff != "" {
		t.Errorf("near the break (-want +got):\n%s", diff)
	}
	for span := range x.ChunkSignal(q, "line is named") {
		if span != "pkg/flow.py:4-5" && span != "pkg/io/reader.py:1-11" && span != "pkg/io/reader.py:8-11" && span != "pkg/flow.py:1-5" {
			t.Errorf("chunk %s holds a line of the trace", span)
		}
	}
	res := search(t, x, q)
	if got := res.Symbols[0]; got.Name != "Reader.check" || got.Path != "pkg/io/reader.py" {
		t.Errorf("the first symbol is %s of %s", got.Name, got.Path)
	}
	if got := res.Files[0].Path; got != "pkg/io/reader.py" {
		t.Errorf("the first file is %s", got)
	}
}

// TestNamedLine: a line that a path names marks the chunk that holds it.
func TestNamedLine(t *testing.T) {
	x := index(t, reader)
	want := x.ChunkSignal(rag.Query{Body: crash}, "line is named")
	got := x.ChunkSignal(rag.Query{Body: "see pkg/flow.py:5 and pkg/io/reader.py#L10"}, "line is named")
	if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
		t.Errorf("(-trace +paths):\n%s", diff)
	}
}

// TestHistorySignals: commits that resemble the question, those of late, those that
// mended something.
func TestHistorySignals(t *testing.T) {
	x := index(t,
		"Begin\n-- a.py --\na = 1\n-- b.py --\nb = 1\n-- c.py --\nc = 1\n",
		"Fix the marmalade\n-- a.py --\na = 2\n",
		"Paint it\n-- b.py --\nb = 2\n-- c.py --\nc = 2\n",
	)
	for _, tt := range []struct {
		signal string
		query  rag.Query
		want   map[string]float32
	}{
		{"similar commits", rag.Query{Body: "marmalade"}, map[string]float32{"a.py": 1}},
		{"similar commits", rag.Query{Body: "paint"}, map[string]float32{"b.py": 1, "c.py": 1}},
		{"commits like the title", rag.Query{Title: "marmalade"}, map[string]float32{"a.py": 1}},
		{"words of its commits", rag.Query{Body: "marmalade"}, map[string]float32{"a.py": 1}},
		{"title in its commits", rag.Query{Title: "marmalade"}, map[string]float32{"a.py": 1}},
		{"title in its commits", rag.Query{Body: "marmalade"}, map[string]float32{}},
		{"changed of late", rag.Query{}, map[string]float32{"a.py": float32(math.Exp(-.01)), "b.py": 1, "c.py": 1}},
		{"changed often", rag.Query{}, map[string]float32{"a.py": 1, "b.py": 1, "c.py": 1}},
		{"mended often", rag.Query{}, map[string]float32{"a.py": 1}},
	} {
		if diff := cmp.Diff(tt.want, x.Signal(tt.query, tt.signal), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.signal, diff)
		}
	}
}

// TestImportsLeadOn: the rank flows from the files that fit to those that they import.
func TestImportsLeadOn(t *testing.T) {
	x := index(t, "Begin\n-- top.py --\nimport base\n\n\ndef marmalade():\n    return base.x()\n-- base.py --\ndef x():\n    return 1\n-- alone.py --\ndef y():\n    return 2\n")
	got := x.Signal(rag.Query{Title: "marmalade"}, "imports lead to it")
	if got["top.py"] != 1 || got["base.py"] <= 0 || got["base.py"] >= 1 {
		t.Errorf("%v", got)
	}
	if _, ok := got["alone.py"]; ok {
		t.Errorf("no import leads to alone.py: %v", got)
	}
}

// TestRoles: what a file is for, where only its neighbours tell.
func TestRoles(t *testing.T) {
	x := index(t, `Begin
-- src/form.ts --
export const a = 1;
-- lib/form.js --
exports.a = 1;
-- lib/index.d.ts --
export declare const a: number;
-- types/global.d.ts --
declare const b: number;
-- web/jquery-3.1.0.js --
var jquery = 1;
-- web/lodash.v4.17.min.js --
var lodash = 1;
-- web/step-2.js --
var step = 1;
-- ruby/lib/form.js --
var own = 1;
-- packages/one/src/x.mjs --
export const x = 1;
-- packages/one/lib/x.cjs --
exports.x = 1;
-- packages/one/lib/x.py --
x = 1
-- packages/two/lib/y.js --
exports.y = 1;
-- vendor/z.go --
package z
-- data.json --
{"a": 1}
-- bench/b.py --
b = 1
`)
	want := map[string]string{
		"src/form.ts": "code", "lib/form.js": "vendored", "lib/index.d.ts": "other", "types/global.d.ts": "other",
		"web/jquery-3.1.0.js": "vendored", "web/lodash.v4.17.min.js": "vendored", "web/step-2.js": "code",
		"ruby/lib/form.js": "code", "packages/one/src/x.mjs": "code", "packages/one/lib/x.cjs": "vendored",
		"packages/one/lib/x.py": "code", "packages/two/lib/y.js": "code", "vendor/z.go": "vendored",
		"data.json": "other", "bench/b.py": "example",
	}
	if diff := cmp.Diff(want, x.Roles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestKindsWeighRoles: the same words stand in a document and in code; what is asked
// tells which comes first.
func TestKindsWeighRoles(t *testing.T) {
	x := index(t, "Begin\n-- docs/marmalade.md --\n# Marmalade\n\nHow to cook the marmalade.\n-- marmalade.py --\ndef marmalade():\n    \"\"\"How to cook the marmalade.\"\"\"\n")
	for kind, want := range map[rag.Kind]string{
		"": "marmalade.py", rag.Bug: "marmalade.py", rag.Feature: "marmalade.py", rag.Question: "docs/marmalade.md", "riddle": "marmalade.py",
	} {
		res := search(t, x, rag.Query{Title: "How to cook the marmalade", Kind: kind})
		if got := res.Files[0].Path; got != want {
			t.Errorf("%q: the first is %s, want %s", kind, got, want)
		}
		if n := len(res.Files[0].Why); n == 0 {
			t.Errorf("%q: no reason for the first", kind)
		}
	}
}

// TestReasonsAddUp: what a file, a chunk and a symbol show as reasons is their score,
// but for what is next to nothing.
func TestReasonsAddUp(t *testing.T) {
	x := index(t, reader)
	for _, kind := range []rag.Kind{rag.Bug, rag.Feature, rag.Question} {
		res := search(t, x, rag.Query{Title: "the header is too short", Body: crash, Kind: kind})
		var files, chunks, symbols []scored
		for _, f := range res.Files {
			files = append(files, scored{f.Score, f.Why})
		}
		for _, c := range res.Chunks {
			chunks = append(chunks, scored{c.Score, c.Why})
		}
		for _, s := range res.Symbols {
			symbols = append(symbols, scored{s.Score, s.Why})
		}
		addUp(t, string(kind)+" files", files)
		addUp(t, string(kind)+" chunks", chunks)
		addUp(t, string(kind)+" symbols", symbols)
	}
}

type scored struct {
	score float64
	why   []rag.Reason
}

func (s scored) sum() float64 {
	sum := 0.
	for _, r := range s.why {
		sum += r.Share
	}
	return sum
}

func addUp(t *testing.T, what string, all []scored) {
	t.Helper()
	if len(all) == 0 || all[0].score != 1 {
		t.Fatalf("%s: %+v", what, all)
	}
	top := all[0].sum()
	for i, s := range all {
		if want := s.sum() / top; math.Abs(s.score-want) > 0.02 {
			t.Errorf("%s, place %d: score %.3f, reasons %.3f", what, i+1, s.score, want)
		}
		for k := 1; k < len(s.why); k++ {
			if s.why[k-1].Share < s.why[k].Share {
				t.Errorf("%s, place %d: %s stands before %s", what, i+1, s.why[k-1].Signal, s.why[k].Signal)
			}
		}
	}
}

package stacktrace_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/stacktrace"
)

// A log of many megabytes has the start of the story at its head and the crash at
// its end.
func TestLongTextKeepsHeadAndTail(t *testing.T) {
	crash := func(name string) string {
		return "Traceback (most recent call last):\n  File \"" + name + ".py\", line 1, in f\nKeyError: 1\n"
	}
	filler := strings.Repeat(strings.Repeat("x", 99)+"\n", 20_000)
	s := crash("head") + filler + crash("middle") + filler + crash("tail")
	r := stacktrace.Parse(s)
	var got []string
	for _, tr := range r.Traces {
		got = append(got, fmt.Sprint(tr.Frames[0].File, " ", tr.Line))
	}
	if diff := cmp.Diff([]string{"head.py 1", "tail.py 40007"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if kept := len(s) - r.Skipped; kept < 1<<20-8<<10 || kept > 1<<20+8<<10 {
		t.Errorf("%d bytes were read, %d skipped", kept, r.Skipped)
	}
}

func TestLongLinesAreCut(t *testing.T) {
	s := "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    " + strings.Repeat("é", 10_000) + "\nKeyError: " + strings.Repeat("é", 10_000) + "\n"
	tr := stacktrace.Parse(s).Traces[0]
	if n := len(tr.Frames[0].Code); n > 4<<10 {
		t.Errorf("code of %d bytes", n)
	}
	if n := len(tr.Message); n > 2<<10+len("…") {
		t.Errorf("message of %d bytes", n)
	}
}

func TestManyTracesAndFrames(t *testing.T) {
	one := "goroutine 7 [running]:\nmain.f()\n\t/a.go:1 +0x1\n\n"
	r := stacktrace.Parse(strings.Repeat(one, 1000))
	if len(r.Traces) != 200 || r.Dropped != 800 {
		t.Errorf("%d traces, %d dropped", len(r.Traces), r.Dropped)
	}
	var b strings.Builder
	b.WriteString("Traceback (most recent call last):\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  File \"a.py\", line %d, in f\n", i+1)
	}
	tr := stacktrace.Parse(b.String() + "RecursionError: deep\n").Traces[0]
	got := []int{len(tr.Frames), tr.Omitted, tr.Frames[0].Line, tr.Frames[191].Line, tr.Frames[192].Line, tr.Frames[255].Line}
	if diff := cmp.Diff([]int{256, 744, 1000, 809, 64, 1}, got); diff != "" {
		t.Errorf("frames, omitted and lines (-want +got):\n%s", diff)
	}
}

// Links of traces that were dropped must not point past the end.
func TestLinksStayInside(t *testing.T) {
	one := "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n"
	r := stacktrace.Parse(strings.Repeat(one, 300))
	if len(r.Traces) != 200 || r.Dropped != 100 {
		t.Errorf("%d traces, %d dropped", len(r.Traces), r.Dropped)
	}
	check(t, r)
}

func TestHostileTexts(t *testing.T) {
	for name, s := range hostile {
		t.Run(name, func(t *testing.T) { check(t, stacktrace.Parse(s[:min(len(s), 16<<10)])) })
	}
}

func TestEmpty(t *testing.T) {
	for _, s := range []string{"", "\n", "\r\n\r\n", "```\n```", ">", "> >", "\x00", "\xff\xfe", "Traceback (most recent call last):", "panic: ", "goroutine 1 [x]:", "at "} {
		for _, tr := range stacktrace.Parse(s).Traces {
			if len(tr.Frames) > 0 {
				t.Errorf("%q has frames %v", s, tr.Frames)
			}
		}
	}
}

// TestProse has lines that look like frames and are none.
func TestProse(t *testing.T) {
	for _, s := range []string{
		"We meet at 10:30:15 (sharp).",
		"at noon (see below)",
		"Look at foo.bar(x) in the docs.",
		"ann@example.com:22:1",
		"x.py:12: error: Incompatible types  [assignment]\nx.py:13: note: Use \"-> None\"",
		"test.py:4:1: E501 line too long",
		"main.go:7:2: undefined: x",
		"caller=head_wal.go:1477 level=info msg=\"loaded\"",
		"#12 is fixed by #13: see foo (bar)",
		"# from lib/a.rb:1",
		"# Heading: foo.rb:3",
		"1: from here on",
		"def f():\n    raise ValueError('x')\n",
		"/x/Child.java:5: error: wrong number of type arguments; required 3",
		"https://codesandbox.io/s/x?file=/src/index.js:152-263",
		"panic at the disco",
		"in App (at home)",
		">       quoted code\n",
		"E   a list\nE   of words\n",
	} {
		if r := stacktrace.Parse(s); len(r.Traces) > 0 {
			t.Errorf("%q:\n%s", s, printed(r))
		}
	}
}

// check wants of every result what callers rely on.
func check(tb testing.TB, r stacktrace.Result) {
	tb.Helper()
	if len(r.Traces) > 200 {
		tb.Errorf("%d traces", len(r.Traces))
	}
	last := 0
	for i, tr := range r.Traces {
		if tr.Language == "" || tr.Kind == "" || tr.Line < 1 || tr.End < tr.Line || len(tr.Frames) > 256 {
			tb.Errorf("trace %d: %s %s, lines %d to %d, %d frames", i, tr.Language, tr.Kind, tr.Line, tr.End, len(tr.Frames))
		}
		if tr.Line < last {
			tb.Errorf("trace %d starts at line %d, before the one above", i, tr.Line)
		}
		last = tr.Line
		for _, l := range tr.Links {
			if l.Relation == "" || l.Trace < 0 || l.Trace >= len(r.Traces) || l.Trace == i {
				tb.Errorf("trace %d of %d: link %v", i, len(r.Traces), l)
			}
		}
		for _, f := range tr.Frames {
			if f.File == "" && f.Function == "" || f.Line < 0 || f.Column < 0 {
				tb.Errorf("trace %d: frame %+v", i, f)
			}
		}
	}
	stored(tb, r)
}

// stored wants that a result survives a checkpoint.
func stored(tb testing.TB, r stacktrace.Result) {
	tb.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		tb.Fatal(err)
	}
	var back stacktrace.Result
	if err := json.Unmarshal(data, &back); err != nil {
		tb.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(data) {
		tb.Errorf("stored %s\nread %s, %v", data, again, err)
	}
}

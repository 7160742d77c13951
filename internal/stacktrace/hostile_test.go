package stacktrace_test

import (
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/stacktrace"
)

// hostile texts are a megabyte of what is costly to read.
var hostile = map[string]string{
	"python frames":  repeat("  File \"a.py\", line 1, in f\n    g()\n"),
	"python heads":   repeat("Traceback (most recent call last):\n"),
	"prefixed heads": repeat("0x: Traceback (most recent call last):\n"),
	"group rules":    repeat("  + Exception Group Traceback (most recent call last):\n  | x\n  +-+---------------- 1 ----------------\n"),
	"deep groups":    repeat("    | \n    +-+---- 1 ----\n"),
	"pytest marks":   repeat(">       x\nE   y\n"),
	"pytest ends":    repeat("E   y\n") + "a.py:1: in f\n",
	"locations":      repeat("a.py:1: \n"),
	"group heads":    repeat("| Exception Group Traceback (most recent call last):\n"),
	"titles":         repeat("____ a ____\n"),
	"ipython":        repeat("File a.py:1, in f(x)\n\n"),
	"panics":         repeat("panic: x [recovered]\n"),
	"goroutines":     repeat("goroutine 1 [running]:\nmain.f()\n\ta.go:1 +0x1\n\n"),
	"parentheses":    repeat(strings.Repeat("a.(", 1000) + "\n\ta.go:1 +0x1\n"),
	"java":           repeat("Caused by: a.B: c\n\tat a.B.c(B.java:1)\n"),
	"suppressed":     repeat("\tat a.B.c(B.java:1)\n\tSuppressed: a.B: c\n"),
	"sharp":          repeat("System.Exception: a ---> System.Exception: b\n   at A.B()\n"),
	"at":             repeat("at " + strings.Repeat("(", 2000) + "\n"),
	"v8":             repeat("    at f (eval at g (eval at h (a.js:1:1), <anonymous>:1:1), <anonymous>:2:2)\n"),
	"gecko":          repeat("f@http://a/b.js:1:1\n"),
	"errors":         repeat("Error: Error: Error\n"),
	"rust":           repeat("thread 'a' panicked at 'b\n"),
	"ruby":           repeat("a.rb:1:in `b': c\n"),
	"php":            repeat("#0 /a.php(1): b()\n"),
	"native":         repeat("    #0 0x1 in f /a.cc:1:1\n"),
	"runtime errors": repeat("a.c:1:1: runtime error: x\n"),
	"quotes":         repeat("> > > > > > > > \n"),
	"logs":           repeat("[2024-05-06 07:08:09] [x] [y] [z] INFO - - - | | | :\n"),
	"entities":       repeat("&lt;&amp;lt;\n"),
	"one line":       repeat("a"),
	"colours":        repeat("\x1b[1m"),
	"no newline":     repeat("at a.b(c.java:1) "),
	"nothing":        repeat("\n"),
}

func repeat(s string) string { return strings.Repeat(s, 1<<20/len(s)) }

func BenchmarkParse(b *testing.B) {
	for name, s := range hostile {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				stacktrace.Parse(s)
			}
		})
	}
}

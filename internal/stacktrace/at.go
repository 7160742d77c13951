package stacktrace

import (
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Java, .NET and V8 all start a frame with "at". The first frame tells which one
// it is, and the others have to agree.

// readAt reads their traces.
func readAt(t *text, i int) ([]Trace, int) {
	b := strings.TrimSuffix(t.lines[i].body, " {")
	if _, ok := javaFrame(b); ok {
		return readJava(t, i)
	}
	if _, ok := sharpFrame(b); ok {
		return readSharp(t, i)
	}
	if _, ok := v8Frame(b); ok {
		return readV8(t, i)
	}
	return nil, i
}

// after takes one of the words off that start a frame.
func after(body string, words ...string) (string, bool) {
	for _, w := range words {
		if rest, ok := strings.CutPrefix(body, w+" "); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return body, false
}

// script tells TypeScript by the files of the frames.
func script(frames []Frame) source.Language {
	for _, f := range frames {
		name := strings.TrimRight(f.File, "?#")
		if lang := source.LanguageOf(name, nil); lang == source.TypeScript || lang == source.TSX {
			return source.TypeScript
		}
	}
	return source.JavaScript
}

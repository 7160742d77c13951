// Package stacktrace reads the tracebacks, panics, race and sanitizer reports that
// people paste into issues, and says which of their frames are in a repository.
//
// [Parse] takes any text: prose with fences, quotes, logs and colours around the
// trace, or half a trace. [Mapper] turns the paths that a trace prints, on
// somebody else's machine, into paths of the repository, or says why a frame is
// not of it. Both are bounded in time and output, whatever the text is.
package stacktrace

import "github.com/repomind/repomind/internal/source"

// Result is what [Parse] found in a text.
type Result struct {
	Traces []Trace `json:"traces,omitempty"` // in the order of the text

	// Skipped counts bytes in the middle of a long text that were not read.
	Skipped int `json:"skipped,omitempty"`
	// Dropped counts traces after the first 200.
	Dropped int `json:"dropped,omitempty"`
}

// Trace is one stack. An error with causes is several traces with links.
type Trace struct {
	Language source.Language `json:"language"`
	Kind     Kind            `json:"kind"`
	Error    string          `json:"error,omitempty"` // the type, as printed
	Message  string          `json:"message,omitempty"`
	// Frames has the innermost call first, in whatever order the language prints
	// them. The line that started a Go routine is the last frame.
	Frames []Frame `json:"frames,omitempty"`
	Links  []Link  `json:"links,omitempty"`
	// Line and End are the first and the last line in the text, from 1.
	Line int `json:"line"`
	End  int `json:"end"`
	// Omitted counts frames that are not in Frames: left out by the trace itself
	// ("... 12 more", "[Previous line repeated 995 more times]") or over the limit.
	Omitted int `json:"omitted,omitempty"`
	// Truncated says that the head or the end of the trace is not in the text.
	Truncated bool `json:"truncated,omitempty"`
}

// Frame is one call. File or Function is never empty, the other one can be.
type Frame struct {
	File     string `json:"file,omitempty"` // as printed; can be <string>, [native code] or the like
	Line     int    `json:"line,omitempty"` // from 1; 0 is unknown
	Column   int    `json:"column,omitempty"`
	Function string `json:"function,omitempty"` // qualified as printed, without arguments and decoration
	Code     string `json:"code,omitempty"`     // the source line, where the trace shows it
	Module   string `json:"module,omitempty"`   // the jar, Java module or binary, where the trace names it
}

// Kind says what printed the stack.
type Kind string

// The kinds.
const (
	Exception   Kind = "exception"
	Panic       Kind = "panic"
	Goroutine   Kind = "goroutine" // a dump, or where one was created
	Race        Kind = "race"
	TestFailure Kind = "test failure"
	Sanitizer   Kind = "sanitizer"
	Warning     Kind = "warning"
	Backtrace   Kind = "backtrace" // of a debugger or a crash handler
)

// Link says how another trace of the same Result belongs to this one.
type Link struct {
	Relation Relation `json:"relation"`
	Trace    int      `json:"trace"` // its index in Result.Traces
}

// Relation reads "this trace has a … in that one".
type Relation string

// The relations.
const (
	Cause      Relation = "cause"      // raised from it, "Caused by"
	Context    Relation = "context"    // raised while it was handled
	Suppressed Relation = "suppressed" // raised while resources were closed
	Member     Relation = "member"     // of an exception group
	Conflict   Relation = "conflict"   // the other access of a race
	Created    Relation = "created"    // where the goroutine or thread was started
	Related    Relation = "related"    // where the memory was allocated or freed
)

// Limits of the output. A goroutine dump has thousands of stacks, a recursion
// thousands of frames; the first ones tell the story.
const (
	maxTraces  = 200
	maxFrames  = 256
	maxMessage = 2 << 10
)

// Parse finds the traces in a text. It reads at most 1 MiB, the head and the tail
// of a longer one, and 4 KiB of each line.
func Parse(s string) Result {
	t := clean(s)
	var r Result
	for i := 0; i < len(t.lines); {
		found, next := t.read(i)
		if next <= i {
			i++
			continue
		}
		r.add(found)
		i = next
		t.from = next
	}
	r.Skipped = t.skipped
	return r
}

// add appends traces whose links count from the first of them.
func (r *Result) add(found []Trace) {
	base := len(r.Traces)
	if over := base + len(found) - maxTraces; over > 0 {
		r.Dropped += over
		found = found[:max(0, len(found)-over)]
	}
	for _, t := range found {
		t.Links = shift(t.Links, base)
		r.Traces = append(r.Traces, t.bounded())
	}
}

// shift moves the links by base and leaves out those to traces past the limit.
func shift(links []Link, base int) []Link {
	var kept []Link
	for _, l := range links {
		if l.Trace += base; l.Trace < maxTraces {
			kept = append(kept, l)
		}
	}
	return kept
}

// bounded keeps the innermost frames and a few outer ones, which tell who called.
func (t Trace) bounded() Trace {
	const outer = maxFrames / 4
	if over := len(t.Frames) - maxFrames; over > 0 {
		inner := t.Frames[: maxFrames-outer : maxFrames-outer]
		t.Frames = append(inner, t.Frames[len(t.Frames)-outer:]...)
		t.Omitted += over
	}
	return t
}

// Package clue reads an issue as evidence: what it says in words, what of it is
// code, which files, modules, names and messages it mentions, and what only
// describes the reporter's machine.
//
// Nothing here knows a repository; whether a name leads anywhere is for the
// caller to look up. Reading is linear in the text and bounded by MaxText.
package clue

import (
	"strings"

	"github.com/repomind/repomind/internal/stacktrace"
)

// MaxText is how many bytes of a body are read; the rest is cut off, at a line if there is one.
const MaxText = 256 << 10

// maxTitle is four times what GitHub takes.
const maxTitle = 1024

// maxEach bounds each list of names, paths and phrases: an issue is no dictionary.
const maxEach = 300

// Clues is what an issue gives away.
type Clues struct {
	Title   string
	Prose   string  // the words of the body, and inline code, without blocks and Noise
	Code    []Block // fenced, indented or at an interpreter's prompt
	Noise   string  // versions, systems, check lists: sections that describe no fault
	Paths   []Path
	Names   []Name
	Phrases []string // messages and quoted texts that may stand in the source
	Traces  []stacktrace.Trace
}

// Block is one piece of code or output.
type Block struct {
	Language string // of the fence, in lower case; "" is none
	Text     string
}

// Place says where a clue was found, the strongest first.
type Place uint8

// The places.
const (
	InTitle Place = iota
	Inline        // between backticks
	InProse
	InTrace
	InCode
)

// Read finds the clues of an issue.
func Read(title, body string) Clues {
	body = clip(strings.ToValidUTF8(clip(body), "\uFFFD"))
	r := reader{}
	r.read(body)
	title = strings.Join(strings.Fields(strings.ToValidUTF8(title[:min(len(title), maxTitle)], "\uFFFD")), " ")
	c := Clues{Title: title, Prose: r.prose.String(), Code: r.code, Noise: r.noise.String()}
	c.Traces = stacktrace.Parse(body).Traces
	c.Paths = paths(c)
	c.Names = names(c)
	c.Phrases = phrases(c)
	return c
}

// CodeText is all code in one.
func (c Clues) CodeText() string {
	var b strings.Builder
	for _, block := range c.Code {
		b.WriteString(block.Text)
	}
	return b.String()
}

func clip(s string) string {
	if len(s) <= MaxText {
		return s
	}
	s = s[:MaxText]
	if end := strings.LastIndexByte(s, '\n'); end >= 0 {
		return s[:end+1]
	}
	return s // one line, as of JSON that was pasted
}

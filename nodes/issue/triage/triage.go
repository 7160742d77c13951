// Package triage reads what an issue is without a model: its kind, how severe it is,
// whether it once worked, which version it names, and its language. It is what decides
// where labels or clear signs speak, and what is left where there is no model.
//
// Labels go first, as a maintainer set them; then the title and the headings of issue
// templates; then the wording. Text in code, in output and in hidden comments does not
// count. Nothing here fails: an issue without signs has a reading too, which says so.
// Reading is linear in the text and bounded.
package triage

import (
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/stacktrace"
	"github.com/repomind/repomind/rag/clue"
)

// Verdict is a reading, and the words that led to it.
type Verdict[T any] struct {
	Value T
	// Why is a short sentence that names the labels or words.
	Why string
	// Sure means that a label or an equally clear sign says so, which no model overrules.
	Sure bool
}

// How much of an issue is read, in bytes. GitHub takes 64 Ki characters.
const (
	maxBody  = 64 << 10
	maxTitle = 1000
	maxWhy   = 60 // of a quote in a reason
)

// text is an issue in the parts that signs are looked for in.
type text struct {
	title string
	prose string // with headings and inline code
	heads string // the headings of the prose that are answered, a line each
	facts string // what describes the reporter's machine, and the fields of the form
	code  string // blocks of code and output
	trace bool   // there is a traceback
	fatal bool   // of a process that died
}

func read(is github.Issue) text {
	title, _ := prompt.Clean(clip(is.Title, maxTitle))
	body, _ := prompt.Clean(clip(is.Body, maxBody))
	c := clue.Read(title, boilerplate.ReplaceAllString(body, ""))
	t := text{title: c.Title, prose: c.Prose + strings.Join(stray.FindAllString(c.Noise, 50), ""), facts: c.Noise, code: c.CodeText()}
	t.heads = headings(t.prose)
	t.trace = slices.ContainsFunc(c.Traces, fails)
	t.fatal = slices.ContainsFunc(c.Traces, dies) || deadly.MatchString(t.prose) || deadly.MatchString(t.code)
	return t
}

// fails says whether a trace tells of an error. A warning does not, nor does a stack
// that somebody printed to see where they are.
func fails(tr stacktrace.Trace) bool {
	return dies(tr) || tr.Kind != stacktrace.Warning && tr.Error+tr.Message != ""
}

func dies(tr stacktrace.Trace) bool {
	return tr.Kind == stacktrace.Panic || tr.Kind == stacktrace.Sanitizer
}

var (
	deadly = regexp.MustCompile(`(?m)INTERNAL ERROR|^panic: |^fatal error: |Segmentation fault|\bSIG(?:SEGV|BUS|ABRT)\b`)
	// boilerplate is what templates say to the reporter, and what many leave in.
	boilerplate = regexp.MustCompile(`(?im)^[ \t>*-]*(?:a clear and concise description of|add any other context|if applicable, add|please (?:describe|fill|complete|make sure|search|check)|steps to reproduce the behaviou?r:?[ \t]*$)[^\n]*`)
	// stray are short sentences among the facts: "Since 1.3.0 it is slow" looks like the
	// name and the version of a package.
	stray   = regexp.MustCompile(`(?im)^[ \t]*(?:since|after|starting|before|until|from|with|in|works|worked|upgrading|updating|upgraded|updated)[ \t].*\n`)
	heading = regexp.MustCompile(`^\s*(?:#{1,6}\s+(.{1,100}?)|\*\*(.{1,100}?)\*\*:?)\s*$`)
	silence = regexp.MustCompile(`(?i)^[\W_]*(?:no[_ ]response|none|n/?a|no|nothing|无|没有)?[\W_]*$`)
)

// headings gives those of a template that the reporter answered.
func headings(prose string) string {
	var all, asked []string
	for line := range strings.Lines(prose) {
		if m := heading.FindStringSubmatch(line); m != nil {
			all, asked = append(all, asked...), []string{m[1] + m[2]}
		} else if strings.TrimSpace(line) == "" {
			continue
		} else if silence.MatchString(line) {
			asked = nil
		} else {
			all, asked = append(all, asked...), nil
		}
	}
	return strings.Join(append(all, asked...), "\n")
}

// clip cuts a text at a whole character.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}

// quote is a piece of the issue for a reason: one short line.
func quote(s string) string {
	return clip(strings.Join(strings.Fields(s), " "), maxWhy)
}

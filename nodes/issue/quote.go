package issue

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/nodes/snip"
)

// quote is what a model says stands in a file, in a form that white space, line numbers
// of a listing and gaps do not change: runs of lines, with anything between them.
type quote [][]string

// maxQuoteLines bounds a quote, and maxGap what may be left out at an ellipsis.
const (
	maxQuoteLines = 40
	maxGap        = 40
	minQuote      = 5 // characters that are not white; less is everywhere
)

var (
	listed   = regexp.MustCompile(`^\s*\d+(?:\s{2}|\s*[|:]\s?|\t)`)
	ellipsis = regexp.MustCompile(`^\W*(?:\.\.\.|…)\W*$`)
)

// parseQuote reads a quote; nil is one that says nothing.
func parseQuote(text string) quote {
	lines := unlisted(strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), "\n"))
	var q quote
	var run []string
	size := 0
	for _, line := range lines[:min(len(lines), maxQuoteLines)] {
		line = snip.Squeeze(line)
		switch {
		case ellipsis.MatchString(line):
			if run != nil {
				q, run = append(q, run), nil
			}
		case line != "":
			run = append(run, line)
			size += len(strings.ReplaceAll(line, " ", ""))
		}
	}
	if run != nil {
		q = append(q, run)
	}
	if size < minQuote {
		return nil
	}
	return q
}

// unlisted takes the line numbers of a listing off, if all lines have one.
func unlisted(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		m := listed.FindString(line)
		if m == "" && snip.Squeeze(line) != "" && !ellipsis.MatchString(line) {
			return lines
		}
		out[i] = line[len(m):]
	}
	return out
}

// text is a file, squeezed, without its empty lines.
type text struct {
	lines []string
	at    []int // the numbers of those lines
}

func newText(lines []string) text {
	var t text
	for i, line := range lines {
		if line = snip.Squeeze(line); line != "" {
			t.lines, t.at = append(t.lines, line), append(t.at, i+1)
		}
	}
	return t
}

// stretch is the first and last line of a match.
type stretch struct{ start, end int }

// find gives all places of a quote, at most 100.
func (t text) find(q quote) (out []stretch) {
	if len(q) == 0 {
		return nil
	}
	for i := range t.lines {
		if end, ok := t.match(q, i); ok && len(out) < 100 {
			out = append(out, stretch{t.at[i], t.at[end]})
		}
	}
	return out
}

// match tells whether a quote stands at line i, and the last line of it.
func (t text) match(q quote, i int) (end int, ok bool) {
	if !t.run(q[0], i) {
		return 0, false
	}
	end = i + len(q[0]) - 1
	for _, next := range q[1:] {
		found := false
		for j := end + 1; j < min(len(t.lines), end+1+maxGap) && !found; j++ {
			if t.run(next, j) {
				end, found = j+len(next)-1, true
			}
		}
		if !found {
			return 0, false
		}
	}
	return end, true
}

// run tells whether lines stand at i: the first may begin in the middle of its line, and
// the last end in the middle.
func (t text) run(lines []string, i int) bool {
	if i+len(lines) > len(t.lines) {
		return false
	}
	for j, want := range lines {
		have := t.lines[i+j]
		switch first, last := j == 0, j == len(lines)-1; {
		case have == want:
		case first && last && strings.Contains(have, want):
		case first && !last && strings.HasSuffix(have, want):
		case last && !first && strings.HasPrefix(have, want):
		default:
			return false
		}
	}
	return true
}

package github

import (
	"regexp"
	"strings"
)

// visible blanks what a reader of Markdown does not see as text: fenced code, code
// spans, HTML comments (issue templates are full of them), and escaped characters
// that would else begin something. Each byte stays at its offset and each line
// break stays one.
//
// It follows CommonMark for fences, code spans and comments, but takes a fence at
// any indentation and behind any quote mark, since lists and quotes hold some.
func visible(md string) string {
	b := blanker{text: md, out: []byte(md), none: map[int]int{}}
	for b.at < len(md) {
		b.step()
	}
	return string(b.out)
}

type blanker struct {
	text string
	out  []byte
	at   int
	none map[int]int // length of a run of backticks: no such run closes before this offset
	open bool        // no "-->" follows
}

var fence = regexp.MustCompile("^[ \t>]*(`{3,}[^`\n]*|~{3,}[^\n]*)(?:\n|$)")

func (b *blanker) step() {
	rest := b.text[b.at:]
	if b.at == 0 || b.text[b.at-1] == '\n' {
		line := rest
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			line = rest[:i+1]
		}
		if m := fence.FindStringSubmatch(line); m != nil {
			b.blank(len(line) + closing(rest[len(line):], m[1]))
			return
		}
	}
	switch {
	case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte("![]<`\\", rest[1]) >= 0:
		b.blank(2)
	case rest[0] == '`':
		b.span(len(rest) - len(strings.TrimLeft(rest, "`")))
	case strings.HasPrefix(rest, "<!--"):
		b.comment(rest)
	default:
		b.at++
	}
}

// closing is how many bytes follow to the end of the closing fence, or to the end
// of the text where none closes it.
func closing(rest, opening string) int {
	mark := opening[:len(opening)-len(strings.TrimLeft(opening, opening[:1]))]
	n := 0
	for line := range strings.Lines(rest) {
		n += len(line)
		if s := strings.TrimSpace(strings.TrimLeft(line, " \t>")); len(s) >= len(mark) && strings.Trim(s, mark[:1]) == "" {
			return n
		}
	}
	return n
}

// span blanks a code span of n backticks, if one closes it in the same paragraph.
func (b *blanker) span(n int) {
	end := b.at + n
	if end <= b.none[n] || n > 64 {
		b.at = end
		return
	}
	for i := end; i < len(b.text); {
		switch {
		case b.text[i] == '`':
			run := len(b.text[i:]) - len(strings.TrimLeft(b.text[i:], "`"))
			if i += run; run == n {
				b.blank(i - b.at)
				return
			}
		case b.text[i] == '\n' && emptyLine(b.text[i+1:]):
			b.none[n], b.at = i, end
			return
		default:
			i++
		}
	}
	b.none[n], b.at = len(b.text), end
}

func emptyLine(s string) bool {
	line, _, _ := strings.Cut(s[:min(len(s), 200)], "\n")
	return strings.TrimSpace(line) == ""
}

// comment blanks an HTML comment. One that nothing closes hides the rest of the
// text if it begins a line, and is text otherwise.
func (b *blanker) comment(rest string) {
	if !b.open {
		if end := strings.Index(rest[4:], "-->"); end >= 0 {
			b.blank(4 + end + 3)
			return
		}
		b.open = true
	}
	before := b.text[max(0, b.at-4):b.at]
	if i := strings.LastIndexByte(before, '\n'); (i >= 0 || b.at < 4) && strings.TrimSpace(before[i+1:]) == "" {
		b.blank(len(rest))
		return
	}
	b.at += 4
}

func (b *blanker) blank(n int) {
	for i := b.at; i < b.at+n; i++ {
		if b.out[i] != '\n' {
			b.out[i] = ' '
		}
	}
	b.at += n
}

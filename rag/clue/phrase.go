package clue

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

var failure = regexp.MustCompile(`(?i)\b(?:\w*error|\w*exception|\w*warning|panic|panicked at|fatal|failed|assertion|warn|critical)\b[^:]*:\s`)

// phrases are texts that may stand in the source word for word: what is quoted,
// what follows "SomethingError:", what a trace says.
func phrases(c Clues) []string {
	var l phraseList
	l.add(c.Title)
	for _, t := range c.Traces {
		l.add(t.Message)
	}
	for _, text := range []string{c.Title, c.Prose, c.CodeText()} {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line[:min(len(line), 2000)])
			if at := failure.FindStringIndex(line); at != nil {
				l.add(line[at[1]:])
			}
			quotes(line, l.add)
		}
	}
	return l.phrases
}

var closing = map[rune]string{'"': `"`, '`': "`", '“': "”", '\'': "'"}

// quotes finds what stands between quotation marks in a line. A mark inside a
// word is an apostrophe.
func quotes(line string, each func(string)) {
	before := ' '
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		end := -1
		if mark, ok := closing[r]; ok && !(r == '\'' && isLetter(before)) {
			end = strings.Index(line[i:], mark)
			if end >= 0 {
				each(line[i : i+end])
				i += end + len(mark)
				r = ' '
			}
		}
		before = r
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

type phraseList struct {
	phrases []string
	seen    map[string]bool
}

func (l *phraseList) add(s string) {
	s = strings.TrimSpace(s)
	if len(s) < 6 || !strings.ContainsAny(s, " \t") || len(l.phrases) == maxEach {
		return // one word is a name
	}
	s = strings.ToValidUTF8(s[:min(len(s), 300)], "")
	if l.seen[s] {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[s] = true
	l.phrases = append(l.phrases, s)
}

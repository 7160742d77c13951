package prompt

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text show what it holds. Invisible, bidirectional, tag and control
// characters go, as do sequences for terminals and all but the first eight of marks
// that are heaped on one letter; every kind of line end becomes "\n", a form feed a
// space; bytes that are no UTF-8 become "\uFFFD". It tells how many characters it took
// out.
//
// What writing needs stays: one joiner after a letter of a script that joins, as in
// Persian or Hindi, and what holds an emoji together.
//
// It does so twice, as decoding makes new ones: an HTML entity of such a character,
// however often its "&" is encoded, is written as [U+200B]. Other entities stay, since
// they may be code, as do escapes that nothing decodes on the way to a reader (%E2,
// \u200b). Clean of clean text changes nothing.
func Clean(text string) (clean string, removed int) {
	if plain(text) == len(text) {
		return text, 0
	}
	text = strings.TrimPrefix(text, "\ufeff") // of a file, which hides nothing
	if strings.ContainsRune(text, escape) {
		before := utf8.RuneCountInString(text)
		text = sequence.ReplaceAllString(text, "") // leaves no escape, so none is made of the rest
		removed = before - utf8.RuneCountInString(text)
	}
	text, hidden := visible(text)
	text, named := unveil(text)
	return text, removed + hidden + named
}

const escape = '\x1b'

var sequence = regexp.MustCompile(`\x1b+(?:\[[0-?]*[ -/]*[@-~])?`)

// plain is how many bytes from the first on are as they should be; of nearly all text
// it is all.
func plain(text string) int {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == '&' || c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return i
		}
	}
	return len(text)
}

// cleaner copies what can be seen.
type cleaner struct {
	out     strings.Builder
	before  rune // the last one that was copied
	marks   int  // on the last letter
	removed int
}

func visible(text string) (string, int) {
	var c cleaner
	c.out.Grow(len(text))
	for i := 0; i < len(text); {
		if n := plain(text[i:]); n > 0 {
			c.out.WriteString(text[i : i+n])
			i += n
			c.before, c.marks = rune(text[i-1]), 0
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:]) // U+FFFD for a byte that is no UTF-8
		i += size
		if next, _ := utf8.DecodeRuneInString(text[i:]); r != '\r' || next != '\n' {
			c.add(r, next)
		}
	}
	return c.out.String(), c.removed
}

// maxMarks is how many marks a letter keeps. Writing needs four at most; heaps of them
// cover the lines around.
const maxMarks = 8

func (c *cleaner) add(r, next rune) {
	switch r {
	case '\r', '\u2028', '\u2029', '\u0085':
		r = '\n'
	case '\f', '\v':
		r = ' '
	}
	unseen := hidden(r)
	if !unseen {
		c.count(r)
	}
	if c.marks > maxMarks || unseen && !joins(c.before, r, next) {
		c.marks = min(c.marks, maxMarks)
		c.removed++
		return
	}
	c.out.WriteRune(r)
	c.before = r
}

// count is of the marks in a row. What is hidden does not end one.
func (c *cleaner) count(r rune) {
	if r >= 0x300 && !chinese(r) && unicode.In(r, unicode.Mn, unicode.Me) {
		c.marks++
	} else {
		c.marks = 0
	}
}

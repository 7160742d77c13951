package prompt

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text show what it holds. Invisible, bidirectional, tag and control
// characters go, as do sequences for terminals; every kind of line end becomes "\n";
// bytes that are no UTF-8 become "\uFFFD". It tells how many characters it took out.
//
// It does so twice, as decoding makes new ones: an HTML entity of such a character is
// written as [U+200B]. Other entities stay, since they may be code. Clean of clean text
// changes nothing.
func Clean(text string) (clean string, removed int) {
	if plain(text) {
		return text, 0
	}
	text, removed = visible(text)
	if strings.ContainsRune(text, escape) {
		before := utf8.RuneCountInString(text)
		text = sequence.ReplaceAllString(text, "") // leaves no escape, so none is made of the rest
		removed += before - utf8.RuneCountInString(text)
	}
	if strings.ContainsRune(text, '&') {
		text = entity.ReplaceAllStringFunc(text, func(e string) string {
			shown := decoded(e)
			if shown != e {
				removed++
			}
			return shown
		})
	}
	return text, removed
}

const escape = '\x1b'

var (
	sequence = regexp.MustCompile(`\x1b+(?:\[[0-?]*[ -/]*[@-~])?`)
	entity   = regexp.MustCompile(`&(?:amp;)*(?:#[xX]?)?[0-9A-Za-z]{1,64};?`)
)

// plain is the fast answer for what is nearly all text.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c == '&' || c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// visible drops what cannot be seen, but for escapes.
func visible(text string) (string, int) {
	var b strings.Builder
	b.Grow(len(text))
	removed := 0
	for i, r := range text {
		switch {
		case r == '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case r == '\u2028' || r == '\u2029' || r == '\u0085':
			b.WriteByte('\n')
		case r != escape && hidden(r):
			removed++
		default:
			b.WriteRune(r) // a byte that is no UTF-8 comes as U+FFFD
		}
	}
	return b.String(), removed
}

// hidden covers what Unicode calls ignorable by default, in which tags, variation
// selectors and fillers are, and what else has no picture.
func hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	case r == '\u2800': // the empty Braille pattern
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, ignorable)
}

// ignorable is reserved for such characters, most of it without any yet.
var ignorable = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0xfff0, Hi: 0xfff8, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}},
}

// decoded gives an entity as it is, or the names of the characters that it hides.
func decoded(e string) string {
	text := e
	for range 4 {
		next := html.UnescapeString(text)
		if next == text {
			break
		}
		text = next
	}
	var b strings.Builder
	found := false
	for _, r := range text {
		if hidden(r) || r == '\u2028' || r == '\u2029' {
			fmt.Fprintf(&b, "[U+%04X]", r)
			found = true
		} else {
			b.WriteRune(r)
		}
	}
	if !found {
		return e
	}
	return b.String()
}

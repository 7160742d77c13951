package repo

import (
	"bytes"
	"strings"
	"unicode"
)

// literal is a string that is searched for, case aside if fold is set.
type literal struct {
	text []byte // in lower case if fold is set
	fold bool
	rare int // the index of the byte that is looked for first, if fold is set
}

// newLiteral refuses what stands for other bytes than its own, and letters whose other case is not a
// matter of one bit.
func newLiteral(s string, fold bool) (literal, bool) {
	if s == "" || strings.ContainsAny(s, "\n\ufffd") { // U+FFFD matches any byte that is not UTF-8
		return literal{}, false
	}
	if !fold {
		return literal{text: []byte(s)}, true
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return literal{}, false
	}
	l := literal{text: bytes.ToLower([]byte(s)), fold: true}
	for i, b := range l.text {
		if strings.IndexByte(common, b) < strings.IndexByte(common, l.text[l.rare]) {
			l.rare = i
		}
	}
	return l, true
}

// common has the bytes of source code that are met most, the rarest of them first.
const common = "zqj0123456789xkvw/.:,yb-gfhump_dlcsnoirate ()="

// index is where the literal first stands in data, or -1.
func (l literal) index(data []byte) int {
	if !l.fold {
		return bytes.Index(data, l.text)
	}
	b := l.text[l.rare]
	lower, upper := cursor{b: b}, cursor{b: byte(unicode.ToUpper(rune(b)))}
	for from := l.rare; ; {
		at := lower.next(data, from)
		if lower.b != upper.b {
			at = min(at, upper.next(data, from))
		}
		start := at - l.rare
		if start+len(l.text) > len(data) {
			return -1
		}
		if equalFold(data[start:start+len(l.text)], l.text) {
			return start
		}
		from = at + 1
	}
}

// cursor finds each place of a byte once.
type cursor struct {
	b  byte
	at int
	ok bool
}

// next is the first place from the given one on, len(data) for none.
func (c *cursor) next(data []byte, from int) int {
	if c.ok && c.at >= from {
		return c.at
	}
	c.ok, c.at = true, len(data)
	if from < len(data) {
		if n := bytes.IndexByte(data[from:], c.b); n >= 0 {
			c.at = from + n
		}
	}
	return c.at
}

func equalFold(data, lower []byte) bool {
	for i, b := range data {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != lower[i] {
			return false
		}
	}
	return true
}

// folds tells whether data has the two letters outside of ASCII that are the other
// case of one inside: the Kelvin sign for k, the long s for s.
func (p *pattern) folds(data []byte) bool {
	for _, l := range p.literals {
		if l.fold && (bytes.IndexByte(l.text, 'k') >= 0 && bytes.Contains(data, []byte("\u212a")) ||
			bytes.IndexByte(l.text, 's') >= 0 && bytes.Contains(data, []byte("\u017f"))) {
			return true
		}
	}
	return false
}

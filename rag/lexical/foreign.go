package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// foreign takes a run apart that has bytes beyond ASCII: words in any script, and
// names in ASCII between curly quotes or dashes. What is not UTF-8 separates words.
func foreign(w string, each func(string, Term)) {
	for w != "" {
		r, n := utf8.DecodeRuneInString(w)
		switch {
		case dense(r):
			n = prefix(w, dense)
			pairs(w[:n], each)
		case spaced(r):
			n = prefix(w, spaced)
			letters(w[:n], each)
		}
		w = w[n:]
	}
}

// dense says whether a letter is of a script that has no spaces between words.
func dense(r rune) bool {
	return r >= 0xE00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

func spaced(r rune) bool {
	return (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !dense(r)
}

// prefix is the length of what w begins with.
func prefix(w string, of func(rune) bool) int {
	n := strings.IndexFunc(w, func(r rune) bool { return !of(r) })
	if n < 0 {
		return len(w)
	}
	return n
}

// pairs gives every two letters in a row, or the one that there is.
func pairs(w string, each func(string, Term)) {
	last := -1
	for i, r := range w {
		if last >= 0 {
			fold(w[last:i+utf8.RuneLen(r)], each)
		}
		last = i
	}
	if last == 0 {
		fold(w, each)
	}
}

func letters(w string, each func(string, Term)) {
	if !strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) {
		name(w, each)
		return
	}
	for part := range strings.SplitSeq(w, "_") {
		if part != "" && len(part) <= maxWord {
			fold(part, each)
		}
	}
}

// fold gives a word in lower case.
func fold(w string, each func(string, Term)) {
	var buf [2 * maxWord]byte
	b := buf[:0]
	for _, r := range w {
		b = utf8.AppendRune(b, unicode.ToLower(r))
	}
	each(w, hash(offset, b))
}

package lexical

import (
	"bytes"
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

// letters takes a word apart that may have letters beyond ASCII.
func letters(w string, each func(string, Term)) {
	if !strings.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) {
		name(w, each)
		return
	}
	if len(w) <= maxWord {
		spelled(w, each)
		return
	}
	for part := range strings.SplitSeq(w, "_") {
		if len(part) <= maxWord {
			spelled(part, each)
		}
	}
}

// spelled is identifier for letters beyond ASCII.
func spelled(w string, each func(string, Term)) {
	var runes [maxWord]struct {
		class uint8
		at    int // in w
	}
	n, whole := 0, 0
	class := other
	for at, r := range w {
		if class = classOf(r, class); class != under {
			whole++
		}
		runes[n].class, runes[n].at = class, at
		n++
	}
	from, length := 0, 0 // the part that is read begins at w[from]
	give := func(to int) {
		if length > 1 && length < whole {
			fold(w[from:to], each)
		}
		from, length = to, 0
	}
	for k, r := range runes[:n] {
		next := other
		if k+1 < n && !plural(w[runes[k+1].at:]) {
			next = runes[k+1].class
		}
		if k > 0 && between(runes[k-1].class, r.class, next) {
			give(r.at)
		}
		if r.class != under {
			length++
		}
	}
	give(len(w))
	if whole > 0 {
		fold(w, each)
	}
}

// classOf is the class of a rune. A mark is of the class of what it stands on, and
// letters without case are small ones.
func classOf(r rune, before uint8) uint8 {
	switch {
	case r < utf8.RuneSelf:
		return classes[r]
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsDigit(r):
		return digit
	case unicode.IsMark(r) && before != other && before != under:
		return before
	}
	return lower
}

func fold(w string, each func(string, Term)) {
	var buf [2 * maxWord]byte
	each(w, folded(plain(buf[:0], w)))
}

// folded is the hash of a word in plain letters. One with letters beyond ASCII is not
// English and has none of its endings.
func folded(b []byte) Term {
	if bytes.ContainsFunc(b, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return hash(offset, b)
	}
	return term(b)
}

// plain appends a word without case and underscores. By way of the capital, as σ and
// ς, or s and ſ, have the same. No letter becomes twice as long.
func plain(to []byte, w string) []byte {
	for _, r := range w {
		switch {
		case r == '_':
		case r < utf8.RuneSelf:
			to = append(to, lowered[r])
		default:
			to = utf8.AppendRune(to, unicode.ToLower(unicode.ToUpper(r)))
		}
	}
	return to
}

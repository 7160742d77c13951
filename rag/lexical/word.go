package lexical

import (
	"strings"
	"unicode/utf8"
)

// Term is the hash (FNV-1a, 64 bits) of a word in its plain form.
type Term uint64

const (
	offset Term = 14695981039346656037
	prime  Term = 1099511628211
)

// maxWord is the length of the longest word in bytes; longer ones are data.
const maxWord = 64

// classes of bytes
const (
	other uint8 = 0
	lower uint8 = 1 << (iota - 1)
	upper
	digit
	under
	high // part of a rune beyond ASCII

	letter = lower | upper | high
	mixed  = lower | upper | digit
)

var classes = func() (c [256]uint8) {
	for b := range c {
		switch {
		case b >= 'a' && b <= 'z':
			c[b] = lower
		case b >= 'A' && b <= 'Z':
			c[b] = upper
		case b >= '0' && b <= '9':
			c[b] = digit
		case b == '_':
			c[b] = under
		case b >= utf8.RuneSelf:
			c[b] = high
		}
	}
	return c
}()

// lowered is each byte in lower case.
var lowered = func() (l [256]byte) {
	for b := range l {
		l[b] = byte(b)
		if classes[b] == upper {
			l[b] += 'a' - 'A'
		}
	}
	return l
}()

// Words calls each with the terms of a text in order: for an identifier its parts
// and then the whole, for other words the word. Case, underscores and English
// endings are removed, so that HTTPServers, http_server and "HTTP server" share
// terms. Parts of one letter do not count. Scripts without spaces give pairs of
// letters.
//
// Data is left out, as it would fill an index with words that nobody asks for: hex of
// 24 digits or more (an MD5, not a 64-bit constant), base64 of 24 letters or more (18
// bytes), and words of more than 64 bytes. Of a name with underscores only the parts
// that are no data are given then.
func Words(text string, each func(Term)) {
	words(text, func(_ string, t Term) { each(t) })
}

// words gives with each term the word as it is written, a part of text.
func words(text string, each func(word string, t Term)) {
	read := 0 // up to here text was looked at for base64
	for i := 0; i < len(text); {
		class := classes[text[i]]
		if class == other {
			i++
			continue
		}
		from, seen := i, uint8(0)
		for ; class != other; class = classes[text[i]] {
			seen |= class
			if i++; i == len(text) {
				break
			}
		}
		w := text[from:i]
		if seen&mixed == mixed && from >= read {
			read = from + stretch(text[from:])
			if read-from >= minData && base64(text[from:read]) {
				i = read
				continue
			}
		}
		switch {
		case seen&high != 0:
			foreign(w, each)
		case seen == lower && len(w) <= maxWord:
			var buf [maxWord]byte
			each(w, term(buf[:copy(buf[:], w)]))
		default:
			name(w, each)
		}
	}
}

// name takes a word of ASCII apart.
func name(w string, each func(string, Term)) {
	w = strings.Trim(w, "_")
	if len(w) < minData || len(w) <= maxWord && !hasData(w) {
		identifier(w, each)
		return
	}
	for part := range strings.SplitSeq(w, "_") {
		if len(part) <= maxWord && !data(part) {
			identifier(part, each)
		}
	}
}

// identifier gives the parts of a word of ASCII, and then the whole.
func identifier(w string, each func(string, Term)) {
	var buf [maxWord]byte
	whole := len(w) - strings.Count(w, "_")
	n, from, start := 0, 0, 0 // the part that is read begins at w[from] and buf[start]
	for k := range len(w) {
		if k > 0 && splits(w, k) {
			if n-start > 1 && n-start < whole {
				each(w[from:k], term(buf[start:n]))
			}
			from, start = k, n
		}
		if w[k] != '_' {
			buf[n] = lowered[w[k]]
			n++
		}
	}
	if n-start > 1 && n-start < whole {
		each(w[from:], term(buf[start:n]))
	}
	if n > 1 || n == 1 && classes[w[0]] != digit {
		each(w, term(buf[:n]))
	}
}

// splits says whether a part of an identifier begins at k: aB, ABc before Bc, a1, _a.
func splits(w string, k int) bool {
	a, b, next := classes[w[k-1]], classes[w[k]], other
	if a == b && b != upper { // nearly always
		return false
	}
	if k+1 < len(w) && !plural(w[k+1:]) {
		next = classes[w[k+1]]
	}
	return between(a, b, next)
}

// plural says whether rest begins with the s of IDs.
func plural(rest string) bool {
	return rest[0] == 's' && (len(rest) == 1 || classes[rest[1]] != lower)
}

// between says whether a part begins at a letter of class b, after one of class a and
// before one of class next.
func between(a, b, next uint8) bool {
	switch {
	case a == b:
		return b == upper && next == lower
	case a == upper && b == lower:
		return false
	}
	return true
}

func hash(h Term, b []byte) Term {
	for _, c := range b {
		h = (h ^ Term(c)) * prime
	}
	return h
}

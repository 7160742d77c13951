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

// maxWord is the length of the longest word; longer ones are data: hashes, base64.
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
			l[b] |= 0x20
		}
	}
	return l
}()

// Words calls each with the terms of a text in order: for an identifier its parts
// and then the whole, for other words the word. Case, underscores and English
// endings are removed, so that HTTPServers, http_server and "HTTP server" share
// terms. Parts of one letter do not count. Of a name of more than 64 bytes only what
// stands between its underscores counts. Scripts without spaces give pairs of
// letters.
func Words(text string, each func(Term)) {
	words(text, func(_ string, t Term) { each(t) })
}

// words gives with each term the word as it is written.
func words(text string, each func(word string, t Term)) {
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
		switch w := text[from:i]; {
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
	if len(w) <= maxWord {
		identifier(w, each)
		return
	}
	for part := range strings.SplitSeq(w, "_") {
		if len(part) <= maxWord {
			identifier(part, each)
		}
	}
}

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
	if n > 1 || len(w) == 1 && n == 1 && classes[w[0]] != digit {
		each(w, term(buf[:n]))
	}
}

// splits says whether a part of an identifier begins at k: aB, ABc before Bc, a1, _a.
func splits(w string, k int) bool {
	a, b := classes[w[k-1]], classes[w[k]]
	switch {
	case a == b:
		return b == upper && k+1 < len(w) && classes[w[k+1]] == lower
	case a == upper && b == lower:
		return false
	}
	return true
}

// plain appends a word of ASCII in lower case without underscores.
func plain(to []byte, w string) []byte {
	for i := range len(w) {
		if w[i] != '_' {
			to = append(to, lowered[w[i]])
		}
	}
	return to
}

func hash(h Term, b []byte) Term {
	for _, c := range b {
		h = (h ^ Term(c)) * prime
	}
	return h
}

package lexical

// term is the hash of a word of ASCII in lower case and without underscores, without the
// endings of English that tell the forms of a word apart. These are steps 1 and 5 of
// Porter's algorithm (Program 14(3), 1980): plurals, -ed and -ing, y or i, a last e. It
// differs where programs say it otherwise: embed and exceed are no past, aliases are
// alias, queued is queue, diffed is diff, using is use. Words of less than three letters
// stay.
func term(b []byte) Term {
	if len(b) < 3 {
		return hash(offset, b)
	}
	b = singular(b)
	n := present(b)
	if n == len(b) {
		return ending(b)
	}
	b = b[:n]
	if doubled(b) {
		return ending(b[:n-1])
	}
	if short(b) || n == 2 && vowel(b, 0) && !vowel(b, 1) {
		return (hash(offset, b) ^ 'e') * prime // naming is name
	}
	return ending(b)
}

func singular(b []byte) []byte {
	n := len(b)
	if b[n-1] != 's' {
		return b
	}
	switch string(b) {
	case "alias", "atlas", "bias", "canvas":
		return b
	case "abis", "apis", "clis", "cpus", "gpus", "guis", "ids", "menus", "uris", "wikis":
		return b[:n-1]
	}
	if n < 4 { // dns, has
		return b
	}
	switch b[n-2] {
	case 's', 'u', 'i': // class, status, axis
		return b
	case 'e':
		if n > 4 && b[n-3] == 'i' { // queries are queri, but ties are tie
			return b[:n-2]
		}
	}
	return b[:n-1]
}

// present is the length of a word without -ed or -ing.
func present(b []byte) int {
	n := len(b)
	switch {
	case n >= 4 && string(b[n-2:]) == "ed":
		if b[n-3] == 'e' || string(b) == "embed" || !hasVowel(b[:n-2]) { // speed, shed
			return n
		}
		if n == 4 && b[1] == 'i' { // tied
			return n - 1
		}
		return n - 2
	case n >= 5 && string(b[n-3:]) == "ing" && hasVowel(b[:n-3]):
		return n - 3
	}
	return n
}

// doubled says whether a word has a consonant twice because of its ending: mapp(ed),
// but not fall(ing), pass(ed), diff(ed), add(ed).
func doubled(b []byte) bool {
	n := len(b)
	if n < 4 || b[n-1] != b[n-2] || vowel(b, n-1) {
		return false
	}
	switch b[n-1] {
	case 'f', 'l', 's', 'z':
		return false
	}
	return true
}

// ending is the hash of a word with i for a last y, without a last e that is not
// needed to tell it from another word (cache, but not note or free), and with one l
// for two where the stress can be before: cancelled, but not called.
func ending(b []byte) Term {
	n := len(b)
	if n < 3 {
		return hash(offset, b)
	}
	switch last, before := b[n-1], b[n-2]; {
	case last == 'y' && !vowel(b, n-2):
		return (hash(offset, b[:n-1]) ^ 'i') * prime
	case last == 'e' && n > 3 && (before == 'u' || measure(b[:n-1]) > 0 && !short(b[:n-1])):
		return hash(offset, b[:n-1])
	case last == 'l' && before == 'l' && measure(b) > 1:
		return hash(offset, b[:n-1])
	}
	return hash(offset, b)
}

// short is Porter's *o with m = 1: consonants, one vowel, a consonant but w, x and y.
func short(b []byte) bool {
	n := len(b)
	if n < 3 || vowel(b, n-1) || !vowel(b, n-2) || hasVowel(b[:n-2]) {
		return false
	}
	switch b[n-1] {
	case 'w', 'x', 'y':
		return false
	}
	return true
}

// measure is Porter's m: how often a consonant follows a vowel.
func measure(b []byte) (m int) {
	for i := 1; i < len(b); i++ {
		if vowel(b, i-1) && !vowel(b, i) {
			m++
		}
	}
	return m
}

func hasVowel(b []byte) bool {
	for i := range b {
		if vowel(b, i) {
			return true
		}
	}
	return false
}

// vowel says whether the i-th letter is one; y is, after a consonant.
func vowel(b []byte, i int) bool {
	if b[i] == 'y' {
		return i > 0 && !plainVowel(b[i-1])
	}
	return plainVowel(b[i])
}

func plainVowel(c byte) bool {
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'
}

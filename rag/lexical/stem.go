package lexical

// term is the hash of a word in lower case without the endings of English that tell
// its forms apart: plurals, -ing, -ed, a last e. It is the first step of Porter's
// algorithm (Program 14(3), 1980) with less ambition, as most of what it sees are
// identifiers.
func term(b []byte) Term {
	n := len(b)
	if n < 4 {
		return hash(offset, b)
	}
	if n > 4 && string(b[n-3:]) == "ies" { // queries is query
		return (hash(offset, b[:n-3]) ^ 'y') * prime
	}
	if b[n-1] == 's' && b[n-2] != 's' && b[n-2] != 'u' && b[n-2] != 'i' {
		b = b[:n-1]
	}
	switch n = len(b); {
	case n > 5 && string(b[n-3:]) == "ing" && hasVowel(b[:n-3]):
		b = single(b[:n-3])
	case n > 4 && string(b[n-2:]) == "ed" && hasVowel(b[:n-2]):
		b = single(b[:n-2])
	}
	if n = len(b); n > 4 && b[n-1] == 'e' {
		b = b[:n-1]
	}
	return hash(offset, b)
}

func hasVowel(b []byte) bool {
	for _, c := range b {
		switch c {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			return true
		}
	}
	return false
}

// single undoes the doubling of a consonant: mapp(ed) is map, but fall(ing) is fall.
func single(b []byte) []byte {
	n := len(b)
	if n > 3 && b[n-1] == b[n-2] && b[n-1] != 'l' && b[n-1] != 's' && b[n-1] != 'z' {
		return b[:n-1]
	}
	return b
}

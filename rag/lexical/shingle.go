package lexical

import "strings"

// maxLine is the length of the longest line whose quotations are read; longer ones
// are data.
const maxLine = 2000

// shingles calls each with the runs of three words that stand between quotation
// marks on one line.
func shingles(text string, each func(Term)) {
	for line := range strings.Lines(text) {
		if len(line) > maxLine {
			continue
		}
		for i := 0; i < len(line); i++ {
			if c := line[i]; c == '"' || c == '\'' || c == '`' {
				inside := line[i+1:]
				inside = inside[:closing(inside, c)]
				runs(inside, each)
				i += 1 + len(inside)
			}
		}
	}
}

// closing finds the end of a quotation; without one it goes to the end of the line.
func closing(s string, mark byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case mark:
			return i
		}
	}
	return len(s)
}

// runs calls each with the hash of every three words in a row. What a program
// fills in breaks a row, see filled.
func runs(s string, each func(Term)) {
	var last [2]Term
	n := 0
	for i := 0; i < len(s); {
		if classes[s[i]]&letter != 0 {
			h := offset
			for ; i < len(s) && classes[s[i]]&letter != 0; i++ {
				h = (h ^ Term(lowered[s[i]])) * prime
			}
			if n++; n > 2 {
				each(((last[0]*prime^last[1])*prime ^ h) * prime)
			}
			last[0], last[1] = last[1], h
		} else if size := filled(s[i:]); size > 0 {
			n = 0
			i += size
		} else {
			i += escape(s[i:])
		}
	}
}

// filled is the length of what a program fills in, or has filled in, at the begin of
// s: %s, %-10s, %(name)s, {name}, $name, <name>, digits, and quotation marks, which
// stand around such things. It is 0 for other text.
func filled(s string) int {
	switch c := s[0]; c {
	case '%':
		return verb(s)
	case '{':
		return max(1, 1+strings.IndexByte(s[:min(len(s), 80)], '}'))
	case '<':
		if len(s) > 1 && s[1] != ' ' {
			return max(1, 1+strings.IndexByte(s[:min(len(s), 80)], '>'))
		}
		return 1
	case '$':
		n := 1
		for n < len(s) && classes[s[n]] != other {
			n++
		}
		return n
	case '"', '\'', '`', '}':
		return 1
	default:
		return int(classes[c] & digit / digit)
	}
}

// verb is the length of a verb of printf at the begin of s.
func verb(s string) int {
	n := 1
	if strings.HasPrefix(s[n:], "(") {
		n += 1 + strings.IndexByte(s[n:min(len(s), 80)], ')')
	}
	for n < len(s) && (classes[s[n]] == digit || strings.IndexByte("-+#.*", s[n]) >= 0) {
		n++
	}
	if n < len(s) && classes[s[n]]&(lower|upper) != 0 {
		n++
	}
	return n
}

// escape is the length of an escape that stands for white space or a backslash, and
// 1 for anything else.
func escape(s string) int {
	if len(s) > 1 && s[0] == '\\' && strings.IndexByte(`ntr\`, s[1]) >= 0 {
		return 2
	}
	return 1
}

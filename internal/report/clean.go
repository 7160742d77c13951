package report

import (
	"regexp"
	"strings"
	"unicode"
)

// sequence is what a terminal obeys, with its escape.
var sequence = regexp.MustCompile(`\x1b+(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*)?`)

// clean takes out of a text of strangers what is not seen and what steers: sequences
// for a terminal, controls, marks that turn the direction of writing. Line ends
// become \n; tabs stay.
func clean(s string) string {
	s = sequence.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), "")
	var b strings.Builder
	var before rune
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch r {
		case '\r', '\u0085', '\u2028', '\u2029':
			r = '\n'
		}
		if unseen(r) && !joins(before, r) {
			continue
		}
		if unicode.Is(unicode.Zs, r) && r != '\u3000' {
			r = ' '
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func unseen(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0': // fillers, which are letters
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) || r >= 0xE0100 && r <= 0xE01EF
}

// joins says whether r holds together what it stands in: an emoji, or a word in a
// script that joins.
func joins(before, r rune) bool {
	return (r == '\u200d' || r == '\u200c') && before > unicode.MaxLatin1 && !unseen(before)
}

// oneLine is clean text without line ends and with single blanks.
func oneLine(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// cut shortens a line to so many signs.
func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// cutLines gives the first lines of a quote, and how many are left.
func cutLines(s string, most int) (lines []string, left int) {
	lines = strings.Split(strings.TrimRight(clean(s), "\n"), "\n")
	if len(lines) > most {
		return lines[:most], len(lines) - most
	}
	return lines, 0
}

package report

import (
	"strings"
	"unicode"
)

// wrap cuts a line between words; Chinese is cut anywhere. What was indented stays so.
func wrap(line string, width int) (out []string) {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	current, used := indent, 0
	for _, word := range strings.Fields(text) {
		n := columns(word)
		if used > 0 && len(indent)+used+1+n > width {
			out, current, used = append(out, current), indent, 0
		}
		if used > 0 {
			current, used = current+" ", used+1
		}
		current, used = current+word, used+n
		for len(indent)+used > width && hasWide(current) {
			first, rest := cutColumns(current, width)
			if rest == "" {
				break
			}
			out, current, used = append(out, first), indent+rest, columns(rest)
		}
	}
	return append(out, current)
}

// columns is how wide a text is on a terminal: Chinese signs take two.
func columns(s string) (n int) {
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r) || r == '\u200d' || r == '\u200c':
		return 0
	case wide(r):
		return 2
	}
	return 1
}

func wide(r rune) bool {
	return r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60 ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func hasWide(s string) bool { return strings.ContainsFunc(s, wide) }

// cutColumns cuts in front of the first sign that does not fit, or behind it if it
// may not begin a line.
func cutColumns(s string, width int) (first, rest string) {
	n := 0
	for i, r := range s {
		n += columnsOf(r)
		if n > width && i > 0 && !strings.ContainsRune("，。、；：！？）》”’", r) {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// pad fills a text with blanks up to so many columns.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-columns(s)))
}

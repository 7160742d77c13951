package chunk

import (
	"bytes"
	"strings"
)

// readRST knows the titles of reStructuredText: a line of signs below the title, and
// maybe one above. The level of a style is the order in which it comes first.
func readRST(t *text) (o outline) {
	var s sections
	styles := map[string]int{}
	for n := 1; n <= t.count(); n++ {
		line := t.line(n)
		if style, first := titleStyle(t, n); style != "" && (styles[style] > 0 || len(styles) < 12) {
			if styles[style] == 0 {
				styles[style] = len(styles) + 1
			}
			o.cut(first, 0)
			s.add(first, first, styles[style], string(bytes.TrimSpace(line)), " > ")
			n++ // past the signs
			continue
		}
		if set := indent(line); set >= 0 && (n == 1 || len(t.line(n-1)) == 0) && !isTitleAbove(t, n) {
			o.cut(n, 1+set)
		}
	}
	s.close(t.count(), 0)
	o.units = s.made
	return o
}

// titleStyle is the style of the title on a line, "" for none, and the first line of it.
func titleStyle(t *text, n int) (style string, first int) {
	if n >= t.count() {
		return "", 0
	}
	title, below := t.line(n), t.line(n+1)
	sign := adornment(below)
	if len(title) == 0 || sign == 0 || adornment(title) != 0 {
		return "", 0
	}
	if n > 1 {
		above := t.line(n - 1)
		if adornment(above) == sign {
			return string(sign) + "over", n - 1
		}
		if len(above) > 0 {
			return "", 0
		}
	}
	if title[0] == ' ' || len(below) < len([]rune(string(title))) && len(below) < 4 {
		return "", 0
	}
	return string(sign), n
}

// isTitleAbove: the line of signs above a title, which is the line that follows.
func isTitleAbove(t *text, n int) bool {
	if n >= t.count() || adornment(t.line(n)) == 0 {
		return false
	}
	_, first := titleStyle(t, n+1)
	return first == n
}

// adornment is the sign that a line repeats, 0 for any other line.
func adornment(line []byte) rune {
	if len(line) < 3 || !strings.ContainsRune("=-`:.'\"~^_*+#<>!$%&(),/;?@[\\]{|}", rune(line[0])) || len(bytes.Trim(line, string(line[:1]))) > 0 {
		return 0
	}
	return rune(line[0])
}

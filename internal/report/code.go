package report

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// code is a text between backticks, as many as it needs; "" stays.
func code(s string) string {
	if s = oneLine(s); s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longest(s, '`')+1)
	pad := ""
	if len(ticks) > 1 {
		pad = " "
	}
	return ticks + pad + s + pad + ticks
}

// cellCode is code in a cell of a table.
func cellCode(s string) string {
	if strings.ContainsAny(s, "|\\") {
		return htmlCode(oneLine(s))
	}
	return code(s)
}

func htmlCode(s string) string { return "<code>" + entities(s) + "</code>" }

// entities writes what could mean something to Markdown or HTML as numbers.
func entities(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '@': // addresses are found after numbers are read
			b.WriteString("@" + gap)
		case r <= unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// longest is the length of the longest run of a sign.
func longest(s string, sign rune) (most int) {
	n := 0
	for _, r := range s {
		if r != sign {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}

// tag names the language of a block by the file's extension.
func tag(p string) string { return strings.TrimPrefix(path.Ext(p), ".") }

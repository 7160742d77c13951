package tools

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// maxText bounds a result: about 8,000 tokens.
const maxText = 30_000

// page collects lines up to maxText.
type page struct {
	strings.Builder
	full bool
}

// line adds a line and tells whether there was room for it. After the first that did
// not fit none is taken: a result has no holes.
func (p *page) line(format string, args ...any) bool {
	text := clean(fmt.Sprintf(format, args...))
	if p.full = p.full || p.Len()+len(text) > maxText; p.full {
		return false
	}
	p.WriteString(text + "\n")
	return true
}

// note adds a line about the result itself, for which there is always room.
func (p *page) note(format string, args ...any) {
	p.WriteString("[" + brief(clean(fmt.Sprintf(format, args...))) + "]\n")
}

// brief bounds what is said about a result: names in a repository may be long.
func brief(s string) string {
	const max = 2000
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + fmt.Sprintf("… [%d bytes more]", len(s)-max)
}

// clean makes text of a repository printable: control characters, which could steer a
// terminal, and invisible ones, which could hide text from a person, are written as
// Go escapes.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}

// lineText is one line of a file, cut where it would fill a page.
func lineText(s string) string {
	const max = 500
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + fmt.Sprintf("… [%d bytes more]", len(s)-max)
}

func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return fmt.Sprintf("%d %ses", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

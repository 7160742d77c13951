package llm

import (
	"fmt"
	"strings"
)

// mend repairs the slips that models make in JSON: commas before a bracket, line
// comments, Python's words for true, false and null, line breaks inside a text, and
// escapes that JSON does not have, as \d of a regular expression. It adds nothing
// that is missing.
func mend(s string) string {
	m := &mender{in: s}
	m.out.Grow(len(s) + 16)
	for m.at < len(s) {
		if c := s[m.at]; c == '"' {
			m.text()
		} else {
			m.bare(c)
		}
	}
	return m.out.String()
}

type mender struct {
	in  string
	at  int
	out strings.Builder
}

// bare copies what stands outside of a text.
func (m *mender) bare(c byte) {
	rest := m.in[m.at:]
	switch {
	case c == ',':
		if next := strings.TrimLeft(rest[1:min(len(rest), 200)], " \t\r\n"); next != "" && (next[0] == '}' || next[0] == ']') {
			m.at++
			return
		}
	case strings.HasPrefix(rest, "//"):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			m.at += end
		} else {
			m.at = len(m.in)
		}
		return
	}
	for _, word := range [][2]string{{"True", "true"}, {"False", "false"}, {"None", "null"}, {"NaN", "null"}} {
		if strings.HasPrefix(rest, word[0]) {
			m.out.WriteString(word[1])
			m.at += len(word[0])
			return
		}
	}
	m.out.WriteByte(c)
	m.at++
}

// text copies a text with its quotes.
func (m *mender) text() {
	m.out.WriteByte('"')
	for m.at++; m.at < len(m.in); m.at++ {
		switch c := m.in[m.at]; {
		case c == '"':
			m.out.WriteByte(c)
			m.at++
			return
		case c == '\\':
			m.escape()
		case c < ' ':
			fmt.Fprintf(&m.out, `\u%04x`, c)
		default:
			m.out.WriteByte(c)
		}
	}
}

// escape copies a backslash and what belongs to it; one that JSON does not know
// stands for itself.
func (m *mender) escape() {
	if m.at+1 >= len(m.in) {
		return
	}
	next := m.in[m.at+1]
	switch {
	case next == '\'':
		m.out.WriteByte('\'')
	case next == 'u' && hex4(m.in[m.at+2:]), next != 'u' && strings.IndexByte(`"\/bfnrt`, next) >= 0:
		m.out.WriteString(m.in[m.at : m.at+2])
	default:
		m.out.WriteString(`\\`)
		return // next is copied as any other byte
	}
	m.at++
}

func hex4(s string) bool {
	if len(s) < 4 {
		return false
	}
	return strings.Trim(s[:4], "0123456789abcdefABCDEF") == ""
}

package chunk

import (
	"bytes"
	"strings"
)

// readMarkdown knows headings of both styles, fenced code, in which there are none, and
// the settings between "---" that may start a file.
func readMarkdown(t *text) outline {
	m := markdown{text: t}
	n := 1
	if t.count() > 0 && string(t.line(1)) == "---" {
		for n = 2; n <= t.count() && string(t.line(n)) != "---"; n++ {
		}
		if n++; n > t.count() { // a line, not settings
			n = 1
		}
	}
	for m.previous = n - 1; n <= t.count(); n++ {
		m.read(n, t.line(n))
	}
	m.close(t.count(), 0)
	m.units = m.made
	return m.outline
}

type markdown struct {
	*text
	outline
	sections
	fence    []byte // what opened the code that is open
	previous int    // the last line that is no text of a paragraph
}

func (m *markdown) read(n int, line []byte) {
	body := bytes.TrimLeft(line, " ")
	set := len(line) - len(body)
	switch mark := fenceOf(body); {
	case m.fence != nil:
		if set < 4 && len(mark) >= len(m.fence) && mark[0] == m.fence[0] && len(mark) == len(body) {
			m.fence = nil
		}
		m.previous = n
	case len(body) == 0:
		m.previous = n
	case mark != nil && set < 4:
		m.fence = bytes.Clone(mark)
		m.paragraph(n, set)
		m.previous = n
	case set < 4 && m.atx(n, body):
		m.previous = n
	case set < 4 && n-1 > m.previous && m.setext(n, body):
		m.previous = n
	default:
		m.paragraph(n, set)
	}
}

// fenceOf is the run of signs that opens or closes fenced code.
func fenceOf(body []byte) []byte {
	if len(body) < 3 || body[0] != '`' && body[0] != '~' {
		return nil
	}
	n := len(body) - len(bytes.TrimLeft(body, string(body[:1])))
	if n < 3 || body[0] == '`' && bytes.IndexByte(body[n:], '`') >= 0 {
		return nil
	}
	return body[:n]
}

// paragraph allows cuts before the first line of a paragraph and before items.
func (m *markdown) paragraph(n, set int) {
	switch {
	case n-1 == m.previous && set == 0:
		m.cut(n, 1)
	case n-1 == m.previous, isItem(bytes.TrimLeft(m.line(n), " \t")):
		m.cut(n, 2+min(set, 10))
	}
}

// isItem tells the start of an item of a list.
func isItem(body []byte) bool {
	if len(body) > 1 && strings.IndexByte("-*+", body[0]) >= 0 && body[1] == ' ' {
		return true
	}
	k := 0
	for k < len(body) && k < 9 && body[k] >= '0' && body[k] <= '9' {
		k++
	}
	return k > 0 && k+1 < len(body) && (body[k] == '.' || body[k] == ')') && body[k+1] == ' '
}

func (m *markdown) atx(n int, body []byte) bool {
	title := bytes.TrimLeft(body, "#")
	level := len(body) - len(title)
	if level < 1 || level > 6 || len(title) > 0 && title[0] != ' ' && title[0] != '\t' {
		return false
	}
	title = bytes.TrimSpace(title)
	if bare := bytes.TrimRight(title, "#"); len(bare) == 0 || bare[len(bare)-1] == ' ' {
		title = bytes.TrimSpace(bare)
	}
	m.heading(n, level, string(title))
	return true
}

// setext is a heading by a line of signs below it, which is the line n.
func (m *markdown) setext(n int, body []byte) bool {
	sign, level := body[0], 1
	if sign == '-' {
		level = 2
	}
	if sign != '=' && sign != '-' || len(body) < 2 || len(bytes.Trim(body, string(sign))) > 0 {
		return false
	}
	title := bytes.TrimSpace(m.line(n - 1))
	if len(title) == 0 || isItem(title) || title[0] == '>' || title[0] == '|' {
		return false
	}
	for k := len(m.cuts); k > 0 && m.cuts[k-1].Line >= n-1; k = len(m.cuts) {
		m.cuts = m.cuts[:k-1]
	}
	m.heading(n-1, level, string(title))
	return true
}

func (m *markdown) heading(n, level int, title string) {
	m.cut(n, 0)
	m.add(n, n, level, title, " > ")
}

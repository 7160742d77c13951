package manifest

import (
	"strconv"
	"strings"
)

// yamlFlow reads a value that stands on one line.
type yamlFlow struct {
	s    string
	i    int
	line int
	*budget
}

func (f *yamlFlow) peek() byte {
	for f.i < len(f.s) && f.s[f.i] == ' ' {
		f.i++
	}
	if f.i < len(f.s) {
		return f.s[f.i]
	}
	return 0
}

func (f *yamlFlow) value(n *node, depth int) error {
	if err := f.take(f.line, depth); err != nil {
		return err
	}
	switch f.peek() {
	case '{':
		n.kind = table
		return f.group(n, '}', depth)
	case '[':
		n.kind = list
		return f.group(n, ']', depth)
	}
	n.kind, n.text = str, f.text()
	return nil
}

func (f *yamlFlow) group(n *node, end byte, depth int) error {
	f.i++
	for f.peek() != end {
		if f.peek() == 0 {
			return fault(f.line, "no %c at the end of the line", end)
		}
		child := &node{line: f.line}
		if n.kind == table {
			if child.name = f.key(); child.name == "" {
				return fault(f.line, "no key where one should be")
			}
		}
		if c := f.peek(); n.kind != table || c != ',' && c != end {
			if err := f.value(child, depth+1); err != nil {
				return err
			}
		}
		n.add(child)
		if f.peek() == ',' {
			f.i++
		} else if f.peek() != end {
			return fault(f.line, "no %c where one should be", end)
		}
	}
	f.i++
	return nil
}

func (f *yamlFlow) key() string {
	f.peek()
	rest := f.s[f.i:]
	if end := yamlEnd(rest); end > 0 && strings.HasPrefix(rest[end:], ":") {
		f.i += end + 1
		return yamlText(rest[:end])
	}
	end := strings.IndexAny(rest, ":,}")
	if end < 0 {
		return ""
	}
	f.i += end
	if rest[end] == ':' {
		f.i++
	}
	return strings.TrimSpace(rest[:end])
}

// text reads a scalar: up to the next comma or bracket inside of a group.
func (f *yamlFlow) text() string {
	rest := f.s[f.i:]
	if end := yamlEnd(rest); end > 0 {
		f.i += end
		return yamlText(rest[:end])
	}
	stops := ""
	if f.s[0] == '{' || f.s[0] == '[' {
		stops = ",]}"
	}
	end := strings.IndexAny(rest, stops)
	if end < 0 {
		end = len(rest)
	}
	f.i += end
	text, _, _ := strings.Cut(rest[:end], " #")
	return strings.TrimSpace(text)
}

// yamlEnd is the length of the quoted text that s begins with, 0 for none.
func yamlEnd(s string) int {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && s[0] == '"':
			i++
		case s[i] == s[0] && s[0] == '\'' && i+1 < len(s) && s[i+1] == '\'':
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return 0
}

// yamlText is what a quoted or plain text stands for.
func yamlText(s string) string {
	if yamlEnd(s) != len(s) || s == "" {
		return s
	}
	if s[0] == '\'' {
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	if text, err := strconv.Unquote(s); err == nil {
		return text
	}
	return s[1 : len(s)-1]
}

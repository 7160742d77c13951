package manifest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func (r *tomlReader) value(depth int) (*node, error) {
	r.space()
	n := &node{line: r.line}
	if err := r.take(r.line, depth); err != nil {
		return nil, err
	}
	var err error
	switch r.peek() {
	case '"', '\'':
		n.kind = str
		n.text, err = r.quoted()
	case '[':
		n.kind = list
		err = r.group(']', func() error {
			v, err := r.value(depth + 1)
			if err == nil {
				n.add(v)
			}
			return err
		})
	case '{':
		n.kind = table
		err = r.group('}', func() error { return r.pair(n, depth+1) })
	default:
		n.text = r.bare()
		if n.text == "" {
			err = fault(r.line, "no value where one should be")
		}
	}
	return n, err
}

// group reads what stands between brackets, separated by commas.
func (r *tomlReader) group(end byte, member func() error) error {
	r.i++
	for {
		r.blank()
		if r.peek() == end {
			r.i++
			return nil
		}
		if err := member(); err != nil {
			return err
		}
		r.blank()
		if r.peek() == ',' {
			r.i++
		} else if r.peek() != end {
			return fault(r.line, "no %c where one should be", end)
		}
	}
}

func (r *tomlReader) bare() string {
	end := strings.IndexAny(r.s[r.i:], ",]}#\n\r")
	if end < 0 {
		end = len(r.s) - r.i
	}
	from := r.i
	r.i += end
	return strings.TrimSpace(r.s[from:r.i])
}

// quoted reads a string of one of the four kinds.
func (r *tomlReader) quoted() (string, error) {
	mark := r.s[r.i : r.i+1]
	if strings.HasPrefix(r.s[r.i:], mark+mark+mark) {
		return r.long(mark + mark + mark)
	}
	r.i++
	for from := r.i; r.i < len(r.s) && r.s[r.i] != '\n'; r.i++ {
		switch {
		case r.s[r.i] == mark[0]:
			text := r.s[from:r.i]
			r.i++
			if mark == "'" {
				return text, nil
			}
			return r.unescape(text)
		case r.s[r.i] == '\\' && mark == `"` && r.i+1 < len(r.s) && r.s[r.i+1] != '\n':
			r.i++
		}
	}
	return "", fault(r.line, "a string has no end")
}

// long reads a string of several lines. Up to two quotation marks may stand before
// the three that end it.
func (r *tomlReader) long(mark string) (string, error) {
	start := r.line
	r.i += 3
	for from := r.i; r.i < len(r.s); r.i++ {
		switch {
		case r.s[r.i] == '\n':
			r.line++
		case r.s[r.i] == '\\' && mark[0] == '"':
			if r.i++; r.i < len(r.s) && r.s[r.i] == '\n' {
				r.line++
			}
		case strings.HasPrefix(r.s[r.i:], mark):
			for n := 0; n < 2 && strings.HasPrefix(r.s[r.i+1:], mark); n++ {
				r.i++
			}
			text := r.s[from:r.i]
			r.i += 3
			text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
			if mark[0] == '\'' {
				return text, nil
			}
			return r.unescape(text)
		}
	}
	return "", fault(start, "a string has no end")
}

var tomlEscapes = map[byte]string{'b': "\b", 't': "\t", 'n': "\n", 'f': "\f", 'r': "\r", 'e': "\x1b", '"': `"`, '\\': `\`}

func (r *tomlReader) unescape(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		i++
		if text, ok := tomlEscapes[s[i]]; ok {
			out.WriteString(text)
		} else if size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]; size > 0 && i+size < len(s) {
			n, err := strconv.ParseUint(s[i+1:i+1+size], 16, 32)
			if err != nil || !utf8.ValidRune(rune(n)) {
				return "", fault(r.line, "no such character: \\%s", s[i:i+1+size])
			}
			out.WriteRune(rune(n))
			i += size
		} else if rest := strings.TrimLeft(s[i:], " \t\r\n"); len(rest) < len(s[i:]) && strings.Contains(s[i:len(s)-len(rest)], "\n") {
			i = len(s) - len(rest) - 1 // a line end that is taken away with what follows it
		} else {
			return "", fault(r.line, "no such escape: \\%c", s[i])
		}
	}
	return out.String(), nil
}

package manifest

import "strings"

// readTOML reads TOML 1.0. It takes more than the standard does where that is
// harmless: numbers and dates are not looked into, and a table may be reopened.
func readTOML(data []byte) (*node, error) {
	r := tomlReader{s: string(data), line: 1}
	root := &node{kind: table, line: 1}
	at := root
	for {
		r.blank()
		if r.i >= len(r.s) {
			return root, nil
		}
		var err error
		if r.s[r.i] == '[' {
			at, err = r.header(root)
		} else {
			err = r.pair(at, 0)
		}
		if err == nil {
			err = r.lineEnd()
		}
		if err != nil {
			return nil, err
		}
	}
}

type tomlReader struct {
	s       string
	i, line int
	budget
}

func (r *tomlReader) peek() byte {
	if r.i < len(r.s) {
		return r.s[r.i]
	}
	return 0
}

// space skips blanks in a line.
func (r *tomlReader) space() {
	for r.peek() == ' ' || r.peek() == '\t' {
		r.i++
	}
}

// blank skips blanks, comments and line ends.
func (r *tomlReader) blank() {
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case '\n':
			r.line++
			r.i++
		case ' ', '\t', '\r':
			r.i++
		case '#':
			r.comment()
		default:
			return
		}
	}
}

func (r *tomlReader) comment() {
	if end := strings.IndexByte(r.s[r.i:], '\n'); end >= 0 {
		r.i += end
	} else {
		r.i = len(r.s)
	}
}

func (r *tomlReader) lineEnd() error {
	r.space()
	if r.peek() == '#' {
		r.comment()
	}
	if r.peek() == '\r' {
		r.i++
	}
	if r.i < len(r.s) && r.s[r.i] != '\n' {
		return fault(r.line, "more on the line than a value")
	}
	return nil
}

// pair reads key = value.
func (r *tomlReader) pair(at *node, depth int) error {
	line := r.line
	keys, err := r.keys()
	if err != nil {
		return err
	}
	if r.peek() != '=' {
		return fault(r.line, "no = after a key")
	}
	r.i++
	if at, err = r.down(at, keys[:len(keys)-1]); err != nil {
		return err
	}
	v, err := r.value(depth)
	if err != nil {
		return err
	}
	v.name, v.line = keys[len(keys)-1], line
	if at.get(v.name) != nil {
		return fault(line, "%q is there twice", v.name)
	}
	at.add(v)
	return nil
}

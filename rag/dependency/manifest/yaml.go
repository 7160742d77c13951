package manifest

import "strings"

// readYAML reads the part of YAML that lock files are written in: maps and lists by
// indentation, flow maps and lists on one line, plain and quoted scalars, long keys
// behind a question mark. Text in blocks is passed over; anchors and tags are none.
func readYAML(data []byte) (*node, error) {
	var r yamlReader
	no := 0
	for text := range strings.Lines(string(data)) {
		no++
		text = strings.TrimRight(text, " \t\r\n")
		rest := strings.TrimLeft(text, " ")
		if rest != "" && rest[0] != '#' && rest != "---" && rest[0] != '%' {
			r.lines = append(r.lines, yamlLine{len(text) - len(rest), no, rest})
		}
		if len(r.lines) > maxNodes {
			return nil, fault(no, "more than %d lines", maxNodes)
		}
	}
	root := &node{kind: table, line: 1}
	if len(r.lines) == 0 {
		return root, nil
	}
	if err := r.block(root, r.lines[0].indent, 0); err != nil {
		return nil, err
	}
	if r.i < len(r.lines) {
		return nil, fault(r.lines[r.i].no, "the indentation fits nothing above")
	}
	return root, nil
}

type yamlLine struct {
	indent, no int
	text       string
}

type yamlReader struct {
	lines []yamlLine
	i     int
	budget
}

// block reads the lines of one indentation, with what is deeper, into n.
func (r *yamlReader) block(n *node, indent, depth int) error {
	for r.i < len(r.lines) && r.lines[r.i].indent == indent {
		l := r.lines[r.i]
		if err := r.take(l.no, depth); err != nil {
			return err
		}
		item := l.text == "-" || strings.HasPrefix(l.text, "- ")
		if item != (n.kind == list) && len(n.kids) > 0 {
			return nil // a list that is not deeper than its key has ended
		}
		var err error
		if item {
			n.kind = list
			err = r.item(n, l, depth)
		} else {
			n.kind = table
			err = r.pair(n, l, depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// item reads a member of a list; what follows the dash is a line of its own.
func (r *yamlReader) item(n *node, l yamlLine, depth int) error {
	rest := strings.TrimLeft(strings.TrimPrefix(l.text, "-"), " ")
	child := &node{line: l.no}
	n.add(child)
	if rest == "" {
		r.i++
		return r.deeper(child, l, depth)
	}
	if _, _, ok := yamlPair(rest); ok && rest[0] != '{' && rest[0] != '[' {
		r.lines[r.i] = yamlLine{l.indent + len(l.text) - len(rest), l.no, rest}
		return r.block(child, r.lines[r.i].indent, depth+1)
	}
	r.i++
	return r.scalar(child, rest, l, depth)
}

func (r *yamlReader) pair(n *node, l yamlLine, depth int) error {
	key, rest, ok := yamlPair(l.text)
	long, is := strings.CutPrefix(l.text, "? ")
	if is {
		key, rest, ok = yamlText(long), "", true
	}
	if !ok {
		return fault(l.no, "no key where one should be")
	}
	child := &node{name: key, line: l.no}
	n.add(child)
	r.i++
	if is && r.i < len(r.lines) && r.lines[r.i].indent == l.indent && r.lines[r.i].text[0] == ':' {
		return r.longValue(child, depth)
	}
	if rest == "" {
		return r.deeper(child, l, depth)
	}
	return r.scalar(child, rest, l, depth)
}

// longValue reads what belongs to a key behind a question mark: it stands behind a
// colon on the next line, or below that.
func (r *yamlReader) longValue(n *node, depth int) error {
	l := r.lines[r.i]
	rest := strings.TrimSpace(l.text[1:])
	if rest == "" {
		r.i++
		return r.deeper(n, l, depth)
	}
	// A map that begins on this line goes on below at its own indentation, which
	// writers do not agree on; two is what they have in common.
	if _, _, ok := yamlPair(rest); ok && rest[0] != '{' {
		r.lines[r.i] = yamlLine{l.indent + 2, l.no, rest}
		return r.block(n, l.indent+2, depth+1)
	}
	r.i++
	return r.scalar(n, rest, l, depth)
}

// deeper reads the value of a line that ends behind its key.
func (r *yamlReader) deeper(n *node, l yamlLine, depth int) error {
	if r.i == len(r.lines) {
		return nil
	}
	next := r.lines[r.i]
	if next.indent > l.indent || next.indent == l.indent && n.name != "" && strings.HasPrefix(next.text, "- ") {
		return r.block(n, next.indent, depth+1)
	}
	return nil
}

func (r *yamlReader) scalar(n *node, text string, l yamlLine, depth int) error {
	if text[0] == '|' || text[0] == '>' {
		for n.kind = str; r.i < len(r.lines) && r.lines[r.i].indent > l.indent; r.i++ {
		}
		return nil
	}
	f := yamlFlow{s: text, line: l.no, budget: &r.budget}
	if err := f.value(n, depth+1); err != nil {
		return err
	}
	// A plain or quoted text may go on in deeper lines.
	for n.kind != table && n.kind != list && r.i < len(r.lines) && r.lines[r.i].indent > l.indent {
		r.i++
	}
	return nil
}

// yamlPair cuts "key: value" where the key is plain or quoted.
func yamlPair(s string) (key, rest string, ok bool) {
	if s[0] == '"' || s[0] == '\'' {
		end := yamlEnd(s)
		if end == 0 || end >= len(s) || s[end] != ':' {
			return "", "", false
		}
		return yamlText(s[:end]), yamlStrip(s[end+1:]), true
	}
	for i := 1; i < len(s); i++ {
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') {
			return s[:i], yamlStrip(s[i+1:]), true
		}
	}
	return "", "", false
}

// yamlStrip takes away blanks and a value that is a comment alone.
func yamlStrip(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "#") {
		return ""
	}
	return s
}

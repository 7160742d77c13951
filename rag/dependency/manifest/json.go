package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readJSON reads one JSON value.
func readJSON(data []byte) (*node, error) {
	r := jsonReader{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.dec.UseNumber()
	n, err := r.next(0)
	if err != nil {
		return nil, r.explain(err)
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fault(r.line, "more than one value")
	}
	return n, nil
}

type jsonReader struct {
	data []byte
	dec  *json.Decoder
	seen int64 // bytes whose line ends are counted
	line int
	budget
}

func (r *jsonReader) explain(err error) error {
	var ours *SyntaxError
	if errors.As(err, &ours) {
		return err
	}
	return fault(r.line, "%s", strings.TrimPrefix(err.Error(), "json: "))
}

func (r *jsonReader) token() (json.Token, error) {
	t, err := r.dec.Token()
	to := r.dec.InputOffset()
	r.line += bytes.Count(r.data[r.seen:to], []byte("\n"))
	r.seen = to
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return t, err
}

func (r *jsonReader) next(depth int) (*node, error) {
	t, err := r.token()
	if err != nil {
		return nil, err
	}
	if err := r.take(r.line, depth); err != nil {
		return nil, err
	}
	n := &node{line: r.line}
	switch t := t.(type) {
	case json.Delim:
		n.kind = list
		if t == '{' {
			n.kind = table
		}
		err = r.group(n, depth)
	case string:
		n.kind, n.text = str, t
	case nil:
		n.text = "null"
	default:
		n.text = fmt.Sprint(t)
	}
	return n, err
}

func (r *jsonReader) group(n *node, depth int) error {
	for r.dec.More() {
		var name string
		line := 0
		if n.kind == table {
			t, err := r.token()
			if err != nil {
				return err
			}
			name, line = t.(string), r.line // the decoder gives no other key
		}
		v, err := r.next(depth + 1)
		if err != nil {
			return err
		}
		if v.name = name; line > 0 {
			v.line = line
		}
		n.add(v)
	}
	_, err := r.token()
	return err
}

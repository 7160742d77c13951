package chunk

import (
	"bytes"
	"strings"
)

// readYAML makes sections of the keys that have lines below them, three levels deep,
// and allows cuts before keys and items. Text in block scalars is no structure.
func readYAML(t *text) outline {
	y := yaml{scalar: -1}
	for n := 1; n <= t.count(); n++ {
		line := t.line(n)
		if set := indent(line); set >= 0 {
			y.read(n, set, bytes.TrimLeft(line, " \t"))
		}
	}
	y.close(t.count(), 0)
	y.units = y.made
	return y.outline
}

type yaml struct {
	outline
	sections
	scalar int // how far the key of an open block scalar is set in, -1 for none
}

// read takes a line without the white that it is set in by.
func (y *yaml) read(n, set int, body []byte) {
	if y.scalar >= 0 && set > y.scalar {
		return
	}
	y.scalar = -1
	key, value := keyOf(body)
	item := body[0] == '-' && (len(body) == 1 || body[1] == ' ')
	switch {
	case body[0] == '#':
		y.comment(n, n)
		return
	case set == 0 && (bytes.HasPrefix(body, []byte("---")) || bytes.HasPrefix(body, []byte("..."))):
		y.close(y.lead(n)-1, 0)
		y.cut(n, 0)
	case item:
		y.close(y.lead(n)-1, set+2) // an item may stand below the first sign of its key
		y.cut(n, set+1)
	case key != "":
		y.close(y.lead(n)-1, set+1)
		y.cut(n, set)
		if opens(value) && len(y.open) < 3 {
			y.add(y.lead(n), n, set+1, key, ".")
		}
	}
	if isBlockScalar(value) || item && isBlockScalar(bytes.TrimSpace(body[1:])) {
		y.scalar = set
	}
}

// opens says whether a value goes on below its key.
func opens(value []byte) bool {
	return len(value) == 0 || value[0] == '#' || value[0] == '&' || value[0] == '!' || isBlockScalar(value)
}

func isBlockScalar(value []byte) bool {
	return len(value) > 0 && (value[0] == '|' || value[0] == '>') && strings.Trim(string(value[1:]), "+-0123456789") == ""
}

// keyOf splits a line into key and value; the key is "" if there is none.
func keyOf(body []byte) (key string, value []byte) {
	if len(body) > 0 && (body[0] == '"' || body[0] == '\'') {
		end := bytes.IndexByte(body[1:], body[0])
		if end < 0 || end+2 >= len(body) || body[end+2] != ':' {
			return "", nil
		}
		return string(body[1 : end+1]), bytes.TrimSpace(body[end+3:])
	}
	for at, c := range body {
		if c == ':' && (at+1 == len(body) || body[at+1] == ' ' || body[at+1] == '\t') {
			return string(body[:at]), bytes.TrimSpace(body[at+1:])
		}
	}
	return "", nil
}

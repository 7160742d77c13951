package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
)

// fields are the members of a JSON object, each as it was written. They are read and
// written without package json, which goes over each byte several times: for a long
// prompt that was half of the own time of a call. Their source is langchaingo, so
// that they need not be checked.
type fields map[string]json.RawMessage

var errSplit = errors.New("langchaingo's request is not JSON")

// members takes an object apart.
func members(data []byte) (fields, error) {
	all := fields{}
	err := split(data, '{', func(part []byte) error {
		end := textEnd(part)
		if end < 0 {
			return errSplit
		}
		name, err := strconv.Unquote(string(part[:end]))
		value, ok := bytes.CutPrefix(bytes.TrimSpace(part[end:]), []byte(":"))
		if err != nil || !ok {
			return errSplit
		}
		all[name] = bytes.TrimSpace(value)
		return nil
	})
	return all, err
}

// elements takes a list of objects apart.
func elements(data []byte) ([]fields, error) {
	var all []fields
	err := split(data, '[', func(part []byte) error {
		one, err := members(part)
		all = append(all, one)
		return err
	})
	return all, err
}

// split gives the parts between the commas of an object or a list.
func split(data []byte, open byte, part func([]byte) error) error {
	data = bytes.TrimSpace(data)
	if len(data) < 2 || data[0] != open || data[len(data)-1] != open+2 { // in ASCII, } is { + 2 and ] is [ + 2
		return errSplit
	}
	data = bytes.TrimSpace(data[1 : len(data)-1])
	depth, start := 0, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			end := textEnd(data[i:])
			if end < 0 {
				return errSplit
			}
			i += end - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth > 0 {
				continue
			}
			if err := part(bytes.TrimSpace(data[start:i])); err != nil {
				return err
			}
			start = i + 1
		}
	}
	if len(data) == 0 {
		return nil
	}
	return part(bytes.TrimSpace(data[start:]))
}

// textEnd is where the text that data begins with ends, behind its quote, or -1.
func textEnd(data []byte) int {
	if len(data) == 0 || data[0] != '"' {
		return -1
	}
	for at := 1; ; {
		i := bytes.IndexByte(data[at:], '"')
		if i < 0 {
			return -1
		}
		at += i + 1
		slashes := 0
		for data[at-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
}

// text writes the object. The names are ours and langchaingo's: plain words.
func (f fields) text() []byte {
	out := []byte("{")
	for i, name := range sortedKeys(f) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(strconv.AppendQuote(out, name), ':')
		out = append(out, f[name]...)
	}
	return append(out, '}')
}

// list writes objects in brackets.
func list(all []fields) json.RawMessage {
	out := []byte("[")
	for i, f := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, f.text()...)
	}
	return append(out, ']')
}

func (f fields) set(name string, v any) error {
	data, err := encodeJSON(v)
	if err != nil {
		return err
	}
	f[name] = data
	return nil
}

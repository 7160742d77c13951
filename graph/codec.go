package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"
)

// encodeJSON is json.Marshal without HTML escapes, which would double the size
// of code kept in a state, and without a silent change of invalid UTF-8.
func encodeJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	b := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	// encoding/json writes the escape \ufffd for an invalid byte and the rune
	// itself for a real U+FFFD. Raw JSON may hold the escape too, hence the walk.
	if bytes.Contains(b, []byte(`\ufffd`)) && hasInvalidText(reflect.ValueOf(v)) {
		return nil, ErrInvalidUTF8
	}
	return b, nil
}

// decodeJSON refuses what v has no place for, and anything behind the value.
func decodeJSON(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return fmt.Errorf("data after the JSON value")
	}
	return nil
}

func hasInvalidText(v reflect.Value) bool {
	if v.IsValid() && marshals(v.Type()) {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		return !utf8.ValidString(v.String())
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && hasInvalidText(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if hasInvalidText(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if hasInvalidText(it.Key()) || hasInvalidText(it.Value()) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if hasInvalidText(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

package graph

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"unicode/utf8"
)

// encodeJSON, given a pointer so that methods on pointers are found, is json.Marshal without HTML escapes, which would double the size
// of code kept in a state, and without a silent change of invalid UTF-8.
func encodeJSON(v any) (data []byte, err error) {
	defer recovered(&err) // of a MarshalJSON
	e := encoders.Get().(*encoder)
	defer e.free()
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	b := bytes.Clone(bytes.TrimSuffix(e.buf.Bytes(), []byte("\n")))
	// encoding/json writes the escape \ufffd for an invalid byte and the rune
	// itself for a real U+FFFD. Raw JSON may hold the escape too, hence the walk.
	if !utf8.Valid(b) || bytes.Contains(b, []byte(`\ufffd`)) && hasInvalidText(reflect.ValueOf(v)) {
		return nil, ErrInvalidUTF8
	}
	return b, nil
}

func takesNull(t reflect.Type) bool {
	k := t.Kind()
	return k == reflect.Pointer || k == reflect.Slice || k == reflect.Map || k == reflect.Interface || marshals(t)
}

type encoder struct {
	buf bytes.Buffer
	*json.Encoder
}

var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.Encoder = json.NewEncoder(&e.buf)
	e.SetEscapeHTML(false)
	return e
}}

// free gives a small encoder back; a large one goes, so that memory is not held.
func (e *encoder) free() {
	if e.buf.Cap() <= 64<<10 {
		e.buf.Reset()
		encoders.Put(e)
	}
}

// decodeJSON refuses what v has no place for, text that is not UTF-8, a null that
// would leave v as it is, and anything behind the value.
func decodeJSON(data []byte, v any) (err error) {
	defer recovered(&err) // of an UnmarshalJSON
	if !utf8.Valid(data) {
		return ErrInvalidUTF8
	}
	if t := reflect.TypeOf(v).Elem(); string(data) == "null" && !takesNull(t) {
		return fmt.Errorf("null is no value of a %v", t)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("data after the JSON value")
	}
	return nil
}

func hasInvalidText(v reflect.Value) bool {
	if v.IsValid() && marshals(v.Type()) {
		return invalidOwnText(v)
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

// invalidOwnText looks at the text that a value makes of itself. JSON that it makes
// is checked as it is.
func invalidOwnText(v reflect.Value) bool {
	if v.CanAddr() && v.Kind() != reflect.Pointer {
		v = v.Addr()
	}
	if _, own := v.Interface().(json.Marshaler); own {
		return false
	}
	m, ok := v.Interface().(encoding.TextMarshaler)
	if !ok || v.Kind() == reflect.Pointer && v.IsNil() {
		return false
	}
	text, err := m.MarshalText()
	return err == nil && !utf8.Valid(text)
}

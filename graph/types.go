package graph

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

var (
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	secretType      = reflect.TypeFor[interface{ isSecret() }]()
)

// marshals reports whether t writes its own JSON.
func marshals(t reflect.Type) bool {
	return either(t, jsonMarshaler) || either(t, textMarshaler)
}

func either(t, want reflect.Type) bool {
	return t.Implements(want) || reflect.PointerTo(t).Implements(want)
}

// checkType finds what of t would be lost or refused on the way into a
// checkpoint and back; path names the place for the message.
func checkType(t reflect.Type, path string) error {
	return typeCheck{}.check(t, path)
}

type typeCheck map[reflect.Type]bool

func (seen typeCheck) check(t reflect.Type, path string) error {
	if t.Implements(secretType) {
		return fmt.Errorf("%s: %w; keep it in the constructor of the node", path, ErrSecret)
	}
	if seen[t] {
		return nil
	}
	seen[t] = true
	if marshals(t) {
		if !either(t, jsonUnmarshaler) && !either(t, textUnmarshaler) {
			return fmt.Errorf("%s: %v writes its own JSON but cannot read it back", path, t)
		}
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return seen.check(t.Elem(), path)
	case reflect.Map:
		if !isKey(t.Key()) {
			return fmt.Errorf("%s: %v cannot be the key of a stored map", path, t.Key())
		}
		return seen.check(t.Elem(), path)
	case reflect.Struct:
		return seen.members(t, path, map[string]bool{})
	case reflect.Interface:
		return fmt.Errorf("%s: an interface (%v) cannot be read back; use a concrete type", path, t)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return fmt.Errorf("%s: %v cannot be stored", path, t)
	}
	return nil
}

func isKey(t reflect.Type) bool {
	switch k := t.Kind(); {
	case k == reflect.String, k >= reflect.Int && k <= reflect.Uintptr:
		return true
	}
	return either(t, textMarshaler) && either(t, textUnmarshaler)
}

// members checks a struct. encoding/json drops unexported members, those tagged
// "-", and those whose names clash, without a word; here each is an error.
func (seen typeCheck) members(t reflect.Type, path string, names map[string]bool) error {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		at := path + "." + f.Name
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct && !marshals(f.Type) {
			if err := seen.members(f.Type, at, names); err != nil {
				return err
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		switch {
		case !f.IsExported():
			return fmt.Errorf("%s: unexported, so it would not be stored", at)
		case f.Tag.Get("json") == "-":
			return fmt.Errorf(`%s: tagged json:"-", so it would not be stored`, at)
		case names[name]:
			return fmt.Errorf("%s: a second member is stored as %q", at, name)
		}
		names[name] = true
		if err := seen.check(f.Type, at); err != nil {
			return err
		}
	}
	return nil
}

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
	return typeCheck{}.check(t, path, true)
}

// typeCheck remembers the types that it has seen, apart by whether their values
// can be addressed: encoding/json does not call methods on a pointer to a value in
// a map.
type typeCheck map[seenType]bool

type seenType struct {
	reflect.Type
	addressed bool
}

func (seen typeCheck) check(t reflect.Type, path string, addressed bool) error {
	if t.Implements(secretType) {
		return fmt.Errorf("%s: %w; keep it in the constructor of the node", path, ErrSecret)
	}
	if seen[seenType{t, addressed}] {
		return nil
	}
	seen[seenType{t, addressed}] = true
	if marshals(t) {
		return checkMarshaler(t, path, addressed)
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return seen.check(t.Elem(), path, true)
	case reflect.Array:
		return seen.check(t.Elem(), path, addressed)
	case reflect.Map:
		if !isKey(t.Key()) {
			return fmt.Errorf("%s: %v cannot be the key of a stored map", path, t.Key())
		}
		return seen.check(t.Elem(), path, false)
	case reflect.Struct:
		return seen.members(t, path, map[string]bool{}, addressed)
	case reflect.Interface:
		return fmt.Errorf("%s: an interface (%v) cannot be read back; use a concrete type", path, t)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Complex64, reflect.Complex128:
		return fmt.Errorf("%s: %v cannot be stored", path, t)
	}
	return nil
}

func checkMarshaler(t reflect.Type, path string, addressed bool) error {
	if m, ok := promotes(t); ok {
		return fmt.Errorf("%s: the embedded %s would write the JSON of the whole struct; give it a name", path, m)
	}
	if !either(t, jsonUnmarshaler) && !either(t, textUnmarshaler) {
		return fmt.Errorf("%s: %v writes its own JSON but cannot read it back", path, t)
	}
	if !addressed && !t.Implements(jsonMarshaler) && !t.Implements(textMarshaler) {
		return fmt.Errorf("%s: the methods that write %v are on its pointer, which a map does not give; store pointers", path, t)
	}
	return nil
}

func isKey(t reflect.Type) bool {
	switch k := t.Kind(); {
	case k == reflect.String, k >= reflect.Int && k <= reflect.Uintptr:
		return true
	}
	return t.Implements(textMarshaler) && either(t, textUnmarshaler)
}

// members checks a struct. encoding/json drops unexported members, those tagged
// "-", and those whose names clash, without a word; here each is an error.
func (seen typeCheck) members(t reflect.Type, path string, names map[string]bool, addressed bool) error {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		at := path + "." + f.Name
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if inner, ok := inlined(f); ok {
			if err := seen.members(inner, at, names, addressed || f.Type.Kind() == reflect.Pointer); err != nil {
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
		if err := seen.check(f.Type, at, addressed); err != nil {
			return err
		}
	}
	return nil
}

// inlined gives the struct whose members JSON puts among those of its parent.
func inlined(f reflect.StructField) (reflect.Type, bool) {
	t := f.Type
	if t.Kind() == reflect.Pointer && f.IsExported() {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return t, f.Anonymous && name == "" && t.Kind() == reflect.Struct && !marshals(t)
}

// promotes finds an embedded type whose marshaller stands for a struct that has
// other members too.
func promotes(t reflect.Type) (string, bool) {
	if t.Kind() != reflect.Struct || t.NumField() < 2 {
		return "", false
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && marshals(f.Type) {
			return f.Name, true
		}
	}
	return "", false
}

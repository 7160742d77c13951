package llm

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// Enum is a string type with a few values. Implement it, and the schema lists them,
// and answers are taken that mean one: "HIGH", "Med" for medium.
type Enum interface{ Enum() []string }

// SchemaFor is the JSON Schema of T, a struct, as models are given it: of an answer
// or of a tool's arguments. Descriptions come from `jsonschema:"…"` tags. A field
// with omitempty and a pointer are optional; any other must be there, and not blank if
// it is text.
func SchemaFor[T any]() (json.RawMessage, error) {
	s, err := schemaOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return encodeJSON(s)
}

func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	enums := map[reflect.Type]*jsonschema.Schema{}
	findEnums(t, enums, map[reflect.Type]bool{})
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: enums})
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", t, err)
	}
	if s.Type != "object" || len(s.Properties) == 0 {
		return nil, fmt.Errorf("schema of %s: want a struct with fields", t)
	}
	plain(s)
	return s, nil
}

// plain takes out null beside another type. Models then write an empty list or leave
// the field out; both are read either way, so that a pointer need not be there.
func plain(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	s.Required = slices.DeleteFunc(s.Required, func(name string) bool {
		p := s.Properties[name]
		return p != nil && slices.Contains(p.Types, "null") && !slices.Contains(p.Types, "array")
	})
	if i := slices.Index(s.Types, "null"); i >= 0 && len(s.Types) == 2 {
		s.Type, s.Types = s.Types[1-i], nil
	}
	for _, p := range s.Properties {
		plain(p)
	}
	plain(s.Items)
	plain(s.AdditionalProperties)
}

func findEnums(t reflect.Type, enums map[reflect.Type]*jsonschema.Schema, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if values := enumOf(t); values != nil {
		enums[t] = &jsonschema.Schema{Type: "string", Enum: values}
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		findEnums(t.Elem(), enums, seen)
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() {
				findEnums(f.Type, enums, seen)
			}
		}
	}
}

func enumOf(t reflect.Type) []any {
	if t.Kind() != reflect.String {
		return nil
	}
	e, ok := reflect.New(t).Interface().(Enum)
	if !ok {
		return nil
	}
	var values []any
	for _, v := range e.Enum() {
		values = append(values, v)
	}
	return values
}

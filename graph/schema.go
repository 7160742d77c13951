package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// schema describes the answer that an interrupt wants: the small part of JSON
// Schema that a Go type needs, in the dialect of OpenAPI 3.0 (nullable, formats),
// with Go's scalar types as formats and objects closed unless they say otherwise.
// It is stored with the question, so that an answer can be checked, and a form
// drawn, by a program that has never run the node.
type schema struct {
	Type       string             `json:"type,omitempty"` // none: anything
	Format     string             `json:"format,omitempty"`
	Nullable   bool               `json:"nullable,omitempty"`
	Properties map[string]*schema `json:"properties,omitempty"`
	Required   []string           `json:"required,omitempty"`
	Items      *schema            `json:"items,omitempty"`
	MinItems   int                `json:"minItems,omitempty"`
	MaxItems   int                `json:"maxItems,omitempty"`
	Values     *schema            `json:"additionalProperties,omitempty"`
}

// scalars decode what their format admits.
var scalars = map[string]reflect.Type{
	"bool": reflect.TypeFor[bool](), "string": reflect.TypeFor[string](), "bytes": reflect.TypeFor[[]byte](),
	"int": reflect.TypeFor[int](), "int8": reflect.TypeFor[int8](), "int16": reflect.TypeFor[int16](),
	"int32": reflect.TypeFor[int32](), "int64": reflect.TypeFor[int64](), "uint": reflect.TypeFor[uint](),
	"uint8": reflect.TypeFor[uint8](), "uint16": reflect.TypeFor[uint16](), "uint32": reflect.TypeFor[uint32](),
	"uint64": reflect.TypeFor[uint64](), "uintptr": reflect.TypeFor[uintptr](),
	"float32": reflect.TypeFor[float32](), "float64": reflect.TypeFor[float64](),
}

// schemaOf describes t; a type inside itself, and one that writes its own JSON,
// are left open.
func schemaOf(t reflect.Type, within ...reflect.Type) *schema {
	if slices.Contains(within, t) || t.Kind() != reflect.Pointer && marshals(t) {
		return &schema{}
	}
	in := append(slices.Clip(within), t)
	switch k := t.Kind(); k {
	case reflect.Pointer:
		s := schemaOf(t.Elem(), in...)
		s.Nullable = true
		return s
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &schema{Type: "string", Format: "bytes", Nullable: true}
		}
		return &schema{Type: "array", Items: schemaOf(t.Elem(), in...), Nullable: true}
	case reflect.Array:
		return &schema{Type: "array", Items: schemaOf(t.Elem(), in...), MinItems: t.Len(), MaxItems: t.Len()}
	case reflect.Map:
		return &schema{Type: "object", Values: schemaOf(t.Elem(), in...), Nullable: true}
	case reflect.Struct:
		s := &schema{Type: "object", Properties: map[string]*schema{}}
		s.addMembers(t, in, false)
		return s
	case reflect.Bool:
		return &schema{Type: "boolean", Format: "bool"}
	case reflect.String:
		return &schema{Type: "string", Format: "string"}
	case reflect.Float32, reflect.Float64:
		return &schema{Type: "number", Format: k.String()}
	default:
		return &schema{Type: "integer", Format: k.String()}
	}
}

func (s *schema) addMembers(t reflect.Type, within []reflect.Type, optional bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			continue
		}
		if inner, ok := inlined(f); ok {
			s.addMembers(inner, within, optional || f.Type.Kind() == reflect.Pointer)
			continue
		}
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		s.Properties[name] = schemaOf(f.Type, within...)
		if strings.Contains(opts, "string") {
			s.Properties[name] = &schema{} // a number in quotes
		}
		if !optional && !strings.Contains(opts, "omit") {
			s.Required = append(s.Required, name)
		}
	}
}

// checkAnswer reports the first place where data does not fit the stored schema.
func checkAnswer(stored, data []byte) error {
	var s schema
	if err := decodeJSON(stored, &s); err != nil {
		return fmt.Errorf("stored schema: %w", err)
	}
	return s.check(data, "answer")
}

func (s *schema) check(data []byte, at string) error {
	if string(data) == "null" && s.Type != "" {
		if s.Nullable {
			return nil
		}
		return fmt.Errorf("%s is null, want %s", at, s.Type)
	}
	switch s.Type {
	case "":
		return nil
	case "array":
		return s.checkItems(data, at)
	case "object":
		return s.checkMembers(data, at)
	}
	t, ok := scalars[s.Format]
	if !ok {
		return fmt.Errorf("%s: stored schema has the unknown format %q", at, s.Format)
	}
	if err := decodeJSON(data, reflect.New(t).Interface()); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return nil
}

func (s *schema) checkItems(data []byte, at string) error {
	var items []json.RawMessage
	if err := decodeJSON(data, &items); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if s.MaxItems > 0 && len(items) != s.MaxItems {
		return fmt.Errorf("%s has %d items, want %d", at, len(items), s.MaxItems)
	}
	for i, item := range items {
		if s.Items == nil {
			break
		}
		if err := s.Items.check(item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *schema) checkMembers(data []byte, at string) error {
	members, err := membersOf(data)
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	for _, name := range s.Required {
		if _, ok := members[name]; !ok {
			return fmt.Errorf("%s.%s is missing", at, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member := s.Properties[name]
		if member == nil {
			member = s.Values
		}
		if member == nil {
			return fmt.Errorf("%s.%s is not asked for", at, name)
		}
		if err := member.check(members[name], at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// membersOf splits an object, and refuses one that has a member twice, of which
// encoding/json would silently take the last.
func membersOf(data []byte) (map[string]json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if err := decodeJSON(data, &members); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	count := 0
	for _, err := dec.Token(); err == nil && dec.More(); count++ {
		var value json.RawMessage
		if _, err = dec.Token(); err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			return nil, err
		}
	}
	if count != len(members) {
		return nil, errors.New("a member stands there twice")
	}
	return members, nil
}

package graph

import (
	"fmt"
	"reflect"
	"strings"
)

// span is the part of the state's memory that a field covers.
type span struct {
	field    string
	typ      reflect.Type
	from, to uintptr
}

// checkCover compares the fields with the members of S by address, so that no
// member is left out of the checkpoints and none has two rules.
func checkCover[S any](fields []FieldOf[S]) []error {
	t := reflect.TypeFor[S]()
	if t.Kind() != reflect.Struct {
		return []error{fmt.Errorf("state %v is not a struct", t)}
	}
	var spans []span
	var problems []error
	for _, f := range fields {
		sp, err := spanOf(f)
		if err != nil {
			problems = append(problems, fmt.Errorf("field %q: %w", f.Name(), err))
			continue
		}
		spans = append(spans, sp)
	}
	return append(problems, uncovered(t, 0, t.String(), spans)...)
}

func spanOf[S any](f FieldOf[S]) (sp span, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("its function panics on the zero state: %v", v)
		}
	}()
	s := new(S)
	base, size := reflect.ValueOf(s).Pointer(), reflect.TypeFor[S]().Size()
	m := f.member(s)
	if m.IsNil() || m.Pointer() < base || m.Pointer()+m.Type().Elem().Size() > base+size {
		return sp, fmt.Errorf("its function does not point into the state")
	}
	from := m.Pointer() - base
	return span{f.Name(), m.Type().Elem(), from, from + m.Type().Elem().Size()}, nil
}

// uncovered reports what of the memory of a t at off has not exactly one field.
func uncovered(t reflect.Type, off uintptr, path string, spans []span) []error {
	var whole, parts []string
	for _, sp := range spans {
		switch {
		case sp.from == off && sp.typ == t:
			whole = append(whole, sp.field)
		case sp.from < off+t.Size() && sp.to > off:
			parts = append(parts, sp.field)
		}
	}
	switch {
	case len(whole) == 1 && len(parts) == 0:
		return nil
	case len(whole) > 0:
		return []error{fmt.Errorf("%s is covered by several fields: %s", path, strings.Join(append(whole, parts...), ", "))}
	case t.Kind() == reflect.Struct && (len(parts) > 0 || off == 0 && len(spans) == 0):
		var problems []error
		for i := range t.NumField() {
			if m := t.Field(i); m.Name != "_" {
				problems = append(problems, uncovered(m.Type, off+m.Offset, path+"."+m.Name, spans)...)
			}
		}
		return problems
	}
	return []error{fmt.Errorf("%s is covered by no field; give it a Last, Reduce or Append", path)}
}

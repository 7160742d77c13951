package graph

import (
	"fmt"
	"reflect"
	"strings"
)

// extent is the part of the state's memory that a field covers.
type extent struct {
	field    string
	typ      reflect.Type
	from, to uintptr
}

// checkCover compares the fields with the members of S by address, so that no
// member is left out of the checkpoints and none has two rules.
func checkCover(ops stateOps, fields []field) []error {
	t := ops.typ
	if t.Kind() != reflect.Struct {
		return []error{fmt.Errorf("state %v is not a struct", t)}
	}
	var extents []extent
	var problems []error
	for _, f := range fields {
		e, err := extentOf(ops, f)
		if err != nil {
			problems = append(problems, fmt.Errorf("field %q: %w", f.Name(), err))
			continue
		}
		extents = append(extents, e)
	}
	return append(problems, uncovered(t, 0, t.String(), extents)...)
}

func extentOf(ops stateOps, f field) (e extent, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("its function panics on the zero state: %v", v)
		}
	}()
	s := ops.zero()
	base, size := reflect.ValueOf(s).Pointer(), ops.typ.Size()
	m := f.member(s)
	if m.IsNil() || m.Pointer() < base || m.Pointer()+m.Type().Elem().Size() > base+size {
		return e, fmt.Errorf("its function does not point into the state")
	}
	from := m.Pointer() - base
	return extent{f.Name(), m.Type().Elem(), from, from + m.Type().Elem().Size()}, nil
}

// uncovered reports what of the memory of a t at off has not exactly one field.
func uncovered(t reflect.Type, off uintptr, path string, extents []extent) []error {
	if t.Size() == 0 {
		return nil // there is nothing to store
	}
	var whole, parts []string
	for _, e := range extents {
		switch {
		case e.from == off && e.typ == t:
			whole = append(whole, e.field)
		case e.from < off+t.Size() && e.to > off:
			parts = append(parts, e.field)
		}
	}
	switch {
	case len(whole) == 1 && len(parts) == 0:
		return nil
	case len(whole) > 0:
		return []error{fmt.Errorf("%s is covered by several fields: %s", path, strings.Join(append(whole, parts...), ", "))}
	case t.Kind() == reflect.Struct && (len(parts) > 0 || off == 0 && len(extents) == 0):
		var problems []error
		for i := range t.NumField() {
			if m := t.Field(i); m.Name != "_" {
				problems = append(problems, uncovered(m.Type, off+m.Offset, path+"."+m.Name, extents)...)
			}
		}
		return problems
	}
	return []error{fmt.Errorf("%s is covered by no field; give it a Last, Reduce or Append", path)}
}

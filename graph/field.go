package graph

import (
	"fmt"
	"reflect"
)

type fieldKind string

const (
	lastKind   fieldKind = "last"
	reduceKind fieldKind = "reduce"
	appendKind fieldKind = "append"
)

// Field covers one member of the state S. Make one with [Last], [Reduce] or
// [Append], keep it in a variable, and pass it to [New]. A Field is immutable
// and may serve several graphs.
type Field[S, V any] struct {
	fieldSpec
	ref    func(*S) *V
	reduce func(old, in V) V
	list   listOf[V] // set for Append only
}

// FieldOf is any [Field] of a state S, whatever its type.
type FieldOf[S any] interface {
	field
	of(*S)
}

// field is a Field without its types: s is always a *S, v a V. So the engine is
// compiled once, not again for each state.
type field interface {
	// Name is the name under which the field is stored.
	Name() string

	spec() *fieldSpec
	missing() bool
	incomplete() bool
	member(s any) reflect.Value
	apply(s, v any, reset bool)
	length(s any) int
	clip(s any)
	encode(s any, from int) ([]byte, error)
	encodeValue(v any) ([]byte, error)
	decodeValue([]byte) (any, error)
	load(s any, data []byte, delta bool) error
}

type fieldSpec struct {
	name    string
	kind    fieldKind
	typ     reflect.Type
	version int
	migrate func(old int, data []byte) ([]byte, error)
}

type listOf[V any] struct {
	len  func(V) int
	from func(V, int) V // the tail, without spare capacity
}

// FieldOption refines a field.
type FieldOption func(*fieldSpec)

// Version numbers the stored form of a field; without it the version is 0. When
// a checkpoint holds an older version, migrate turns its JSON into the current
// form. For an Append field it is called for each stored piece, a JSON array.
func Version(n int, migrate func(old int, data []byte) ([]byte, error)) FieldOption {
	return func(s *fieldSpec) { s.version, s.migrate = n, migrate }
}

// Last covers a member whose newest write replaces the old value. Two tasks that
// write it in one step are an error, see [ConflictError].
func Last[S, V any](name string, ref func(*S) *V, o ...FieldOption) *Field[S, V] {
	return &Field[S, V]{fieldSpec: newSpec[V](name, lastKind, o), ref: ref}
}

// Reduce covers a member whose new value is r(old, written), in the order of the
// tasks. r must not modify old.
func Reduce[S, V any](name string, ref func(*S) *V, r func(old, in V) V, o ...FieldOption) *Field[S, V] {
	return &Field[S, V]{fieldSpec: newSpec[V](name, reduceKind, o), ref: ref, reduce: r}
}

// Append covers a slice to which writes are appended, in the order of the tasks.
// A checkpoint stores just what was appended.
func Append[S, E any](name string, ref func(*S) *[]E, o ...FieldOption) *Field[S, []E] {
	return &Field[S, []E]{
		fieldSpec: newSpec[[]E](name, appendKind, o),
		ref:       ref,
		reduce:    func(old, in []E) []E { return append(old, in...) },
		list: listOf[[]E]{
			len:  func(v []E) int { return len(v) },
			from: func(v []E, i int) []E { return v[i:len(v):len(v)] },
		},
	}
}

func newSpec[V any](name string, kind fieldKind, o []FieldOption) fieldSpec {
	s := fieldSpec{name: name, kind: kind, typ: reflect.TypeFor[V]()}
	for _, f := range o {
		f(&s)
	}
	return s
}

// Set writes v by the field's rule: replace, reduce or append.
func (f *Field[S, V]) Set(v V) Write[S] { return Write[S]{write{field: f, value: v}} }

// Reset replaces the value whatever the field's rule is. No other task may write
// the field in the same step.
func (f *Field[S, V]) Reset(v V) Write[S] { return Write[S]{write{field: f, value: v, reset: true}} }

// Name is the name under which the field is stored.
func (f *Field[S, V]) Name() string { return f.name }

// Write is one typed write to one field.
type Write[S any] struct{ write }

// Field is the name of the written field.
func (w Write[S]) Field() string { return w.name() }

// Value is what was written: for Append the appended slice.
func (w Write[S]) Value() any { return w.value }

// Update is what a node returns: the writes that it wants. Nil writes nothing.
type Update[S any] []Write[S]

// write is a Write without its state.
type write struct {
	field field
	value any
	reset bool
}

func (w write) name() string {
	if w.field == nil {
		return ""
	}
	return w.field.Name()
}

// writes takes the state from an update.
func writes[S any](u Update[S]) []write {
	if len(u) == 0 {
		return nil
	}
	ws := make([]write, len(u))
	for i, w := range u {
		ws[i] = w.write
	}
	return ws
}

func (f *Field[S, V]) of(*S) {}

func (f *Field[S, V]) spec() *fieldSpec { return &f.fieldSpec }

func (f *Field[S, V]) missing() bool { return f == nil }

func (f *Field[S, V]) incomplete() bool {
	return f.ref == nil || f.kind != lastKind && f.reduce == nil
}

// member is the addressed value of the member that f covers in s.
func (f *Field[S, V]) member(s any) reflect.Value { return reflect.ValueOf(f.at(s)) }

func (f *Field[S, V]) at(s any) *V { return f.ref(s.(*S)) }

func (f *Field[S, V]) apply(s, v any, reset bool) {
	p, in := f.at(s), v.(V)
	switch {
	case f.reduce == nil || reset:
		*p = in
		f.clip(s) // so that no later append writes into the node's own array
	default:
		*p = f.reduce(*p, in)
	}
}

func (f *Field[S, V]) length(s any) int {
	if f.list.len == nil {
		return 0
	}
	return f.list.len(*f.at(s))
}

// clip takes the spare capacity from a list, so that an append by whoever gets
// the state does not write where the engine appends next.
func (f *Field[S, V]) clip(s any) {
	if f.list.from != nil {
		p := f.at(s)
		*p = f.list.from(*p, 0)
	}
}

// encode gives the JSON of the member, of a list only what stands behind from.
func (f *Field[S, V]) encode(s any, from int) ([]byte, error) {
	v := *f.at(s)
	if from > 0 {
		v = f.list.from(v, from)
	}
	return encodeJSON(&v)
}

func (f *Field[S, V]) encodeValue(value any) ([]byte, error) {
	v := value.(V)
	return encodeJSON(&v)
}

func (f *Field[S, V]) decodeValue(data []byte) (any, error) {
	var v V
	err := decodeJSON(data, &v)
	return v, err
}

func (f *Field[S, V]) load(s any, data []byte, delta bool) error {
	var v V
	if err := decodeJSON(data, &v); err != nil {
		return err
	}
	f.apply(s, v, !delta)
	return nil
}

// upgrade brings stored data of an older version to the field's own.
func (s *fieldSpec) upgrade(version int, data []byte) ([]byte, error) {
	switch {
	case version == s.version:
		return data, nil
	case version > s.version:
		return nil, fmt.Errorf("%w: stored %d, this program has %d; use a newer program", ErrFieldVersion, version, s.version)
	case s.migrate == nil:
		return nil, fmt.Errorf("%w: stored %d, this program has %d; give Version a migration", ErrFieldVersion, version, s.version)
	}
	return guard(func() ([]byte, error) { return s.migrate(version, data) })
}

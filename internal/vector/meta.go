package vector

import (
	"strconv"
)

// Meta is what is known of an item: at most MaxPairs values by names of letters,
// digits and underscores that begin with a letter.
type Meta map[string]Value

// Value is a text or a whole number. The zero Value is the empty text. Values of
// the two types are never equal.
type Value struct {
	text   string
	number int64
	isInt  bool
}

// Text is a text value: at most MaxText bytes of UTF-8 without NUL.
func Text(s string) Value { return Value{text: s} }

// Int is a number.
func Int(n int64) Value { return Value{number: n, isInt: true} }

// Text gives the text; ok is false for a number.
func (v Value) Text() (s string, ok bool) { return v.text, !v.isInt }

// Int gives the number; ok is false for a text.
func (v Value) Int() (n int64, ok bool) { return v.number, v.isInt }

// Equal says whether two values have the same type and content.
func (v Value) Equal(w Value) bool { return v == w }

// String is the number, or the text in quotes.
func (v Value) String() string {
	if v.isInt {
		return strconv.FormatInt(v.number, 10)
	}
	return strconv.Quote(v.text)
}

// Has says whether m holds all pairs of where.
func (m Meta) Has(where Meta) bool {
	for name, want := range where {
		if got, ok := m[name]; !ok || got != want {
			return false
		}
	}
	return true
}

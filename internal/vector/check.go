package vector

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a store takes at most. An ID, a name and a text count in bytes.
const (
	MaxDim   = 4096
	MaxID    = 1024
	MaxK     = 1000
	MaxPairs = 32
	MaxName  = 64
	MaxText  = 4096
)

// Check says what is wrong with a key (ErrInvalid).
func (k Key) Check() error {
	for _, s := range []string{k.Repo, k.Model} {
		if s == "" || len(s) > 256 || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
			return fmt.Errorf("key %s: want 1 to 256 bytes of text: %w", quote(s), ErrInvalid)
		}
	}
	return nil
}

// CheckDim says what is wrong with a dimension (ErrInvalid).
func CheckDim(dim int) error {
	if dim < 1 || dim > MaxDim {
		return fmt.Errorf("dimension %d: want 1 to %d: %w", dim, MaxDim, ErrInvalid)
	}
	return nil
}

// CheckID says what is wrong with the ID of an item (ErrInvalid).
func CheckID(id string) error {
	if id == "" || len(id) > MaxID || !text(id) {
		return fmt.Errorf("ID %s of %d bytes: want 1 to %d of UTF-8 without NUL: %w", quote(id), len(id), MaxID, ErrInvalid)
	}
	return nil
}

// Check says what is wrong with metadata (ErrInvalid).
func (m Meta) Check() error {
	if len(m) > MaxPairs {
		return fmt.Errorf("%d pairs of metadata: want at most %d: %w", len(m), MaxPairs, ErrInvalid)
	}
	for name, v := range m {
		if !CheckName(name) {
			return fmt.Errorf("metadata name %s: want a letter, then letters, digits and underscores: %w", quote(name), ErrInvalid)
		}
		if len(v.text) > MaxText || !text(v.text) {
			return fmt.Errorf("metadata %s: a text of %d bytes: want at most %d of UTF-8 without NUL: %w", name, len(v.text), MaxText, ErrInvalid)
		}
	}
	return nil
}

// CheckName says whether metadata may have a value of this name.
func CheckName(s string) bool {
	for i, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != "" && len(s) <= MaxName
}

// Unit gives v scaled to length one. It must have dim numbers (ErrDimension), all
// finite and not all zero (ErrInvalid).
func Unit(v []float32, dim int) ([]float32, error) {
	if len(v) != dim {
		return nil, fmt.Errorf("a vector of %d numbers, want %d: %w", len(v), dim, ErrDimension)
	}
	var sum float64 // of squares: no float32 is large or small enough to spoil it
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("a vector that is zero or not finite: %w", ErrInvalid)
	}
	scale := 1 / math.Sqrt(sum)
	unit := make([]float32, dim)
	for i, x := range v {
		unit[i] = float32(float64(x) * scale)
	}
	return unit, nil
}

// Prepare checks items for a collection of that dimension. It gives them with unit
// vectors, and of those with the same ID the last.
func Prepare(items []Item, dim int) ([]Item, error) {
	at := make(map[string]int, len(items))
	ready := make([]Item, 0, len(items))
	for i, it := range items {
		unit, err := it.prepare(dim)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i, err)
		}
		it.Vector = unit
		if j, twice := at[it.ID]; twice {
			ready[j] = it
			continue
		}
		at[it.ID] = len(ready)
		ready = append(ready, it)
	}
	return ready, nil
}

func (it Item) prepare(dim int) ([]float32, error) {
	if err := CheckID(it.ID); err != nil {
		return nil, err
	}
	if err := it.Meta.Check(); err != nil {
		return nil, err
	}
	return Unit(it.Vector, dim)
}

// Prepare checks a query to a collection of that dimension, and gives it with a
// unit vector and K set.
func (q Query) Prepare(dim int) (Query, error) {
	if q.K == 0 {
		q.K = 10
	}
	if q.K < 1 || q.K > MaxK {
		return Query{}, fmt.Errorf("%d nearest: want 1 to %d: %w", q.K, MaxK, ErrInvalid)
	}
	if err := q.Where.Check(); err != nil {
		return Query{}, err
	}
	unit, err := Unit(q.Vector, dim)
	q.Vector = unit
	return q, err
}

func text(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// quote shortens a name that somebody else chose for a message.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return fmt.Sprintf("%q", s)
}

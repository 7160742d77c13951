package chroma

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/repomind/repomind/internal/vector"
)

// value is a vector.Value in JSON: a text, a whole number, or null, which for
// the server is a pair to forget. A large number must not pass through a float64.
type value struct {
	vector.Value
	gone bool
}

func (v value) MarshalJSON() ([]byte, error) {
	if v.gone {
		return []byte("null"), nil
	}
	if n, ok := v.Int(); ok {
		return strconv.AppendInt(nil, n, 10), nil
	}
	s, _ := v.Text()
	return json.Marshal(s)
}

func (v *value) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte{'"'}) {
		var s string
		err := json.Unmarshal(b, &s)
		v.Value = vector.Text(s)
		return err
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		return fmt.Errorf("metadata %.40q is no text and no whole number", b)
	}
	v.Value = vector.Int(n)
	return nil
}

type meta map[string]value

// encodeMeta gives m, and null for each pair that old has and m has not: the
// server adds to the metadata that it has instead of replacing it.
func encodeMeta(m vector.Meta, old meta) meta {
	if len(m)+len(old) == 0 {
		return nil // the server takes no empty object
	}
	out := make(meta, len(m))
	for name := range old {
		out[name] = value{gone: true}
	}
	for name, v := range m {
		out[name] = value{Value: v}
	}
	return out
}

// decode checks what the server gives as metadata.
func (m meta) decode() (vector.Meta, error) {
	if len(m) == 0 {
		return nil, nil
	}
	out := make(vector.Meta, len(m))
	for name, v := range m {
		out[name] = v.Value
	}
	if out.Check() != nil {
		return nil, fmt.Errorf("the Chroma server gave metadata that was never put there: %w", vector.ErrBroken)
	}
	return out, nil
}

// clause is a Where of the server: either pairs, or clauses that must all hold.
type clause struct {
	pair map[string]equals
	all  []clause
}

type equals struct {
	Value value `json:"$eq"`
}

func (c clause) MarshalJSON() ([]byte, error) {
	if c.all != nil {
		return json.Marshal(map[string][]clause{"$and": c.all})
	}
	return json.Marshal(c.pair)
}

// where is nil if everything is wanted.
func where(m vector.Meta) *clause {
	var all []clause
	for _, name := range slices.Sorted(maps.Keys(m)) {
		all = append(all, clause{pair: map[string]equals{name: {value{Value: m[name]}}}})
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return &all[0]
	}
	return &clause{all: all}
}

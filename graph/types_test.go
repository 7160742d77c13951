package graph_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/repomind/repomind/graph"
)

// box is a state of one member.
type box[T any] struct{ V T }

func boxed[T any]() *graph.Field[box[T], T] {
	return graph.Last("v", func(s *box[T]) *T { return &s.V })
}

// storable asks Compile whether a T can be kept.
func storable[T any]() error { return compileState(boxed[T]()) }

type (
	//lint:ignore U1000 that b cannot be reached is the point
	hidden  struct{ A, b int }
	dropped struct {
		A, B int `json:"-"`
	}
	clashing struct {
		A int `json:"B"`
		B int
	}
	inner    struct{ A int }
	Inner    struct{ A int }
	shadowed struct {
		inner
		A string
	}
	shadowedByTag struct {
		Inner
		B int `json:"A"`
	}
	shadowedPointer struct {
		*Inner
		A string
	}
	twins struct {
		inner
		Inner
	}
	writesOnly struct{}
	// What it embeds writes the JSON of all of it, and Name is lost.
	stamped struct {
		time.Time
		Name string
	}
	pair       struct{ A, B int }
	writtenKey struct{ n int }
	list       []list
	tree       struct {
		Value       int
		Left, Right *tree
		ByName      map[string]tree
	}
	badTree struct {
		Kids []badTree
		Do   func()
	}
	noted struct {
		inner
		Blank int `json:",omitempty"`
		_     int
	}
)

func (writesOnly) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// A key is marshaled only through a pointer, which a map's keys do not have.
func (k *writtenKey) MarshalText() ([]byte, error) { return fmt.Append(nil, k.n), nil }
func (k *writtenKey) UnmarshalText(b []byte) error { _, err := fmt.Sscan(string(b), &k.n); return err }

// https://github.com/langchain-ai/langgraph/pull/6972 and
// https://github.com/langchain-ai/langgraph/issues/7695: what a checkpoint cannot
// give back must not get into one.
func TestTypesThatWouldBeLostAreNamed(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name string
		err  error
	}{
		{"func", storable[func()]()},
		{"chan", storable[chan int]()},
		{"complex", storable[complex128]()},
		{"unsafe pointer", storable[unsafe.Pointer]()},
		{"interface", storable[any]()},
		{"error", storable[struct{ Err error }]()},
		{"interface in a map of slices", storable[map[string][]fmt.Stringer]()},
		{"unexported member", storable[hidden]()},
		{"unexported member, deep", storable[map[string][]*hidden]()},
		{`json:"-"`, storable[dropped]()},
		{"clashing names", storable[clashing]()},
		{"shadowed member", storable[shadowed]()},
		{"member shadowed by a tag", storable[shadowedByTag]()},
		{"two embedded members of one name", storable[twins]()},
		{"embedded pointer to an unexported type", storable[struct{ *inner }]()},
		{"embedded unexported type that is no struct", storable[struct{ list }]()},
		{"MarshalJSON without UnmarshalJSON", storable[writesOnly]()},
		{"map key that is a struct", storable[map[pair]int]()},
		{"map key that is a float", storable[map[float64]int]()},
		{"map key that is a bool", storable[map[bool]int]()},
		{"func in a recursive type", storable[badTree]()},
		{"Secret", storable[graph.Secret[string]]()},
		{"Secret, deep", storable[[]map[string]struct{ Keys [2]*graph.Secret[int] }]()},
		{"embedded Secret", storable[struct{ graph.Secret[string] }]()},
	} {
		if c.err == nil {
			t.Errorf("%s: no problem is found", c.name)
		}
		fmt.Fprintf(&b, "# %s\n%v\n\n", c.name, c.err)
	}
	golden(t, "types.problems", b.String())
}

func TestTypesThatComeBackAreStorable(t *testing.T) {
	for name, err := range map[string]error{
		"recursive slice":     storable[list](),
		"recursive struct":    storable[tree](),
		"embedded":            storable[noted](),
		"time":                storable[time.Time](),
		"raw JSON":            storable[json.RawMessage](),
		"big numbers":         storable[[]*big.Int](),
		"address":             storable[map[netip.Addr]netip.Prefix](),
		"durations by number": storable[map[int8]time.Duration](),
		"bytes":               storable[[][]byte](),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMembersBehindAnEmbeddedPointerThatAreShadowedAreRefused(t *testing.T) {
	if err := storable[shadowedPointer](); err == nil {
		t.Error("encoding/json would drop Inner.A without a word")
	}
}

func TestStructsThatInheritMarshalJSONAreRefused(t *testing.T) {
	if err := storable[stamped](); err == nil {
		t.Error("time.Time.MarshalJSON would drop Name without a word")
	}
}

func TestMapKeysThatAreMarshaledThroughAPointerAreRefused(t *testing.T) {
	if err := storable[map[writtenKey]int](); err == nil {
		t.Error("encoding/json would fail when the first checkpoint is written")
	}
}

func TestMapValuesThatAreMarshaledThroughAPointerAreRefused(t *testing.T) {
	for name, err := range map[string]error{
		"value":             storable[map[string]big.Int](),
		"member of a value": storable[map[string]struct{ N big.Int }](),
		"array":             storable[map[string][2]big.Int](),
		"after a list": storable[struct { // in which they can be addressed
			A []big.Int
			B map[string]big.Int
		}](),
	} {
		if err == nil {
			t.Errorf("%s: encoding/json would store {} for each big.Int", name)
		}
	}
	if err := errors.Join(storable[map[string]*big.Int](), storable[map[string][]big.Int]()); err != nil {
		t.Error(err)
	}
}

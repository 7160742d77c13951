package graph

import "fmt"

// Secret holds a value that must never reach a checkpoint, a log or a report. A
// state that contains one does not compile into an App, and an attempt to encode
// one fails. Keep clients and keys in the constructors of nodes.
type Secret[T any] struct {
	reveal func() T // fmt prints the members of an unexported Secret, but not what a func holds
}

// NewSecret wraps v.
func NewSecret[T any](v T) Secret[T] { return Secret[T]{func() T { return v }} }

// Reveal gives the wrapped value; of the zero Secret, the zero value.
func (s Secret[T]) Reveal() (v T) {
	if s.reveal != nil {
		v = s.reveal()
	}
	return v
}

// Format prints *** for every verb.
func (Secret[T]) Format(f fmt.State, _ rune) { fmt.Fprint(f, "***") }

// MarshalJSON refuses with [ErrSecret].
func (Secret[T]) MarshalJSON() ([]byte, error) { return nil, ErrSecret }

// UnmarshalJSON refuses with [ErrSecret].
func (*Secret[T]) UnmarshalJSON([]byte) error { return ErrSecret }

// GobEncode refuses with [ErrSecret].
func (Secret[T]) GobEncode() ([]byte, error) { return nil, ErrSecret }

func (Secret[T]) isSecret() {}

package llm

import (
	"fmt"
	"log/slog"
)

const masked = "***"

// Key is a secret, as a provider's key. However it is printed, logged or stored, it
// is "***". The zero Key is none.
type Key struct {
	secret func() string // fmt shows the members of an unexported field, but not what a func holds
}

// NewKey wraps a secret; "" gives the zero Key.
func NewKey(s string) Key {
	if s == "" {
		return Key{}
	}
	return Key{func() string { return s }}
}

// IsZero says whether there is none.
func (k Key) IsZero() bool { return k.secret == nil }

func (k Key) reveal() string {
	if k.secret == nil {
		return ""
	}
	return k.secret()
}

func (k Key) String() string   { return masked }
func (k Key) GoString() string { return masked }

// Format prints *** for every verb.
func (k Key) Format(f fmt.State, _ rune) { fmt.Fprint(f, masked) }

// LogValue is what package slog logs.
func (k Key) LogValue() slog.Value { return slog.StringValue(masked) }

// MarshalText is what encoders store.
func (k Key) MarshalText() ([]byte, error) { return []byte(masked), nil }

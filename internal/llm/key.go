package llm

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
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

// scrubber replaces known secrets in a text: as they are, escaped for a URL, and in
// base64 at any offset.
type scrubber struct{ known *strings.Replacer }

func newScrubber(keys ...Key) scrubber {
	var pairs []string
	for _, k := range keys {
		for _, form := range forms(k.reveal()) {
			pairs = append(pairs, form, masked)
		}
	}
	if pairs == nil {
		return scrubber{}
	}
	return scrubber{strings.NewReplacer(pairs...)}
}

// forms are the shapes of a secret; one of fewer than six bytes would mask words.
func forms(secret string) []string {
	if len(secret) < 6 {
		return nil
	}
	all := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			all = append(all, inner(enc, secret, shift))
		}
	}
	return all
}

// inner is the part of the base64 form that depends on the secret alone when shift
// bytes stand before it.
func inner(enc *base64.Encoding, secret string, shift int) string {
	whole := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + secret))
	from := (shift*8 + 5) / 6
	to := (shift + len(secret)) * 8 / 6
	return whole[from:to]
}

func (s scrubber) text(t string) string {
	if s.known == nil {
		return t
	}
	return s.known.Replace(t)
}

var keyShapes = regexp.MustCompile(`\b(?:sk-[A-Za-z0-9_*-]{12,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|AKIA[A-Z0-9]{16}|xox[abp]-[A-Za-z0-9-]{10,})|(?i:\bbearer [A-Za-z0-9._~+/-]{16,}=*)`)

// strict also masks what has the shape of a key. That may hit an example in a
// source file, so it is for what is stored and shown, and not for requests.
func (s scrubber) strict(t string) string {
	return keyShapes.ReplaceAllString(s.text(t), masked)
}

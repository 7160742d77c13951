package github

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

const redacted = "[redacted]"

// Token is a secret for GitHub's API. However it is printed, logged or stored, it is
// "[redacted]". The zero Token is none.
type Token struct {
	secret func() string // fmt shows the members of an unexported field, but not what a func holds
	source string
}

// NewToken wraps a secret that came from source, the name of an environment
// variable or of a program, which error messages give.
func NewToken(secret, source string) Token {
	return Token{func() string { return secret }, source}
}

// Reveal gives the secret, "" of the zero Token. It is for a header of a request
// and for nothing that is kept.
func (t Token) Reveal() string {
	if t.secret == nil {
		return ""
	}
	return t.secret()
}

// Source says where the token came from.
func (t Token) Source() string { return t.source }

// IsZero says whether there is none.
func (t Token) IsZero() bool { return t.Reveal() == "" }

func (t Token) String() string   { return redacted }
func (t Token) GoString() string { return redacted }

// Format prints [redacted] for every verb.
func (t Token) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// LogValue is what package slog logs.
func (t Token) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText is what encoders store.
func (t Token) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// redact replaces the secret in s, plain, escaped for a URL, and in base64 at any
// offset, as in the header of basic authentication.
func (t Token) redact(s string) string {
	secret := t.Reveal()
	if secret == "" {
		return s
	}
	forms := []string{secret, redacted, url.QueryEscape(secret), redacted, url.PathEscape(secret), redacted}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			if form := inner(enc, secret, shift); len(form) > 3 {
				forms = append(forms, form, redacted)
			}
		}
	}
	return strings.NewReplacer(forms...).Replace(s)
}

// inner gives those characters of the base64 form that depend on the secret alone
// when shift bytes stand before it.
func inner(enc *base64.Encoding, secret string, shift int) string {
	bits := 8 * (shift + len(secret))
	s := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + secret))
	return s[(8*shift+5)/6 : bits/6]
}

// holds says whether data gives the secret away.
func (t Token) holds(data string) bool { return t.redact(data) != data }

package llm

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// scrubber replaces known secrets in a text: as they are, escaped for a URL or for
// JSON, and in base64 at any offset.
type scrubber struct {
	forms []string
	known *strings.Replacer
}

func newScrubber(keys ...Key) scrubber {
	var s scrubber
	var pairs []string
	for _, k := range keys {
		for _, form := range forms(k.reveal()) {
			if !slices.Contains(s.forms, form) {
				s.forms, pairs = append(s.forms, form), append(pairs, form, masked)
			}
		}
	}
	s.known = strings.NewReplacer(pairs...)
	return s
}

// forms are the shapes of a secret; one of fewer than six bytes would mask words.
func forms(secret string) []string {
	if len(secret) < 6 {
		return nil
	}
	all := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ReplaceAll(secret, "/", `\/`)}
	for _, encode := range []func(any) ([]byte, error){json.Marshal, encodeJSON} {
		if text, err := encode(secret); err == nil { // a string can always be written
			all = append(all, string(text[1:len(text)-1]))
		}
	}
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

// text looks for each form before it replaces any: few texts hold one, and the
// replacer is ten times as slow as the search.
func (s scrubber) text(t string) string {
	for _, form := range s.forms {
		if strings.Contains(t, form) {
			return s.known.Replace(t)
		}
	}
	return t
}

// maskArgs masks the arguments of a call. Where a secret was no text, as a number, they
// are no JSON any more, and nothing is left of them.
func maskArgs(args json.RawMessage, mask func(string) string) json.RawMessage {
	if clean := json.RawMessage(mask(string(args))); json.Valid(clean) {
		return clean
	}
	return empty
}

var keyShapes = regexp.MustCompile(`\b(?:sk-[A-Za-z0-9_*-]{12,}|AIza[A-Za-z0-9_-]{30,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|AKIA[A-Z0-9]{16}|xox[abp]-[A-Za-z0-9-]{10,})|(?i:\bbearer [A-Za-z0-9._~+/-]{16,}=*)`)

// strict also masks what has the shape of a key. That may hit an example in a
// source file, so it is for what is stored and shown, and not for requests.
func (s scrubber) strict(t string) string {
	return keyShapes.ReplaceAllString(s.text(t), masked)
}

// request replaces the known secrets in all texts of a request.
func (s scrubber) request(r Request) Request {
	if len(s.forms) == 0 {
		return r
	}
	messages := make([]Message, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = Message{Role: m.Role, Parts: make([]Part, len(m.Parts))}
		for j, p := range m.Parts {
			messages[i].Parts[j] = s.part(p)
		}
	}
	r.Messages = messages
	return r
}

func (s scrubber) part(p Part) Part {
	p.Text = s.text(p.Text)
	if p.Call != nil {
		c := *p.Call
		if json.Valid(c.Args) { // else the check of the request says so
			c.Args = maskArgs(c.Args, s.text)
		}
		c.Malformed, c.Signature = s.text(c.Malformed), s.text(c.Signature)
		p.Call = &c
	}
	if p.Result != nil {
		r := *p.Result
		r.Text = s.text(r.Text)
		p.Result = &r
	}
	return p
}

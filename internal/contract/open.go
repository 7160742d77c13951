package contract

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// embedded is a field of a struct, or an element of an interface, that is a type of
// another package.
var embedded = regexp.MustCompile(`(?m)^\s*\*?\w+\.\w+\s*(//.*)?$`)

// open says whether a type may have members that are not written in this tree: those of
// a foreign base, and of __getattr__.
func (c *check) open(owner code.Symbol) bool {
	if owner.Language == source.Go {
		return embedded.MatchString(c.text(owner.Span.Path).within(owner.Span))
	}
	if len(c.exact(owner.ID+".__getattr__", "__getattr__")) > 0 {
		return true
	}
	for _, base := range bases(owner) {
		if len(c.exact(base, last(base))) == 0 {
			return true
		}
	}
	return false
}

// bases are the names that a class extends, as its head has them.
func bases(class code.Symbol) []string {
	_, rest, ok := strings.Cut(class.Signature, "(")
	if class.Language != source.Python {
		_, rest, ok = strings.Cut(class.Signature, " extends ")
		rest, _, _ = strings.Cut(rest, " implements ")
	}
	if !ok {
		return nil
	}
	var out []string
	for base := range strings.SplitSeq(plain(strings.TrimSuffix(rest, ")")), ",") {
		base = strings.TrimSpace(base)
		if base != "" && !empty[last(base)] && !strings.Contains(base, "=") { // metaclass=M
			out = append(out, base)
		}
	}
	return out
}

// empty are the bases of Python that bring no methods one would call.
var empty = map[string]bool{"object": true, "ABC": true, "Generic": true, "Protocol": true}

// plain is a list of types without their arguments.
func plain(types string) string {
	var b strings.Builder
	depth := 0
	for _, r := range types {
		switch r {
		case '[', '<':
			depth++
		case ']', '>':
			depth--
		default:
			if depth == 0 {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

package contract

import (
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
)

// renames are the new signatures of those that are gone, by their old names.
func renames(was, now map[string][]code.Signature) map[string]code.Signature {
	out := map[string]code.Signature{}
	taken := map[string]int{}
	for name, old := range was {
		if now[name] != nil || len(old) != 1 {
			continue
		}
		var found []code.Signature
		for other, s := range now {
			if was[other] == nil && len(s) == 1 && alike(old[0], s[0]) {
				found = append(found, s[0])
			}
		}
		for _, s := range found {
			taken[s.Symbol.Qualified]++
		}
		if len(found) == 1 {
			out[name] = found[0]
		}
	}
	for name, s := range out {
		if taken[s.Symbol.Qualified] > 1 {
			delete(out, name)
		}
	}
	return out
}

// alike says whether a may be b under another name. What has neither parameters nor a body
// of several lines is like too many others.
func alike(a, b code.Signature) bool {
	if len(a.Params) == 0 && a.Symbol.Span.Lines() < 2 {
		return false
	}
	return a.Owner == b.Owner && a.Symbol.Span.Lines() == b.Symbol.Span.Lines() &&
		slices.Equal(a.Params, b.Params) && slices.Equal(a.Results, b.Results) && scope(a) == scope(b)
}

// scope is the qualified name of what a definition stands in.
func scope(s code.Signature) string {
	return strings.TrimSuffix(s.Symbol.Qualified, s.Symbol.Name)
}

package contract

import (
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// problem is why a signature does not take a call, or "". What is not written out in
// the call is taken to fit.
func problem(s code.Signature, at Caller) string {
	switch s.Symbol.Language {
	case source.Go:
		return goProblem(s, at)
	case source.Python:
		return pythonProblem(s, at)
	}
	return scriptProblem(s, at)
}

func goProblem(s code.Signature, at Caller) string {
	fixed := byPosition(s.Params)
	n, variadic := at.Site.Positional, len(fixed) < len(s.Params)
	switch {
	case at.Open:
		return ""
	case at.Site.Spread && !variadic:
		return "passes a slice with ..., it is not variadic"
	case at.Site.Spread && n != len(fixed), n < len(fixed), n > len(fixed) && !variadic:
		return wrongCount(n, len(fixed), variadic)
	}
	return ""
}

func wrongCount(n, needs int, open bool) string {
	if open {
		return fmt.Sprintf("calls it with %s, it needs at least %d", count(n, "argument"), needs)
	}
	return fmt.Sprintf("calls it with %s, it needs %d", count(n, "argument"), needs)
}

// scriptProblem: a caller in JavaScript may leave out and add what it likes, and one in
// TypeScript may not.
func scriptProblem(s code.Signature, at Caller) string {
	if source.LanguageOf(at.Ref.Path, nil) == source.JavaScript || at.Site.Spread {
		return ""
	}
	fixed := byPosition(s.Params)
	needs := 0
	for i, p := range fixed {
		if !p.Optional {
			needs = i + 1
		}
	}
	switch n := at.Site.Positional; {
	case n < needs && needs == len(fixed) && len(fixed) == len(s.Params):
		return wrongCount(n, needs, false)
	case n < needs:
		return wrongCount(n, needs, true)
	case n > len(fixed) && len(fixed) == len(s.Params):
		return fmt.Sprintf("calls it with %s, it takes at most %d", count(n, "argument"), len(fixed))
	}
	return ""
}

func pythonProblem(s code.Signature, at Caller) string {
	for _, k := range at.Site.Keywords {
		if !takesKeyword(s, k) {
			return fmt.Sprintf("uses the keyword %q, which it does not have", k)
		}
	}
	fixed, n := byPosition(s.Params), given(s, at)
	if n > len(fixed) && !has(s, code.Variadic) {
		return fmt.Sprintf("passes %s by position, it takes at most %d", count(n, "argument"), len(fixed))
	}
	for i, p := range fixed {
		if i < n && p.Kind == code.Positional && slices.Contains(at.Site.Keywords, p.Name) {
			return fmt.Sprintf("gives %q twice, by position and by keyword", p.Name)
		}
	}
	return missing(s, at, n)
}

func takesKeyword(s code.Signature, k string) bool {
	return has(s, code.KeywordVariadic) || slices.ContainsFunc(s.Params, func(p code.Param) bool {
		return p.Name == k && (p.Kind == code.Positional || p.Kind == code.KeywordOnly)
	})
}

func has(s code.Signature, kind code.ParamKind) bool {
	return slices.ContainsFunc(s.Params, func(p code.Param) bool { return p.Kind == kind })
}

// missing is the first parameter that has to be given and is not.
func missing(s code.Signature, at Caller, n int) string {
	for i, p := range s.Params {
		positional := p.Kind == code.Positional || p.Kind == code.PositionalOnly
		switch {
		case p.Optional || slices.Contains(at.Site.Keywords, p.Name) || at.Site.Keyed:
		case positional && (i < n || at.Site.Spread):
		default:
			return fmt.Sprintf("does not give %q, which has no default", p.Name)
		}
	}
	return ""
}

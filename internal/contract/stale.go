package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// Caller is a place in the head that uses what changed.
type Caller struct {
	Ref    code.Reference
	Site   code.CallSite
	Called bool   // Site is the call at Ref
	Kept   bool   // its lines stood in the base as they are
	Open   bool   // Go: its only argument may give several values
	Meant  bool   // what stands around says that the call is wrong: a test of that
	Quote  string // its line
}

// Stale says which callers a change broke: those that were right before, and are wrong
// now. Callers that are not [code.Reference.Confident], or are wrong on purpose, are left out.
func Stale(c Change, callers []Caller) []Broken {
	var out []Broken
	for _, at := range callers {
		if !at.Ref.Confident || at.Meant {
			continue
		}
		if why := c.why(at); why != "" {
			out = append(out, c.at(at, why))
		}
	}
	return out
}

func (c Change) at(at Caller, why string) Broken {
	return Broken{
		Symbol: c.Symbol.Qualified, What: c.What, Why: why, Quote: at.Quote, Language: c.Symbol.Language,
		Def:    source.Span{Path: c.Symbol.Span.Path, Start: c.Symbol.NameLine},
		Caller: source.Span{Path: at.Ref.Path, Start: at.Ref.Line},
	}
}

// why is what is wrong with a caller, or "".
func (c Change) why(at Caller) string {
	switch c.Kind {
	case Removed:
		return fmt.Sprintf("still %s %s, which this change removed", verb(at), at.Ref.Name)
	case Renamed:
		return fmt.Sprintf("still %s %s, which this change renamed to %s", verb(at), at.Ref.Name, c.New[0].Symbol.Name)
	case Manner:
		return c.mannerOf(at)
	case Results:
		return c.valuesOf(at)
	}
	return c.argumentsOf(at)
}

func verb(at Caller) string {
	if at.Ref.Call {
		return "calls"
	}
	return "names"
}

func (c Change) mannerOf(at Caller) string {
	old, new := c.Old[0], c.New[0]
	script := source.LanguageOf(at.Ref.Path, nil) == source.JavaScript
	switch {
	case new.Property && !old.Property && at.Called:
		return "calls it, and it is a property now"
	case old.Property && !new.Property && !at.Ref.Call && at.Ref.Receiver != "" && at.Kept:
		return "reads it without a call, and it is no property any more"
	case new.Async && !old.Async && at.Called && !at.Site.Awaited && at.Site.Used && !script:
		return "does not await it, and it is async now"
	case old.Async && !new.Async && at.Site.Awaited && new.Symbol.Language == source.Python:
		return "awaits it, and it is not async any more"
	}
	return ""
}

// valuesOf compares the values that a call takes with those that it gets.
func (c Change) valuesOf(at Caller) string {
	old, new := len(c.Old[0].Results), len(c.New[0].Results)
	if !at.Called || at.Site.Values == code.Unknown || at.Site.Values != old || old == new {
		return ""
	}
	return fmt.Sprintf("takes %s, it returns %s", count(at.Site.Values, "value"), count(new, "value"))
}

// argumentsOf asks the old signatures first: what they do not take was not right before.
func (c Change) argumentsOf(at Caller) string {
	if !at.Called || !slices.EqualFunc(c.Old, c.New, sameDecorators) && len(c.Old) == len(c.New) {
		return ""
	}
	if _, ok := fits(c.Old, at); !ok {
		return ""
	}
	why, ok := fits(c.New, at)
	if ok && len(c.Old) == 1 && len(c.New) == 1 {
		return c.orderOf(at)
	}
	return why
}

func sameDecorators(a, b code.Signature) bool { return slices.Equal(a.Decorators, b.Decorators) }

// orderOf tells a call that stands as it was while its arguments mean others now.
func (c Change) orderOf(at Caller) string {
	first := swapped(c.Old[0].Params, c.New[0].Params)
	if first < 0 || !at.Kept || given(c.New[0], at) <= first+1 {
		return ""
	}
	old, new := byPosition(c.Old[0].Params)[first], byPosition(c.New[0].Params)[first]
	return fmt.Sprintf("passes its arguments in the old order: argument %d was %q and is %q now", first+1, old.Name, new.Name)
}

// fits says whether one of the signatures takes a call, else why the last does not.
func fits(list []code.Signature, at Caller) (why string, ok bool) {
	for _, s := range list {
		if why = problem(s, at); why == "" {
			return "", true
		}
	}
	return why, false
}

// given is how many arguments a call passes by position, without the receiver that an
// unbound method of Python takes as the first.
func given(s code.Signature, at Caller) int {
	if s.Self != "" && !s.Static && unbound(s, at.Site) {
		return at.Site.Positional - 1
	}
	return at.Site.Positional
}

// unbound: Class.method(object).
func unbound(s code.Signature, site code.CallSite) bool {
	return site.Receiver != "" && site.Name == s.Symbol.Name && last(site.Receiver) == last(s.Owner)
}

// last is the part of a name behind its last dot.
func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

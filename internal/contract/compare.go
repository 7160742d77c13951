package contract

import (
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// Change is what happened to one function or method.
type Change struct {
	Symbol   code.Symbol // the new one, the old one where it is removed or renamed
	Kind     Kind
	Old, New []code.Signature // several where it is overloaded, or defined once for each platform
	Breaking bool             // some call that was right before is wrong now
	What     string           // such as: parameter "timeout" is new and has no default
}

// Kind says what changed.
type Kind string

// The kinds.
const (
	Removed    Kind = "removed"
	Renamed    Kind = "renamed"
	Parameters Kind = "parameters"
	Results    Kind = "results"
	Manner     Kind = "manner" // async, or a property, and was not, or the reverse
)

// Compare gives the changes from the signatures of a file, or of a package of Go, to
// those of its next version, in the old order. Those that are paired have the same
// qualified name; one that is new stands for one that is gone where their owner, their
// parameters and their length are the same and no other pair is possible.
func Compare(before, after []code.Signature) []Change {
	now, was := byName(after), byName(before)
	renamed := renames(was, now)
	var out []Change
	for _, name := range names(before) {
		old := callable(was[name])
		switch to, ok := renamed[name]; {
		case now[name] != nil:
			out = append(out, changes(old, callable(now[name]))...)
		case ok:
			what := "was renamed to " + to.Symbol.Name
			out = append(out, Change{Symbol: old[0].Symbol, Kind: Renamed, Old: old, New: []code.Signature{to}, Breaking: true, What: what})
		default:
			out = append(out, Change{Symbol: old[0].Symbol, Kind: Removed, Old: old, Breaking: true, What: "was removed"})
		}
	}
	return out
}

func byName(list []code.Signature) map[string][]code.Signature {
	out := map[string][]code.Signature{}
	for _, s := range list {
		out[s.Symbol.Qualified] = append(out[s.Symbol.Qualified], s)
	}
	return out
}

// names are the qualified names, each once, in order.
func names(list []code.Signature) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if q := s.Symbol.Qualified; !seen[q] {
			seen[q] = true
			out = append(out, q)
		}
	}
	return out
}

// callable leaves out the body of what has overloads: it is not called as it is written.
func callable(list []code.Signature) []code.Signature {
	overloads := slices.DeleteFunc(slices.Clone(list), func(s code.Signature) bool { return !s.Overload })
	if len(overloads) > 0 {
		return overloads
	}
	return list
}

// changes compare one function with itself.
func changes(old, new []code.Signature) []Change {
	var out []Change
	for _, kind := range []Kind{Manner, Parameters, Results} {
		c := Change{Symbol: new[0].Symbol, Kind: kind, Old: old, New: new}
		switch kind {
		case Manner:
			c.What, c.Breaking = manner(old[0], new[0])
		case Parameters:
			c.What, c.Breaking = parameters(old, new)
		case Results:
			c.What, c.Breaking = results(old[0], new[0])
		}
		if c.What != "" {
			out = append(out, c)
		}
	}
	return out
}

func manner(old, new code.Signature) (what string, breaking bool) {
	switch {
	case !old.Property && new.Property:
		return "is a property now", true
	case old.Property && !new.Property:
		return "is no property any more", true
	case old.Async != new.Async && new.Async:
		written := old.Symbol.Language == source.Python || len(old.Results) > 0
		return "is async now", written && !awaitable(old)
	case old.Async != new.Async:
		return "is not async any more", !awaitable(new)
	case !slices.Equal(old.Decorators, new.Decorators):
		return "has other decorators", false
	}
	return "", false
}

// awaitable: a function may give what is awaited and not be async itself.
func awaitable(s code.Signature) bool {
	for _, r := range s.Results {
		for _, word := range []string{"Promise", "Awaitable", "Coroutine", "Future", "Task", "any", "Any", "unknown", "Deferred"} {
			if strings.Contains(r, word) {
				return true
			}
		}
	}
	return false
}

// parameters of an overloaded function are compared as a whole.
func parameters(old, new []code.Signature) (what string, breaking bool) {
	if len(old) == 1 && len(new) == 1 {
		return differences(old[0], new[0])
	}
	if slices.EqualFunc(old, new, func(a, b code.Signature) bool { return slices.Equal(a.Params, b.Params) }) {
		return "", false
	}
	gone := slices.ContainsFunc(old, func(a code.Signature) bool {
		return !slices.ContainsFunc(new, func(b code.Signature) bool { return sameShape(a, b) })
	})
	return "takes other arguments", gone
}

// sameShape compares parameters without their types.
func sameShape(a, b code.Signature) bool {
	return slices.EqualFunc(a.Params, b.Params, func(p, q code.Param) bool {
		return p.Name == q.Name && p.Kind == q.Kind && p.Optional == q.Optional
	})
}

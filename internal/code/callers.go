package code

import (
	"cmp"
	"slices"

	"github.com/repomind/repomind/internal/source"
)

const (
	maxExamined   = 50_000 // references that one question follows to their types
	maxReferences = 10_000 // in one answer
)

// Callers are the places that use a symbol, best first: calls before mentions, then
// by How, 10,000 at most. The uses of a constructor are those of its class. Of a name
// that is used more than 50,000 times the rest is by name only.
func (x *Index) Callers(sym Symbol) []Reference {
	p, ok := x.place(sym.ID)
	if !ok {
		return nil
	}
	d := x.at(p)
	if owner := ownerOf(x, p); constructor(x.files[p.file].lang, d, owner, x) {
		return append(x.uses(owner, true), x.uses(p, false)...)
	}
	return x.uses(p, false)
}

func constructor(lang source.Language, d *def, owner place, x *Index) bool {
	if owner.file < 0 || !isType(kinds[x.at(owner).kind]) {
		return false
	}
	return d.name == "__init__" || d.name == "constructor" || d.name == "__construct" || d.name == "initialize" ||
		(family(lang) == source.Java || lang == source.CSharp || lang == source.CPP) && d.name == x.at(owner).name
}

// References are the places that name name, unresolved, 10,000 at most.
func (x *Index) References(name string) []Reference {
	var out []Reference
	refs := x.refs(last(name))
	for _, p := range refs[:min(len(refs), maxReferences)] {
		out = append(out, x.reference(p, NameOnly, false))
	}
	return out
}

func (x *Index) reference(p place, how How, confident bool) Reference {
	f := &x.files[p.file]
	r := &f.refs[p.at]
	out := Reference{
		Path: f.path, Line: int(r.line), Column: int(r.col), Name: f.words[r.name], Receiver: f.words[r.recv],
		Call: r.flags&isCall != 0, How: how, Confident: confident,
	}
	if r.in >= 0 {
		out.In = x.symbol(place{p.file, r.in})
	}
	return out
}

// uses ties the references of a symbol's name, and of the names that imports gave
// it, to the symbol.
func (x *Index) uses(p place, callsOnly bool) []Reference {
	t, examined := x.target(p), 0
	var out []Reference
	for name := range t.aliases {
		for _, r := range x.refs(name) {
			f := &x.files[r.file]
			if family(f.lang) != t.family || name != t.def.name && !renamed(f, name) {
				continue
			}
			if callsOnly && f.refs[r.at].flags&isCall == 0 {
				continue
			}
			how, ok := NameOnly, true
			if examined++; examined <= maxExamined {
				how, ok = t.tie(r)
			}
			if ok && len(out) < 2*maxReferences {
				out = append(out, x.reference(r, how, how != Dispatch && how != NameOnly))
			}
		}
	}
	slices.SortStableFunc(out, byWorth)
	return out[:min(len(out), maxReferences)]
}

func byWorth(a, b Reference) int {
	if a.Confident != b.Confident {
		return yes(b.Confident) - yes(a.Confident)
	}
	if a.Call != b.Call {
		return yes(b.Call) - yes(a.Call)
	}
	return cmp.Or(
		cmp.Compare(slices.Index(hows, a.How), slices.Index(hows, b.How)),
		cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// renamed says whether a file imports something under a name: only there it can be
// the symbol.
func renamed(f *file, name string) bool {
	return slices.ContainsFunc(f.imps, func(m imp) bool { return m.local() == name })
}

package code

import (
	"iter"
	"slices"
)

// What many files at once are asked for: who defines a name, and which files and
// functions use each other.

// Edge is a file that imports another.
type Edge struct{ From, To string }

// ImportEdges are all imports that lead to another file of the tree, each pair once, in
// the order of their paths.
func (x *Index) ImportEdges() []Edge {
	var out []Edge
	for i := range x.files {
		var to []int32
		for k := range x.files[i].imps {
			to = append(to, x.leads(int32(i), &x.files[i].imps[k])...)
		}
		slices.Sort(to)
		for _, t := range slices.Compact(to) {
			if t != int32(i) {
				out = append(out, Edge{x.files[i].path, x.files[t].path})
			}
		}
	}
	return out
}

// Defining are the definitions whose last name is exactly name, of every kind, in the
// order of their paths and lines; 1,000 at most.
func (x *Index) Defining(name string) []Symbol {
	found := x.defs.of(name)
	var out []Symbol
	for _, p := range found[:min(len(found), 1000)] {
		out = append(out, x.symbol(p))
	}
	return out
}

// Names gives every name that is defined, without what it is a member of, and the
// number of files that define it. The order is that of a tree's files and lines.
func (x *Index) Names() iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, places := range x.defs.lists {
			files := 1
			for i := 1; i < len(places); i++ {
				if places[i].file != places[i-1].file {
					files++
				}
			}
			if !yield(x.at(places[0]).name, files) {
				return
			}
		}
	}
}

// Calls are the functions and types of the tree that a symbol calls, each once, in the
// order of the first call: those that the syntax settles, as far as [Reference.Confident]
// does. The calls of functions inside of the symbol are its own.
func (x *Index) Calls(sym Symbol) []Symbol {
	p, ok := x.place(sym.ID)
	if !ok {
		return nil
	}
	x.all()
	f := &x.files[p.file]
	t := &target{solver: x.solver(), p: place{-1, -1}, owner: place{-1, -1}}
	seen := map[place]bool{p: true}
	var out []Symbol
	for i, r := range f.refs {
		if r.flags&isCall == 0 || !f.within(r.in, p.at) {
			continue
		}
		for _, v := range t.called(place{p.file, int32(i)}) {
			if (v.kind == function || v.kind == class) && !seen[v.p] {
				seen[v.p] = true
				out = append(out, x.symbol(v.p))
			}
		}
	}
	return out
}

// within says whether a definition is another or is inside of it.
func (f *facts) within(at, around int32) bool {
	for at > around {
		at = f.defs[at].parent
	}
	return at == around
}

// called are the values of the name at a reference.
func (t *target) called(r place) []value {
	ref := t.files[r.file].use(r.at)
	t.steps = 0
	if ref.recv == "" {
		return t.lookup(r.file, ref.in, ref.name, 0)
	}
	return t.received(r.file, ref)
}

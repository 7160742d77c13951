package code

import (
	"slices"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// typeGraph keeps which types extend which. It is filled when first asked.
type typeGraph struct {
	mu    sync.Mutex
	bases map[place][]place

	once     sync.Once
	children map[place][]place
}

func (g *typeGraph) init() { g.bases = map[place][]place{} }

// around is the type that a scope belongs to.
func (s *solver) around(file, in int32) (place, bool) {
	f := &s.files[file]
	for at := in; at >= 0; at = f.defs[at].parent {
		if isType(kinds[f.defs[at].kind]) {
			return place{file, at}, true
		}
		if f.defs[at].owner != "" {
			p := ownerOf(s.Index, place{file, at})
			return p, p.file >= 0
		}
	}
	return place{}, false
}

// parents are what super means in a scope.
func (s *solver) parents(file, in int32) []value {
	c, ok := s.around(file, in)
	if !ok {
		return nil
	}
	var out []value
	for _, b := range s.basesOf(c) {
		out = append(out, value{kind: instance, p: b})
	}
	if out == nil {
		return []value{{kind: outside}}
	}
	return out
}

// basesOf are the types that a type extends, embeds or implements.
func (s *solver) basesOf(c place) []place {
	s.types.mu.Lock()
	known, ok := s.types.bases[c]
	s.types.mu.Unlock()
	if ok {
		return known
	}
	d := s.at(c)
	var out []place
	inner := s.Index.solver() // the answer is kept, so it must not depend on this question's budget
	bases := strings.Split(d.bases, "|")
	if f := &s.files[c.file]; f.lang == source.Rust { // impl Trait for Type
		for _, h := range s.names(c.file).hints[bound{d.parent, "impl " + d.name}] {
			bases = append(bases, f.hints[h].text)
		}
	}
	for _, base := range bases {
		for _, n := range typeNames(base, 0) {
			for _, b := range inner.named(c.file, d.parent, n, 0) {
				if b != c && !slices.Contains(out, b) {
					out = append(out, b)
				}
			}
		}
	}
	s.types.mu.Lock()
	s.types.bases[c] = out
	s.types.mu.Unlock()
	return out
}

// extends says whether a type has another above it.
func (s *solver) extends(c, base place) bool {
	seen := map[place]bool{}
	level := []place{c}
	for len(level) > 0 && len(seen) < 500 {
		t := level[0]
		level = level[1:]
		if t == base {
			return true
		}
		if seen[t] {
			continue
		}
		seen[t] = true
		level = append(level, s.basesOf(t)...)
	}
	return false
}

// related: a type below one of them extends the other, so that a method of the one
// may be called on what is written as the other. This is what mixins do.
func (s *solver) related(c, owner place) bool {
	s.types.once.Do(s.fillChildren)
	seen := map[place]bool{}
	level := []place{c}
	for len(level) > 0 && len(seen) < 300 {
		t := level[0]
		level = level[1:]
		if seen[t] {
			continue
		}
		seen[t] = true
		if t != c && s.extends(t, owner) {
			return true
		}
		level = append(level, s.types.children[t]...)
	}
	return false
}

func (s *solver) fillChildren() {
	children := map[place][]place{}
	for i := range s.files {
		for j, d := range s.files[i].defs {
			if d.bases == "" {
				continue
			}
			c := place{int32(i), int32(j)}
			for _, b := range s.basesOf(c) {
				children[b] = append(children[b], c)
			}
		}
	}
	s.types.children = children
}

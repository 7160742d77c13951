package code

import (
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// member is what .name gives on a value.
func (s *solver) member(v value, name string, depth int) []value {
	if depth > maxEval+5 || s.spent() {
		return nil
	}
	switch v.kind {
	case outside:
		return []value{v}
	case module:
		return s.ofModule(v, name, depth)
	case variable:
		var out []value
		for _, h := range s.held(v.p, depth) {
			if h.kind != variable {
				out = append(out, s.member(h, name, depth+1)...)
			}
		}
		return out
	case function:
		return nil
	}
	var out []value
	for _, c := range s.classes(v, depth) {
		out = append(out, s.ofClass(c, name, depth)...)
	}
	if len(out) == 0 && v.kind == typed && s.isForeign(v) {
		return []value{{kind: outside}}
	}
	return out
}

// ofClass is what .name gives on a type or an instance of it.
func (s *solver) ofClass(c place, name string, depth int) []value {
	var out []value
	for _, m := range s.memberOf(c, name, depth) {
		s.found(c, m)
		for _, v := range s.valueOf(m, depth) {
			if v.kind == variable {
				out = append(out, s.held(m, depth+1)...)
			}
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return s.hinted(c.file, c.at, name, depth+1)
	}
	return out
}

// found notes by what a member of a type was found.
func (s *solver) found(c, m place) {
	s.via = ByReceiver
	if ownerOf(s.Index, m) != c {
		s.via = Inherited
	}
}

func (s *solver) ofModule(v value, name string, depth int) []value {
	for _, f := range v.files {
		if got := s.exported(f, name, depth+1); len(got) > 0 {
			s.via = ByImport
			return got
		}
	}
	if len(v.files) > 0 && s.files[v.files[0]].lang == source.Rust {
		return nil
	}
	full := v.name + "." + name
	if files := s.modules.lookup(s.Index, v.file, full); len(files) > 0 && s.files[v.file].lang == source.Python {
		return []value{{kind: module, files: files, name: full, file: v.file}}
	}
	if len(v.files) == 0 {
		return []value{{kind: outside}}
	}
	return nil
}

// classes are the types of this repository that a value may be of.
func (s *solver) classes(v value, depth int) []place {
	switch v.kind {
	case instance, class:
		return []place{v.p}
	case typed:
		q := question{v.file, v.in, v.text}
		known, ok := s.typed[q]
		if !ok {
			s.typed[q] = nil // for a type that leads back to itself
			known = s.typeClasses(v, depth)
			s.typed[q] = known
		}
		return known
	}
	return nil
}

func (s *solver) typeClasses(v value, depth int) (out []place) {
	for _, n := range typeNames(v.text, 0) {
		for _, c := range s.named(v.file, v.in, n, depth+1) {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// named are the classes that a type's name means in a scope, through aliases.
func (s *solver) named(file, in int32, name string, depth int) []place {
	if depth > maxEval || s.spent() {
		return nil
	}
	via := s.via
	defer func() { s.via = via }()
	var out []place
	for _, v := range s.eval(file, in, name, depth+1) {
		switch v.kind {
		case class, instance:
			out = append(out, v.p)
			d := s.at(v.p)
			if d.flags&isAlias != 0 && s.files[v.p.file].lang != source.Go {
				out = append(out, s.classes(value{kind: typed, text: d.result, file: v.p.file, in: d.parent}, depth+1)...)
			}
		case module: // a type named as its module is a slip of the reader
		case variable: // X = Union[A, B]
			for _, h := range s.held(v.p, depth+1) {
				out = append(out, s.classes(h, depth+1)...)
			}
		}
	}
	return out
}

// isForeign says that none of a type's names can be of this repository.
func (s *solver) isForeign(v value) bool {
	q := question{v.file, v.in, v.text}
	known, ok := s.foreign[q]
	if !ok {
		known = s.outside(v)
		s.foreign[q] = known
	}
	return known
}

func (s *solver) outside(v value) bool {
	all := typeNames(v.text, 0)
	if len(all) == 0 {
		return strings.ContainsAny(v.text, "[]")
	}
	for _, n := range all {
		if foreign(n, s.files[v.file].lang) {
			continue
		}
		vs := s.eval(v.file, v.in, n, 1)
		if len(vs) == 0 || slices.ContainsFunc(vs, func(v value) bool { return v.kind != outside }) {
			return false
		}
	}
	return true
}

// memberOf are the members of a type, or else of what it extends.
func (s *solver) memberOf(c place, name string, depth int) []place {
	seen := map[place]bool{c: true}
	level := []place{c}
	for len(level) > 0 && len(seen) < 200 {
		var found, next []place
		for _, t := range level {
			own := s.own(t, name)
			found = append(found, own...)
			if len(own) > 0 {
				continue
			}
			for _, b := range s.basesOf(t) {
				if !seen[b] {
					seen[b] = true
					next = append(next, b)
				}
			}
		}
		if len(found) > 0 {
			return found
		}
		level = next
	}
	return nil
}

// own are the members that a type has itself.
func (s *solver) own(c place, name string) []place {
	byType, ok := s.members[name]
	if !ok {
		byType = map[place][]place{}
		for _, p := range s.defs.of(name) {
			if t := ownerOf(s.Index, p); t.file >= 0 {
				byType[t] = append(byType[t], p)
			}
		}
		s.members[name] = byType
	}
	return byType[c]
}

// ownerOf is the type that a member belongs to, or a place without a file.
func ownerOf(x *Index, p place) place {
	d := x.at(p)
	if d.owner == "" {
		if d.parent < 0 {
			return place{-1, -1}
		}
		return place{p.file, d.parent}
	}
	f := &x.files[p.file]
	best := place{-1, -1}
	for _, c := range x.defs.of(last(d.owner)) {
		if !isType(kinds[x.at(c).kind]) {
			continue
		}
		g := &x.files[c.file]
		switch {
		case c.file == p.file:
			return c
		case f.lang == source.Go && (g.lang != source.Go || dir(g.path) != dir(f.path)), family(f.lang) != family(g.lang):
		case best.file < 0 || common(g.path, f.path) > common(x.files[best.file].path, f.path):
			best = c
		}
	}
	return best
}

package code

import (
	"github.com/repomind/repomind/internal/source"
)

// lookup gives what a name means in a scope, from the inside out. nil is unknown.
// s.via tells by what the name was found.
func (s *solver) lookup(file, in int32, name string, depth int) []value {
	f := &s.files[file]
	for at := in; ; at = f.defs[at].parent {
		if at == in || at < 0 || !isType(kinds[f.defs[at].kind]) || implicitThis(f.lang) {
			if v := s.bindings(file, at, name, depth); v != nil {
				return v
			}
		}
		if at < 0 {
			break
		}
		if isType(kinds[f.defs[at].kind]) && implicitThis(f.lang) {
			if v := s.implicit(place{file, at}, name, depth); v != nil {
				return v
			}
		}
	}
	if in >= 0 && f.defs[in].owner != "" && implicitThis(f.lang) {
		if c, ok := s.around(file, in); ok {
			if v := s.implicit(c, name, depth); v != nil {
				return v
			}
		}
	}
	if v := s.neighbours(file, name); v != nil {
		s.via = SamePackage
		return v
	}
	return s.starred(file, name, depth)
}

// implicitThis: members are named without a receiver.
func implicitThis(l source.Language) bool {
	switch l {
	case source.Java, source.Kotlin, source.Scala, source.CSharp, source.CPP, source.Swift, source.Ruby:
		return true
	}
	return false
}

func (s *solver) implicit(c place, name string, depth int) []value {
	s.via = SameFile
	var out []value
	for _, m := range s.memberOf(c, name, depth) {
		if m.file != c.file {
			s.via = Inherited
		}
		out = append(out, s.valueOf(m, depth)...)
	}
	return out
}

// bindings are what one scope binds to a name.
func (s *solver) bindings(file, scope int32, name string, depth int) []value {
	n, b := s.names(file), bound{scope, name}
	var out []value
	for _, i := range n.defs[b] {
		if k := kinds[s.files[file].defs[i].kind]; k == Field {
			continue
		}
		s.via = SameFile
		out = append(out, s.valueOf(place{file, i}, depth)...)
	}
	for _, i := range n.imps[b] {
		if v := s.imported(file, &s.files[file].imps[i], depth); v != nil {
			s.via = ByImport
			out = append(out, v...)
		}
	}
	if len(out) > 0 && out[0].kind != variable {
		return out
	}
	if len(n.hints[b]) > 0 {
		if vs := s.hinted(file, scope, name, depth+1); len(vs) > 0 {
			if len(out) == 0 {
				s.via = ByReceiver
			}
			return append(vs, out...)
		}
	}
	return out
}

// valueOf is what naming a definition gives.
func (s *solver) valueOf(p place, depth int) []value {
	d := s.at(p)
	switch k := kinds[d.kind]; {
	case isType(k):
		return []value{{kind: class, p: p}}
	case (k == Function || k == Method) && d.flags&isProperty == 0:
		return []value{{kind: function, p: p}}
	case k == Module:
		return []value{{kind: class, p: p}} // its members are looked up alike
	}
	return []value{{kind: variable, p: p}}
}

// held is the value of a variable, field or property.
func (s *solver) held(p place, depth int) []value {
	d := s.at(p)
	var out []value
	if d.flags&isProperty != 0 {
		return s.returns(p, depth)
	}
	if d.result != "" && d.flags&isAlias == 0 {
		out = append(out, value{kind: typed, text: d.result, file: p.file, in: d.parent})
	}
	return append(out, s.hinted(p.file, d.parent, d.name, depth+1)...)
}

// neighbours are definitions that the package shares without an import.
func (s *solver) neighbours(file int32, name string) []value {
	f := &s.files[file]
	lang := family(f.lang)
	if lang != source.Go && lang != source.Java && lang != source.CSharp && lang != source.Swift && lang != source.C && lang != source.Ruby && lang != source.PHP {
		return nil
	}
	var out []value
	for _, p := range s.defs.of(name) {
		g, d := &s.files[p.file], s.at(p)
		if d.parent >= 0 && kinds[s.files[p.file].defs[d.parent].kind] != Module || d.owner != "" || family(g.lang) != lang || p.file == file {
			continue
		}
		if s.samePackage(f, g) {
			out = append(out, s.valueOf(p, 0)...)
		}
		if len(out) > 10 {
			break
		}
	}
	return out
}

func (s *solver) samePackage(a, b *file) bool {
	switch family(a.lang) {
	case source.Go, source.Java:
		return a.pkg == b.pkg && (dir(a.path) == dir(b.path) || family(a.lang) == source.Java && a.pkg != "")
	}
	return true // one space of names
}

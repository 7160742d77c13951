package code

import (
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// starred looks through the imports of all names.
func (s *solver) starred(file int32, name string, depth int) []value {
	if depth > maxEval {
		return nil
	}
	for _, i := range s.names(file).stars {
		m := &s.files[file].imps[i]
		for _, f := range s.targets(file, m) {
			if f == file {
				continue
			}
			if v := s.exported(f, name, depth+1); len(v) > 0 {
				s.via = ByImport
				return v
			}
		}
	}
	return nil
}

// targets are the files of an import's module.
func (s *solver) targets(file int32, m *imp) []int32 {
	return s.modules.lookup(s.Index, file, m.module)
}

// imported is the value that an import binds.
func (s *solver) imported(file int32, m *imp, depth int) []value {
	if depth > maxEval || s.spent() {
		return nil
	}
	f := &s.files[file]
	if f.lang == source.Rust {
		return s.rustPath(file, m.module+"::"+m.name, depth)
	}
	if !findsModules(f.lang) {
		return nil
	}
	if m.name == "" {
		return s.importedModule(file, m, depth)
	}
	files := s.targets(file, m)
	for _, t := range files {
		if t == file {
			continue
		}
		if v := s.exported(t, m.name, depth+1); len(v) > 0 {
			return v
		}
	}
	if sub := s.submodule(file, m); len(sub) > 0 {
		return []value{{kind: module, files: sub, name: m.module + "." + m.name, file: file}}
	}
	if len(files) == 0 {
		return []value{{kind: outside}}
	}
	return nil
}

func (s *solver) importedModule(file int32, m *imp, depth int) []value {
	f, files := &s.files[file], s.targets(file, m)
	if f.lang == source.Python && m.as == "" && strings.Contains(m.module, ".") { // import a.b makes a
		first, _, _ := strings.Cut(m.module, ".")
		return []value{{kind: module, files: s.modules.lookup(s.Index, file, first), name: first, file: file}}
	}
	if len(files) == 0 {
		return []value{{kind: outside}}
	}
	if family(f.lang) == source.Java {
		return s.exported(files[0], last(m.module), depth)
	}
	return []value{{kind: module, files: files, name: m.module, file: file}}
}

// submodule: from a import b, where b is a file.
func (s *solver) submodule(file int32, m *imp) []int32 {
	if s.files[file].lang != source.Python {
		return nil
	}
	sep := "."
	if strings.HasSuffix(m.module, ".") {
		sep = ""
	}
	return s.modules.lookup(s.Index, file, m.module+sep+m.name)
}

// exported is a name of a file, seen from outside.
func (s *solver) exported(file int32, name string, depth int) []value {
	if depth > maxEval || s.spent() {
		return nil
	}
	f := &s.files[file]
	if family(f.lang) == source.JavaScript {
		if hs := s.names(file).hints[bound{-1, "export " + name}]; len(hs) > 0 {
			return s.lookup(file, -1, f.hints[hs[0]].text, depth+1)
		}
	}
	if v := s.bindings(file, -1, name, depth+1); len(v) > 0 {
		return v
	}
	return s.starred(file, name, depth+1)
}

// rustPath is an item by its path.
func (s *solver) rustPath(file int32, p string, depth int) []value {
	parts := strings.Split(strings.Trim(p, ":"), "::")
	files, rest := s.rustModule(s.files[file].path, parts)
	if len(files) == 0 {
		if len(parts) > 1 && parts[0] != "Self" {
			if v := s.bindings(file, -1, parts[0], depth+1); len(v) > 0 && parts[0] != parts[len(parts)-1] {
				return s.descend(v, parts[1:], depth)
			}
		}
		return []value{{kind: outside}}
	}
	if len(rest) == 0 {
		return []value{{kind: module, files: files, name: p, file: file}}
	}
	return s.descend(s.exported(files[0], rest[0], depth+1), rest[1:], depth)
}

func (s *solver) descend(vs []value, names []string, depth int) []value {
	for _, n := range names {
		var next []value
		for _, v := range vs {
			next = append(next, s.member(v, n, depth+1)...)
		}
		vs = next
	}
	return vs
}

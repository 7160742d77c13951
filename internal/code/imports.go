package code

import (
	"cmp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Importer is a file that imports another.
type Importer struct {
	Path string `json:"path"`
	Line int    `json:"line"` // of the first such import
}

// Imports are the imports of a file, in order.
func (x *Index) Imports(path string) []Import {
	f, ok := x.byPath[path]
	if !ok {
		return nil
	}
	var out []Import
	for _, m := range x.files[f].imps {
		i := Import{Module: m.module, Name: m.name, As: m.as, Line: int(m.line)}
		for _, t := range x.leads(f, &m) {
			i.Files = append(i.Files, x.files[t].path)
		}
		out = append(out, i)
	}
	return out
}

// leads are the files that an import takes something from: of a package and a
// module of that name in it, the module.
func (x *Index) leads(f int32, m *imp) []int32 {
	s := x.solver()
	if sub := s.submodule(f, m); m.name != "" && m.name != "*" && len(sub) > 0 {
		return sub[:1]
	}
	if x.files[f].lang == source.Rust {
		files, _ := x.rustModule(x.files[f].path, strings.Split(strings.Trim(m.module+"::"+strings.Trim(m.name, "*"), ":"), "::"))
		return files
	}
	files := s.targets(f, m)
	if len(files) > 1 && x.files[f].lang == source.Python {
		return files[:1]
	}
	return files
}

// Importers are the files that import a file, in order of their paths.
func (x *Index) Importers(path string) []Importer {
	want, ok := x.byPath[path]
	if !ok {
		return nil
	}
	var out []Importer
	for i := range x.files {
		for _, m := range x.files[i].imps {
			if int32(i) != want && slices.Contains(x.leads(int32(i), &m), want) {
				out = append(out, Importer{x.files[i].path, int(m.line)})
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b Importer) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// goPackageName guesses the name of the package of a path: its last part, but not a
// version, and without what cannot be in a name.
func goPackageName(path string) string {
	parts := strings.Split(path, "/")
	name := parts[len(parts)-1]
	if len(parts) > 1 && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = parts[len(parts)-2]
	}
	name, _, _ = strings.Cut(name, ".v") // gopkg.in/yaml.v3
	name = strings.TrimPrefix(name, "go-")
	name = strings.TrimSuffix(name, "-go")
	return strings.ReplaceAll(name, "-", "_")
}

package code

import (
	"path"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// moduleMap says which files an import names.
type moduleMap struct {
	dirs     map[string][]int32 // files of code by directory
	dotted   map[string][]int32 // Python modules by the last part of their name
	packages map[string]bool    // directories that are Python packages
	roots    []root             // from manifests, longest name first
	byBase   map[string][]int32 // files by base name without extension

	mu    sync.Mutex
	found map[wanted][]int32 // what lookup found
}

// wanted is an import as its meaning depends on it: the module, and the directory
// that it is written in.
type wanted struct{ dir, module string }

// root is a directory whose code others name by a prefix: a Go module, a package of
// npm, a crate.
type root struct {
	lang source.Language
	name string
	dir  string
}

func newModuleMap(x *Index) *moduleMap {
	m := &moduleMap{found: map[wanted][]int32{}, dirs: map[string][]int32{}, dotted: map[string][]int32{}, packages: map[string]bool{}, byBase: map[string][]int32{}}
	for i := range x.files {
		f, at := &x.files[i], int32(i)
		if f.lang == manifest {
			if f.pkg != "" {
				m.roots = append(m.roots, root{manifestLanguage(f.path), f.pkg, dir(f.path)})
			}
			continue
		}
		m.dirs[dir(f.path)] = append(m.dirs[dir(f.path)], at)
		base := stem(f.path)
		m.byBase[base] = append(m.byBase[base], at)
		if f.lang != source.Python {
			continue
		}
		if base == "__init__" {
			m.packages[dir(f.path)] = true
			base = path.Base(dir(f.path))
		}
		m.dotted[base] = append(m.dotted[base], at)
	}
	sort.SliceStable(m.roots, func(i, j int) bool { return len(m.roots[i].name) > len(m.roots[j].name) })
	return m
}

func stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// lookup is moduleFiles, remembered.
func (m *moduleMap) lookup(x *Index, from int32, module string) []int32 {
	w := wanted{dir(x.files[from].path), module}
	if x.files[from].lang == source.Rust {
		w.dir = x.files[from].path
	}
	m.mu.Lock()
	files, ok := m.found[w]
	m.mu.Unlock()
	if ok {
		return files
	}
	files = x.moduleFiles(from, module)
	m.mu.Lock()
	m.found[w] = files
	m.mu.Unlock()
	return files
}

// moduleFiles are the files that an import in a file leads to, best first; none for
// a module from elsewhere.
func (x *Index) moduleFiles(from int32, module string) []int32 {
	f := &x.files[from]
	switch family(f.lang) {
	case source.Python:
		return x.pythonModule(f.path, module)
	case source.Go:
		return x.goPackage(module)
	case source.JavaScript:
		return x.scriptModule(f.path, module)
	case source.Java:
		return x.javaPackage(module)
	case source.Rust:
		files, rest := x.rustModule(f.path, strings.Split(module, "::"))
		if len(rest) > 0 {
			return nil
		}
		return files
	case source.C:
		return x.header(f.path, module)
	}
	return nil
}

// findsModules says whether moduleFiles knows the imports of a language; of others it
// cannot tell what is foreign.
func findsModules(l source.Language) bool {
	switch family(l) {
	case source.Python, source.Go, source.JavaScript, source.Java, source.Rust, source.C:
		return true
	}
	return false
}

// family is the language whose files can import one another.
func family(l source.Language) source.Language {
	switch l {
	case source.TypeScript, source.TSX:
		return source.JavaScript
	case source.CPP:
		return source.C
	case source.Kotlin, source.Scala:
		return source.Java
	}
	return l
}

// closest puts files of plain code first, source before stub, then those that share
// more of their directories with from.
func (x *Index) closest(files []int32, from string) {
	if len(files) < 2 {
		return
	}
	rank := func(f int32) int {
		p := x.files[f].path
		r := -common(p, from)
		if role := source.RoleOf(p); role == source.Vendored || role == source.Example {
			r += 1000
		}
		if strings.HasSuffix(p, ".pyi") || strings.HasSuffix(p, ".d.ts") {
			r += 500
		}
		return r
	}
	slices.SortStableFunc(files, func(a, b int32) int { return rank(a) - rank(b) })
}

// common counts the directories that two paths begin with.
func common(a, b string) (n int) {
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

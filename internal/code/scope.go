package code

import (
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// names are what the scopes of one file bind, made when the file is first asked.
type names struct {
	once  sync.Once
	defs  map[bound][]int32
	hints map[bound][]int32
	imps  map[bound][]int32
	stars []int32 // imports of all names
}

type bound struct {
	scope int32
	name  string
}

func (x *Index) names(f int32) *names {
	x.all() // for the hints
	n := x.scopes[f]
	n.once.Do(func() { n.fill(x.files[f].facts) })
	return n
}

func (n *names) fill(f *facts) {
	n.defs, n.hints, n.imps = map[bound][]int32{}, map[bound][]int32{}, map[bound][]int32{}
	for i, d := range f.defs {
		if d.owner == "" {
			n.defs[bound{d.parent, d.name}] = append(n.defs[bound{d.parent, d.name}], int32(i))
		}
	}
	for i, h := range f.hints {
		b := bound{h.of, h.name}
		if len(n.hints[b]) < 12 { // a bound on what one name costs
			n.hints[b] = append(n.hints[b], int32(i))
		}
	}
	for i, m := range f.imps {
		if m.name == "*" {
			n.stars = append(n.stars, int32(i))
		}
		if local := importedName(f, m); local != "" {
			n.imps[bound{m.in, local}] = append(n.imps[bound{m.in, local}], int32(i))
		}
	}
}

// importedName is what an import binds in its file.
func importedName(f *facts, m imp) string {
	if local := m.local(); local != "" {
		return local
	}
	if m.name != "" {
		return ""
	}
	return moduleName(f, m.module)
}

// moduleName is the name that a module gives itself where an import states none.
func moduleName(f *facts, module string) string {
	switch family(f.lang) {
	case source.Python:
		for i := range len(module) {
			if module[i] == '.' {
				return module[:i] // import a.b binds a
			}
		}
		return module
	case source.Go:
		return goPackageName(module)
	}
	return ""
}

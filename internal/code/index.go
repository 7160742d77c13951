package code

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// Index answers questions about the code of one tree. It does not change and may
// be used by several goroutines.
type Index struct {
	files  []file // sorted by path
	paths  []string
	byPath map[string]int32
	defs   byName
	parsed int

	reading sync.Once
	used    byName // the references; see all

	folded  sync.Once
	fold    map[string][]string // names by their lower case
	modules *moduleMap
	types   typeGraph
	scopes  []*names // of each file
}

// file is one file of code. Its slices are shared with others of the same content.
type file struct {
	path string
	*facts
	naming *naming
}

// naming is the qualified name of each definition, with ~2 for the second, made when
// the file is first asked.
type naming struct {
	once sync.Once
	list []string
}

func (f *file) names() []string {
	f.naming.once.Do(func() { f.naming.list = qualify(f.defs) })
	return f.naming.list
}

// place is a definition or reference: its file and its number there.
type place struct{ file, at int32 }

// Stats counts what an index holds.
type Stats struct {
	Files      int // with symbols or references
	Symbols    int
	References int
	Parsed     int // blobs that were not in the cache
}

func newIndex(files []source.File, known map[string]*facts, parsed int) *Index {
	x := &Index{byPath: map[string]int32{}, parsed: parsed}
	for _, f := range files {
		x.paths = append(x.paths, f.Path)
		if k, ok := keyOf(f); ok && known[k] != nil {
			x.files = append(x.files, file{path: f.Path, facts: known[k], naming: new(naming)})
		}
	}
	slices.Sort(x.paths)
	slices.SortFunc(x.files, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	x.files = slices.CompactFunc(x.files, func(a, b file) bool { return a.path == b.path })
	for i := range x.files {
		x.byPath[x.files[i].path] = int32(i)
	}
	x.defs = x.invert(func(f *file) int { return len(f.defs) },
		func(_ *file, i int) uint32 { return uint32(i) }, func(f *file, i uint32) string { return f.defs[i].name })
	x.modules = newModuleMap(x)
	x.types.init()
	x.scopes = make([]*names, len(x.files))
	for i := range x.scopes {
		x.scopes[i] = new(names)
	}
	return x
}

// qualify names the definitions of a file: Outer.inner, and Outer.inner~2 for the
// second of that name, so that an ID stands for one definition.
func qualify(defs []def) []string {
	names, seen := make([]string, len(defs)), make(map[string]int, len(defs))
	plain := make([]string, len(defs))
	for i, d := range defs {
		n := d.name
		if d.owner != "" {
			n = d.owner + "." + n
		}
		if d.parent >= 0 && int(d.parent) < i {
			n = plain[d.parent] + "." + n
		}
		if len(n) > 1000 { // nested beyond sense
			n = d.name
		}
		plain[i] = n
		seen[n]++
		if k := seen[n]; k > 1 {
			n += "~" + strconv.Itoa(k)
		}
		names[i] = n
	}
	return names
}

// unnumbered takes the ~2 from a name.
func unnumbered(name string) string {
	i := strings.LastIndexByte(name, '~')
	if i < 0 {
		return name
	}
	if n, err := strconv.Atoi(name[i+1:]); err != nil || n < 2 {
		return name // a destructor
	}
	return name[:i]
}

func (x *Index) at(p place) *def { return &x.files[p.file].defs[p.at] }

func (x *Index) qualified(p place) string { return x.files[p.file].names()[p.at] }

// symbol is the public form of a definition.
func (x *Index) symbol(p place) Symbol { return x.files[p.file].symbol(int(p.at)) }

func (f *file) symbol(at int) Symbol {
	d := &f.defs[at]
	q := f.names()[at]
	plain := unnumbered(q)
	return Symbol{
		ID: f.path + ":" + q, Name: d.name, Qualified: plain, Kind: kinds[d.kind], Language: f.lang,
		Span:     source.Span{Path: f.path, Start: int(d.start), End: int(d.end)},
		NameLine: int(d.name0), Signature: d.sig,
	}
}

// Symbol gives the definition of an ID.
func (x *Index) Symbol(id string) (Symbol, bool) {
	p, ok := x.place(id)
	if !ok {
		return Symbol{}, false
	}
	return x.symbol(p), true
}

func (x *Index) place(id string) (place, bool) {
	for i := strings.IndexByte(id, ':'); i >= 0; {
		if f, ok := x.byPath[id[:i]]; ok {
			if at := slices.Index(x.files[f].names(), id[i+1:]); at >= 0 {
				return place{f, int32(at)}, true
			}
		}
		next := strings.IndexByte(id[i+1:], ':')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return place{}, false
}

// Stats counts what the index holds.
func (x *Index) Stats() Stats {
	s := Stats{Parsed: x.parsed}
	for _, f := range x.files {
		if f.skip == "" {
			s.Files++
		}
		s.Symbols += len(f.defs)
		s.References += f.uses
	}
	return s
}

func dir(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}

package rag

import (
	"math"
	"path"
	"strings"

	"github.com/repomind/repomind/rag/clue"
)

// fileNames finds the files that paths, modules and words of an issue lead to.
type fileNames struct {
	base map[string][]int32 // by the file's name
	tail map[string][]int32 // by the name with that of the directory
	last map[string][]int32 // by the last two parts of the module
	stem map[string][]int32 // by the name without extension, in lower case
	dir  map[string][]int32 // by the directory's path, the files in it
	path map[string]int32
	all  []string
}

func newFileNames(paths []string) *fileNames {
	n := &fileNames{base: map[string][]int32{}, tail: map[string][]int32{}, last: map[string][]int32{}, stem: map[string][]int32{}, dir: map[string][]int32{}, path: make(map[string]int32, len(paths)), all: paths}
	for i, p := range paths {
		id := int32(i)
		n.path[p] = id
		base := path.Base(p)
		n.base[base] = append(n.base[base], id)
		tail, last := lastTwo(p), lastTwo(moduleOf(p))
		n.tail[tail] = append(n.tail[tail], id)
		n.last[last] = append(n.last[last], id)
		stem := stemOf(p)
		n.stem[stem] = append(n.stem[stem], id)
		n.dir[path.Dir(p)] = append(n.dir[path.Dir(p)], id)
	}
	return n
}

// stemOf is the word that a file is called by. Files that stand for their
// directory are called by it.
func stemOf(p string) string {
	base := path.Base(p)
	stem, _, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
	if standsForDir(p) && path.Dir(p) != "." {
		stem = path.Base(path.Dir(p))
	}
	return strings.ToLower(stem)
}

func standsForDir(p string) bool {
	switch stem, _, _ := strings.Cut(path.Base(p), "."); stem {
	case "__init__", "index", "mod", "lib", "main":
		return true
	}
	return false
}

// byPath finds the files that a path of another machine may be: those whose last
// parts agree, the most parts. It tells how many do.
func (n *fileNames) byPath(p string) (files []int32, parts int) {
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	if id, ok := n.path[p]; ok {
		return []int32{id}, 1 + strings.Count(p, "/")
	}
	all := n.base[path.Base(p)]
	if near := n.tail[lastTwo(p)]; len(near) > 0 {
		all = near
	}
	if len(all) > tooMany {
		return all, 1 // no more is known to agree
	}
	for _, id := range all {
		switch k := commonTail(n.all[id], p); {
		case k > parts:
			files, parts = []int32{id}, k
		case k == parts:
			files = append(files, id)
		}
	}
	return files, parts
}

// tooMany is from how many files on a name says nothing of any of them: they are not
// compared one by one.
const tooMany = 2000

// lastTwo are the last two parts of a path.
func lastTwo(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[1+strings.LastIndexByte(p[:max(0, i)], '/'):]
}

func commonTail(a, b string) int {
	n := 0
	for a != "" && b != "" {
		x, y := path.Base(a), path.Base(b)
		if x != y {
			break
		}
		n++
		a, b = parent(a), parent(b)
	}
	return n
}

func parent(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// byModule finds the files of a dotted name: of a.b.c.D the file a/b/c.py, or
// a/b/c/__init__.py, wherever the tree has it. Parts is how many parts of the name
// the path holds. A module needs two.
func (n *fileNames) byModule(name string) (files []int32, parts int) {
	words := strings.Split(name, ".")
	for end := len(words); end >= 2; end-- {
		all := n.last[words[end-2]+"/"+words[end-1]]
		if len(all) == 0 || len(all) > tooMany {
			continue
		}
		want := strings.Join(words[:end], "/")
		for _, id := range all {
			if module := moduleOf(n.all[id]); module == want || strings.HasSuffix(module, "/"+want) {
				files = append(files, id)
			}
		}
		if files != nil {
			return files, end
		}
	}
	return nil, 0
}

// moduleOf is a path as imports spell it: without extension, and without the
// file's name where that stands for the directory.
func moduleOf(p string) string {
	if standsForDir(p) {
		return path.Dir(p)
	}
	dir, base := path.Split(p)
	stem, _, _ := strings.Cut(base, ".")
	return dir + stem
}

// mentions is what the names of files say.
type mentions struct{ path, base, module, stem []float32 }

func (n *fileNames) mentions(c clue.Clues) mentions {
	m := mentions{path: n.zeros(), base: n.zeros(), module: n.zeros(), stem: n.zeros()}
	for _, p := range c.Paths {
		files, parts := n.byPath(p.Path)
		to := m.path
		if parts < 2 && !strings.Contains(p.Path, "/") {
			to = m.base
		} else if parts < 2 {
			continue // only the name agrees, and the directory does not
		}
		raise(to, files, 1/math.Sqrt(float64(len(files))))
	}
	for _, name := range c.Names {
		if files, _ := n.byModule(name.Text); files != nil {
			raise(m.module, files, 1/math.Sqrt(float64(len(files))))
		}
	}
	n.stems(c, m.stem)
	return m
}

// stems looks for files that are called like a word of the title, or like an
// identifier.
func (n *fileNames) stems(c clue.Clues, to []float32) {
	try := func(word string, weight float64) {
		files := n.stem[strings.ToLower(word)]
		if len(word) > 2 && len(files) > 0 {
			raise(to, files, weight/math.Sqrt(float64(len(files))))
		}
	}
	for _, w := range strings.FieldsFunc(c.Title, func(r rune) bool { return !isWord(r) }) {
		try(w, 1)
	}
	for _, name := range c.Names {
		for _, w := range strings.Split(name.Text, ".") {
			try(w, placeWeight[name.Place])
		}
	}
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 127
}

// placeWeight is how much a name counts by the place where it stands.
var placeWeight = [...]float64{clue.InTitle: 1, clue.Inline: .7, clue.InProse: .6, clue.InTrace: .6, clue.InCode: .35}

func (n *fileNames) zeros() []float32 { return make([]float32, len(n.all)) }

func raise(to []float32, files []int32, by float64) {
	for _, f := range files {
		to[f] = max(to[f], float32(by))
	}
}

package stacktrace

import (
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Tree is what a [Mapper] knows of a repository.
type Tree struct {
	Files []string // all paths from the root, with slashes
	// Repo tells which packages are the repository's own. Zero is unknown: frames
	// of installed packages are then mapped only by the whole path behind
	// site-packages, node_modules and the like.
	Repo source.Repo
	// Packages gives the directory of each package that the repository publishes,
	// by the name that others install or import it by: a Go module path, an npm
	// package, a crate. Those that have the repository's name are known without it.
	Packages map[string]string
}

// Mapper finds the files of a repository that frames are in. It is safe for use by
// several goroutines.
type Mapper struct {
	tree  Tree
	files map[string]bool
	base  map[string][]string // by the last part of the path
	tail  map[string][]string // by the last two
	dirs  map[string][]string // directories by their last part
}

// NewMapper indexes a tree. It keeps the slice and the map.
func NewMapper(t Tree) *Mapper {
	m := &Mapper{tree: t, files: map[string]bool{}, base: map[string][]string{}, tail: map[string][]string{}, dirs: map[string][]string{}}
	seen := map[string]bool{"": true, ".": true}
	for _, f := range t.Files {
		m.files[f] = true
		dir, base := path.Split(f)
		dir = strings.TrimSuffix(dir, "/")
		m.base[base] = append(m.base[base], f)
		if dir != "" {
			tail := path.Base(dir) + "/" + base
			m.tail[tail] = append(m.tail[tail], f)
		}
		for ; !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			m.dirs[path.Base(dir)] = append(m.dirs[path.Base(dir)], dir)
		}
	}
	return m
}

// Map finds the file of one frame. [Mapper.MapAll] does better for the frames of
// one trace.
func (m *Mapper) Map(f Frame) Location {
	p := clearPath(f.File)
	for _, rule := range []func(Frame, printed) (Location, bool){m.unwritten, m.java, m.goPackage, m.installed, m.standard} {
		if l, ok := rule(f, p); ok {
			return l
		}
	}
	return m.bySuffix(p)
}

// unwritten is for frames that no source file is printed of.
func (m *Mapper) unwritten(f Frame, p printed) (Location, bool) {
	switch {
	case p.std:
		return outside(StandardLibrary, ""), true
	case javaPlaceless(f):
		return Location{}, false
	case p.path == "" && standardFunction(f.Function):
		return outside(StandardLibrary, ""), true
	case p.path == "" && f.Module != "":
		return outside(OtherPackage, f.Module), true
	case p.path == "":
		return outside(NoSource, f.File), true
	}
	return Location{}, false
}

// MapAll finds the files of the frames of one trace. Where a frame alone is
// ambiguous, the others tell which directory the paths start at.
func (m *Mapper) MapAll(frames []Frame) []Location {
	all := make([]Location, len(frames))
	known := map[Frame]Location{}
	roots := map[root]bool{}
	for i, f := range frames {
		key := Frame{File: f.File, Function: f.Function, Module: f.Module}
		l, ok := known[key]
		if !ok {
			l = m.Map(f)
			known[key] = l
		}
		if all[i] = l; l.Path != "" {
			roots[rootOf(clearPath(f.File).path, l.Path)] = true
		}
	}
	for i, f := range frames {
		if all[i].Why == Ambiguous {
			all[i] = settle(clearPath(f.File).path, all[i], roots)
		}
	}
	return all
}

// root says which directory of the reporter's machine is which of the repository.
type root struct{ printed, tree string }

// rootOf takes the common end off both paths.
func rootOf(printed, tree string) root {
	a, b := strings.Split(printed, "/"), strings.Split(tree, "/")
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return root{strings.Join(a, "/"), strings.Join(b, "/")}
}

// settle takes the only candidate that shares its root with other frames.
func settle(printed string, l Location, roots map[root]bool) Location {
	fit := slices.DeleteFunc(slices.Clone(l.Candidates), func(c string) bool { return !roots[rootOf(printed, c)] })
	if len(fit) == 1 {
		return Location{Path: fit[0]}
	}
	return l
}

// choose makes a location of the files that fit equally well.
func choose(files []string, name string) Location {
	switch len(files) {
	case 0:
		return outside(NoFile, name)
	case 1:
		return Location{Path: files[0]}
	}
	files = slices.Sorted(slices.Values(files))
	return Location{Why: Ambiguous, Candidates: files[:min(len(files), maxCandidates)]}
}

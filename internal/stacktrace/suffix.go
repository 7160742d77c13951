package stacktrace

import (
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// checkouts are directories that a repository is put in under another name.
var checkouts = strings.Fields("app src code workspace work build project repo source srv opt www html var")

// bySuffix maps a path by its longest end that a file of the repository has.
func (m *Mapper) bySuffix(p printed) Location {
	if m.files[p.path] {
		return Location{Path: p.path}
	}
	dir, base := path.Split(p.path)
	if dir == "" {
		return m.bare(base)
	}
	best, n := longest(p.path, m.tail[path.Base(dir)+"/"+base])
	if len(best) == 0 {
		return m.atRoot(p, base)
	}
	if whole := slices.DeleteFunc(slices.Clone(best), func(f string) bool { return parts(f) != n }); len(whole) == 1 {
		return Location{Path: whole[0]} // the printed path ends in all of it
	}
	if n < parts(p.path) && n < 3 {
		best = slices.DeleteFunc(best, func(f string) bool { return !m.plausible(p.path, f, n) })
	}
	return choose(best, p.path)
}

// longest gives the files that share the most parts with p, from the end, and how
// many these are.
func longest(p string, files []string) ([]string, int) {
	var best []string
	most := 0
	for _, f := range files {
		n := common(p, f)
		if n > most {
			best, most = nil, n
		}
		if n == most {
			best = append(best, f)
		}
	}
	return best, most
}

// common counts the parts at the end that two paths share.
func common(a, b string) int {
	n := 0
	for i, j := len(a), len(b); ; n++ {
		x, y := strings.LastIndexByte(a[:i], '/'), strings.LastIndexByte(b[:j], '/')
		if a[x+1:i] != b[y+1:j] {
			return n
		}
		if i, j = x, y; i < 0 || j < 0 {
			return n + 1
		}
	}
}

func parts(p string) int { return strings.Count(p, "/") + 1 }

// plausible says whether paths that share only a directory and a name can be of
// the same file: the tree has a source root there, or the machine a checkout.
func (m *Mapper) plausible(printed, file string, n int) bool {
	r := rootOf(printed, file)
	return r.tree == "" || sourceRoot("/"+r.tree, "") || slices.Contains(checkouts, path.Base(r.printed)) ||
		m.tree.Repo.Name != "" && path.Base(r.printed) == m.tree.Repo.Name
}

// atRoot maps to a file at the root only from a directory that is the repository's.
func (m *Mapper) atRoot(p printed, base string) Location {
	parent := path.Base(path.Dir(p.path))
	if m.files[base] && (p.web && parent == "." || strings.EqualFold(parent, m.tree.Repo.Name) || slices.Contains(checkouts, parent)) {
		return Location{Path: base}
	}
	return outside(NoFile, p.path)
}

// bare maps a name without a directory. Browsers, debuggers and Go's tests print no
// more; in other languages it is a file in the directory that the program ran in,
// which is the reporter's own.
func (m *Mapper) bare(base string) Location {
	lang := source.LanguageOf(base, nil)
	anywhere := slices.Contains([]source.Language{source.JavaScript, source.TypeScript, source.TSX, source.C, source.CPP, source.CSharp, source.Swift}, lang)
	if anywhere || strings.HasSuffix(base, "_test.go") {
		return choose(m.base[base], base)
	}
	return outside(NoFile, base)
}

package code

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Definitions are the definitions that a name may mean, the best first: all parts
// of the name match; or the last is inherited by the type that the others name; or
// they match but for their case; 1,000 at most. A name may be foo, Class.foo, pkg.mod.Class.foo,
// path/to/file.py:Class.foo, Class::foo, Class#foo, (*T).foo or pkg/path.Func.
func (x *Index) Definitions(name string) []Symbol {
	var out []Symbol
	found := x.find(name)
	for _, p := range found[:min(len(found), 1000)] {
		out = append(out, x.symbol(p))
	}
	return out
}

func (x *Index) find(name string) []place {
	if p, ok := x.place(strings.TrimSpace(name)); ok && unnumbered(name) != name {
		return []place{p}
	}
	q := parseName(name)
	if len(q.parts) == 0 {
		return nil
	}
	found := x.matching(q, x.defs.of(q.last()), false)
	if len(found) == 0 && len(q.parts) > 1 {
		found = x.inherited(q)
	}
	if len(found) == 0 {
		for _, n := range x.folds(q.last()) {
			found = append(found, x.matching(q, x.defs.of(n), true)...)
		}
	}
	x.rank(found)
	return found
}

// query is a name that someone wrote, in parts.
type query struct {
	path  string // "" for any
	parts []string
}

func (q query) last() string { return q.parts[len(q.parts)-1] }

// parseName takes the signs of all languages as dots.
func parseName(s string) query {
	s = strings.TrimSpace(s)
	s = strings.TrimSuffix(s, "()")
	var q query
	if i := pathEnd(s); i > 0 {
		q.path, s = s[:i], s[i+1:]
	}
	if len(s) > 500 {
		return query{}
	}
	if i := strings.LastIndexByte(s, '/'); i >= 0 && q.path == "" { // pkg/path.Func
		if j := strings.IndexByte(s[i:], '.'); j >= 0 {
			q.path, s = s[:i+j], s[i+j+1:]
		}
	}
	s = strings.NewReplacer("::", ".", "#", ".", "->", ".", "(*", "", "(", "", ")", "", "*", "", "&", "", "?.", ".").Replace(s)
	for part := range strings.SplitSeq(s, ".") {
		if part = strings.TrimSpace(part); part != "" {
			q.parts = append(q.parts, part)
		}
	}
	return q
}

// pathEnd is where the colon behind a path stands, or -1.
func pathEnd(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != ':' {
			continue
		}
		if i+1 < len(s) && s[i+1] == ':' {
			i++
			continue
		}
		return i
	}
	return -1
}

func (x *Index) matching(q query, places []place, fold bool) []place {
	var out []place
	for _, p := range places {
		if x.matches(q, p, fold) {
			out = append(out, p)
		}
	}
	return out
}

// matches compares the parts from behind with the qualified name, and what is left
// with the module and the path of the file.
func (x *Index) matches(q query, p place, fold bool) bool {
	f := &x.files[p.file]
	if q.path != "" && !pathMatches(f.path, q.path) {
		return false
	}
	have := strings.Split(unnumbered(f.names()[p.at]), ".")
	want := q.parts
	for len(want) > 0 && len(have) > 0 && same(want[len(want)-1], have[len(have)-1], fold) {
		want, have = want[:len(want)-1], have[:len(have)-1]
	}
	if len(want) == 0 {
		return true
	}
	return len(have) == 0 && moduleMatches(f, want, fold)
}

func same(a, b string, fold bool) bool { return a == b || fold && strings.EqualFold(a, b) }

// pathMatches takes a whole path, its end, or a directory, with or without the
// extension of the file.
func pathMatches(file, want string) bool {
	want = strings.Trim(want, "/")
	for _, have := range []string{file, strings.TrimSuffix(file, path.Ext(file)), path.Dir(file)} {
		if have == want || strings.HasSuffix(have, "/"+want) {
			return true
		}
	}
	// An import path is longer than the directory: example.org/mod/pkg for pkg.
	return dir(file) != "" && strings.HasSuffix(want, "/"+dir(file))
}

// moduleMatches compares the parts with the end of a.b.c for a/b/c.py, for Go with
// the package.
func moduleMatches(f *file, want []string, fold bool) bool {
	p := strings.TrimSuffix(f.path, path.Ext(f.path))
	p = strings.TrimSuffix(strings.TrimSuffix(p, "/__init__"), "/mod")
	ends := [][]string{strings.Split(p, "/")}
	if f.lang == source.Go {
		ends = [][]string{strings.Split(dir(f.path), "/"), {f.pkg}}
	} else if f.pkg != "" {
		ends = append(ends, strings.Split(f.pkg, "."))
	}
	ends = append(ends, strings.Split(dir(f.path), "/"))
	return slices.ContainsFunc(ends, func(have []string) bool {
		if len(want) > len(have) {
			return false
		}
		have = have[len(have)-len(want):]
		return slices.EqualFunc(want, have, func(a, b string) bool { return same(a, b, fold) })
	})
}

// inherited finds Class.foo where Class has foo from what it extends.
func (x *Index) inherited(q query) []place {
	owner := query{q.path, q.parts[:len(q.parts)-1]}
	s := x.solver()
	var out []place
	for _, c := range x.matching(owner, x.defs.of(owner.last()), false) {
		if !isType(kinds[x.at(c).kind]) {
			continue
		}
		for _, m := range s.memberOf(c, q.last(), 0) {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// folds are the names that differ from name only in case.
func (x *Index) folds(name string) []string {
	x.folded.Do(func() {
		x.fold = make(map[string][]string, len(x.defs.ids))
		for n := range x.defs.ids {
			l := strings.ToLower(n)
			x.fold[l] = append(x.fold[l], n)
		}
		for _, names := range x.fold {
			slices.Sort(names)
		}
	})
	return slices.DeleteFunc(slices.Clone(x.fold[strings.ToLower(name)]), func(n string) bool { return n == name })
}

// rank puts code before tests, examples and copies, outer before inner definitions,
// then goes by kind.
func (x *Index) rank(ps []place) {
	if len(ps) < 2 {
		return
	}
	type worth struct{ role, stub, inner, kind int }
	of := make(map[place]worth, len(ps))
	for _, p := range ps {
		f, d := &x.files[p.file], x.at(p)
		w := worth{role: roleRank(f.path), kind: int(d.kind)}
		w.stub = yes(strings.HasSuffix(f.path, ".pyi") || strings.HasSuffix(f.path, ".d.ts"))
		for up := d.parent; up >= 0; up = f.defs[up].parent {
			if k := kinds[f.defs[up].kind]; k == Function || k == Method {
				w.inner = 1
			}
		}
		of[p] = w
	}
	slices.SortStableFunc(ps, func(a, b place) int {
		v, w := of[a], of[b]
		return cmp.Or(v.role-w.role, v.stub-w.stub, v.inner-w.inner, v.kind-w.kind,
			strings.Count(x.files[a.file].path, "/")-strings.Count(x.files[b.file].path, "/"),
			cmp.Compare(a.file, b.file), cmp.Compare(a.at, b.at))
	})
}

func roleRank(p string) int {
	switch source.RoleOf(p) {
	case source.Code:
		return 0
	case source.Test:
		return 1
	case source.Example:
		return 2
	}
	return 3
}

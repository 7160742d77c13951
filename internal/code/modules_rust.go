package code

import (
	"path"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// rustModule follows a path of a Rust file as far as modules are files, and gives
// the rest: items, or modules inside of a file.
func (x *Index) rustModule(from string, parts []string) (files []int32, rest []string) {
	base, ok := "", false
	switch parts[0] {
	case "crate":
		base, ok = x.crateRoot(from), true
		parts = parts[1:]
	case "self":
		base, ok = moduleDir(from), true
		parts = parts[1:]
	case "super":
		base, ok = moduleDir(from), true
		for len(parts) > 0 && parts[0] == "super" {
			base, parts = dir(base), parts[1:]
		}
	default:
		if base, ok = x.crate(parts[0]); ok {
			parts = parts[1:]
		} else { // a module of this one
			base, ok = moduleDir(from), true
			if len(x.rustFiles(path.Join(base, parts[0]))) == 0 {
				return nil, parts
			}
		}
	}
	files = x.rustFiles(base)
	for len(parts) > 0 {
		next := x.rustFiles(path.Join(base, parts[0]))
		if len(next) == 0 {
			break
		}
		base, files, parts = path.Join(base, parts[0]), next, parts[1:]
	}
	return files, parts
}

// moduleDir is where the files of a module's own modules are: a/b for a/b.rs, a for
// a/mod.rs, a/lib.rs and a/main.rs.
func moduleDir(p string) string {
	switch stem(p) {
	case "mod", "lib", "main":
		return dir(p)
	}
	return strings.TrimSuffix(p, ".rs")
}

func (x *Index) rustFiles(base string) []int32 {
	for _, name := range []string{base + ".rs", base + "/mod.rs", base + "/lib.rs", base + "/main.rs", "lib.rs", "main.rs"} {
		if base != "" && !strings.HasPrefix(name, base) {
			break
		}
		if f, ok := x.byPath[strings.TrimPrefix(name, "/")]; ok {
			return []int32{f}
		}
	}
	return nil
}

// crateRoot is the directory of the lib.rs or main.rs above a file.
func (x *Index) crateRoot(from string) string {
	for d := dir(from); ; d = dir(d) {
		for _, name := range []string{"lib.rs", "main.rs"} {
			if _, ok := x.byPath[path.Join(d, name)]; ok {
				return d
			}
		}
		if d == "" {
			return dir(from)
		}
	}
}

// crate is the source directory of a crate of this tree.
func (x *Index) crate(name string) (string, bool) {
	for _, r := range x.modules.roots {
		if r.lang == source.Rust && strings.ReplaceAll(r.name, "-", "_") == name {
			return path.Join(r.dir, "src"), true
		}
	}
	return "", false
}

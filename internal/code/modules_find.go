package code

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// How each language finds the files of a module.

// pythonModule finds a.b.c, .c or ..c.
func (x *Index) pythonModule(from, module string) []int32 {
	rest := strings.TrimLeft(module, ".")
	if up := len(module) - len(rest); up > 0 {
		base := dir(from)
		for range up - 1 {
			base = dir(base)
		}
		return x.pythonFiles(path.Join(base, strings.ReplaceAll(rest, ".", "/")))
	}
	if rest == "" {
		return nil
	}
	want := strings.ReplaceAll(rest, ".", "/")
	var out []int32
	for _, f := range x.modules.dotted[path.Base(want)] {
		if base, ok := x.pythonRoot(x.files[f].path, want); ok && (base == "" || !x.modules.packages[base]) {
			out = append(out, f)
		}
	}
	x.closest(out, from)
	return out
}

// pythonRoot is the directory that a file's module name counts from, if the name is
// want.
func (x *Index) pythonRoot(file, want string) (string, bool) {
	p := strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), "/__init__")
	if p == want {
		return "", true
	}
	return strings.CutSuffix(p, "/"+want)
}

func (x *Index) pythonFiles(p string) []int32 {
	var out []int32
	for _, name := range []string{p + ".py", p + "/__init__.py", p + ".pyi", p + "/__init__.pyi"} {
		if f, ok := x.byPath[strings.TrimPrefix(name, "/")]; ok {
			out = append(out, f)
		}
	}
	return out
}

// goPackage are the files of an import path, without tests.
func (x *Index) goPackage(module string) []int32 {
	for _, r := range x.modules.roots {
		if r.lang != source.Go {
			continue
		}
		rest, ok := strings.CutPrefix(module, r.name)
		if ok && (rest == "" || rest[0] == '/') {
			if files := x.goDir(strings.TrimPrefix(path.Join(r.dir, rest), "/")); len(files) > 0 {
				return files
			}
		}
	}
	if files := x.goDir(path.Join("vendor", module)); len(files) > 0 || len(x.modules.roots) > 0 {
		return files
	}
	// A tree without go.mod: the longest end of the path that is a directory here,
	// if that is at least two parts.
	for rest := module; strings.Contains(rest, "/"); _, rest, _ = strings.Cut(rest, "/") {
		if files := x.goDir(rest); len(files) > 0 {
			return files
		}
	}
	return nil
}

func (x *Index) goDir(d string) []int32 {
	var out []int32
	for _, f := range x.modules.dirs[d] {
		if x.files[f].lang == source.Go && !strings.HasSuffix(x.files[f].path, "_test.go") {
			out = append(out, f)
		}
	}
	return out
}

var scriptExts = []string{"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"}

// scriptModule resolves as bundlers do: relative paths, packages of this tree, and
// paths from a root that a configuration may alias.
func (x *Index) scriptModule(from, module string) []int32 {
	if strings.HasPrefix(module, ".") {
		return x.scriptFiles(path.Join(dir(from), module))
	}
	for _, r := range x.modules.roots {
		if rest, ok := strings.CutPrefix(module, r.name); ok && r.lang == source.JavaScript && (rest == "" || rest[0] == '/') {
			for _, sub := range []string{"", "src", "lib"} {
				if files := x.scriptFiles(path.Join(r.dir, sub, rest)); len(files) > 0 {
					return files
				}
			}
			return nil
		}
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(module, "@/"), "~/")
	if rest == module && !strings.Contains(module, "/") {
		return nil
	}
	for up := dir(from); ; up = dir(up) {
		for _, sub := range []string{"", "src"} {
			if files := x.scriptFiles(path.Join(up, sub, rest)); len(files) > 0 {
				return files
			}
		}
		if up == "" {
			return nil
		}
	}
}

func (x *Index) scriptFiles(p string) []int32 {
	p = strings.TrimPrefix(p, "/")
	bare := strings.TrimSuffix(strings.TrimSuffix(p, ".js"), ".jsx") // TypeScript writes .js for a .ts file
	for _, name := range []string{p, bare, path.Join(p, "index")} {
		for _, ext := range scriptExts {
			if f, ok := x.byPath[name+ext]; ok && family(x.files[f].lang) == source.JavaScript {
				return []int32{f}
			}
		}
	}
	return nil
}

// javaPackage takes a.b.C and a.b.C.member as the file of C, a.b as all its files.
func (x *Index) javaPackage(module string) []int32 {
	want := strings.ReplaceAll(module, ".", "/")
	for _, d := range slices.Sorted(maps.Keys(x.modules.dirs)) {
		if d == want || strings.HasSuffix(d, "/"+want) {
			return x.modules.dirs[d]
		}
	}
	for range 3 {
		var out []int32
		for _, f := range x.modules.byBase[path.Base(want)] {
			p := strings.TrimSuffix(x.files[f].path, path.Ext(x.files[f].path))
			if family(x.files[f].lang) == source.Java && (p == want || strings.HasSuffix(p, "/"+want)) {
				out = append(out, f)
			}
		}
		if len(out) > 0 {
			return out
		}
		if want = dir(want); !strings.Contains(want, "/") {
			break
		}
	}
	return nil
}

// header finds an #include beside the file, or by the end of its path where that is
// the only one.
func (x *Index) header(from, name string) []int32 {
	if f, ok := x.byPath[path.Join(dir(from), name)]; ok {
		return []int32{f}
	}
	var out []int32
	for _, f := range x.modules.byBase[stem(name)] {
		if p := x.files[f].path; p == name || strings.HasSuffix(p, "/"+name) {
			out = append(out, f)
		}
	}
	return out
}

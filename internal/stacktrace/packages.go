package stacktrace

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	goModFile  = regexp.MustCompile(`(?:^|/)((?:[\w-]+\.)+[a-z]+/[^@]+)@v[^/]+/(.+)$`)
	goPathFile = regexp.MustCompile(`(?:^|/)(?:src|vendor)/((?:[\w-]+\.)+[a-z]+/.+)$`)
	goMajor    = regexp.MustCompile(`^v\d+$`)
	goSuffix   = regexp.MustCompile(`\.v\d+$`)
	hostLike   = regexp.MustCompile(`^(?:[\w-]+\.)+[a-z]+$`)
)

// goPackage maps a Go file by the import path of its package, which the function
// or the file shows, wherever the reporter's machine keeps it.
func (m *Mapper) goPackage(f Frame, p printed) (Location, bool) {
	if source.LanguageOf(p.path, nil) != source.Go && !strings.HasSuffix(p.path, ".s") {
		return Location{}, false
	}
	pkg := importPath(f.Function)
	if g := goModFile.FindStringSubmatch(p.path); g != nil {
		pkg = path.Join(goUnescape(g[1]), path.Dir(g[2]))
	} else if g := goPathFile.FindStringSubmatch(p.path); g != nil {
		pkg = path.Dir(g[1])
	}
	if at := strings.LastIndex("/"+pkg, "/vendor/"); at >= 0 {
		pkg = pkg[at+len("vendor/"):]
	}
	first := firstPart(pkg)
	if !hostLike.MatchString(first) {
		if slices.Contains(goStd, first) && (!p.abs && path.Dir(p.path) == pkg || goRoot.MatchString(p.path)) && !m.files[p.path] {
			return m.goStandard(path.Join(pkg, path.Base(p.path))), true
		}
		return Location{}, false
	}
	return m.imported(pkg, path.Base(p.path)), true
}

// importPath is the package of a function, github.com/o/r/dir.(*T).Method.
func importPath(function string) string {
	slash := strings.LastIndexByte(function, '/')
	if open := strings.IndexByte(function, '['); open >= 0 && open < slash {
		slash = strings.LastIndexByte(function[:open], '/') // type arguments have paths too
	}
	dot := strings.IndexByte(function[slash+1:], '.')
	if dot < 0 {
		return ""
	}
	return strings.ReplaceAll(function[:slash+1+dot], "%2e", ".")
}

// goUnescape turns !x, as the module cache writes capitals, into X.
func goUnescape(p string) string {
	for at := strings.IndexByte(p, '!'); at >= 0 && at+1 < len(p); at = strings.IndexByte(p, '!') {
		p = p[:at] + strings.ToUpper(p[at+1:at+2]) + p[at+2:]
	}
	return p
}

// imported maps a file of a package that has a host in its path.
func (m *Mapper) imported(pkg, base string) Location {
	parts := strings.Split(pkg, "/")
	for n := len(parts); n > 0; n-- { // the longest module wins
		dir, ok := m.tree.Packages[strings.Join(parts[:n], "/")]
		if ok {
			return m.exact(path.Join(dir, path.Join(parts[n:]...), base))
		}
	}
	repo := m.tree.Repo
	if len(parts) >= 3 && repo.Name != "" && strings.EqualFold(strings.Join(parts[:3], "/"), path.Join(repo.HostName(), repo.Owner, repo.Name)) {
		return m.exact(m.afterMajor(parts[3:], base))
	}
	for n := 1; n < len(parts); n++ { // a vanity import path, or a repository that was moved
		if repo.Name != "" && plainName(goSuffix.ReplaceAllString(parts[n], "")) == plainName(repo.Name) {
			if file := m.afterMajor(parts[n+1:], base); m.files[file] {
				return Location{Path: file}
			}
		}
	}
	return outside(OtherPackage, strings.Join(parts[:min(3, len(parts))], "/"))
}

// afterMajor is the path of a file in the repository, without the /v2 of a module
// that has no such directory.
func (m *Mapper) afterMajor(parts []string, base string) string {
	file := path.Join(path.Join(parts...), base)
	if len(parts) > 0 && goMajor.MatchString(parts[0]) && !m.files[file] {
		return path.Join(path.Join(parts[1:]...), base)
	}
	return file
}

func (m *Mapper) exact(file string) Location {
	if m.files[file] {
		return Location{Path: file}
	}
	return outside(NoFile, file)
}

var (
	javaFile   = regexp.MustCompile(`^[\w$-]+\.(?:java|kt|kts|scala|sc|groovy|clj|cljc)$`)
	javaClass  = regexp.MustCompile(`^((?:[\w-]+\.)*)([A-Z][\w-]*)(?:\$[\w$.-]*)?\.[^.]+$`)
	javaName   = regexp.MustCompile(`^(?:[a-z_][\w-]*\.)+[A-Z][\w$.-]*\.[^.]+$`)
	javaSystem = regexp.MustCompile(`^(?:jdk|java)\.`)
)

// javaPlaceless is a frame of the JVM without a file: native, or without symbols.
func javaPlaceless(f Frame) bool { return f.File == "" && javaName.MatchString(f.Function) }

// java maps a file of the JVM, printed without its directory, by the package of the
// function.
func (m *Mapper) java(f Frame, p printed) (Location, bool) {
	if !javaFile.MatchString(p.path) && !javaPlaceless(f) {
		return Location{}, false
	}
	if standardFunction(f.Function) || javaSystem.MatchString(f.Module) {
		return outside(StandardLibrary, ""), true
	}
	c := javaClass.FindStringSubmatch(f.Function)
	if c == nil {
		return choose(m.defaultPackage(p.path), p.path), true
	}
	if p.path == "" { // the file that the class has by custom
		p.path = c[2] + ".java"
		if m.base[p.path] == nil {
			p.path = c[2] + ".kt"
		}
	}
	if c[1] == "" {
		return choose(m.defaultPackage(p.path), p.path), true
	}
	dir := strings.ReplaceAll(strings.TrimSuffix(c[1], "."), ".", "/")
	if fit := m.inJavaPackage(dir, p.path); len(fit) > 0 {
		return choose(fit, ""), true
	}
	for _, d := range m.dirs[path.Base(dir)] {
		if strings.HasSuffix("/"+d, "/"+dir) {
			return outside(NoFile, dir+"/"+p.path), true
		}
	}
	parts := strings.Split(dir, "/")
	return outside(OtherPackage, strings.Join(parts[:min(3, len(parts))], ".")), true
}

// inJavaPackage finds a file in the directory of its package. Kotlin may leave out
// the part of the directory that all packages of a module share.
func (m *Mapper) inJavaPackage(dir, base string) []string {
	var fit, kotlin []string
	for _, f := range m.base[base] {
		parent := "/" + path.Dir(f)
		if strings.HasSuffix(parent, "/"+dir) {
			fit = append(fit, f)
		} else if strings.HasSuffix(base, ".kt") && path.Base(parent) == path.Base(dir) {
			kotlin = append(kotlin, f)
		}
	}
	if len(fit) == 0 {
		return kotlin
	}
	return fit
}

func (m *Mapper) defaultPackage(base string) []string {
	var fit []string
	for _, f := range m.base[base] {
		if dir := path.Dir(f); dir == "." || slices.Contains(sourceRoots, path.Base(dir)) {
			fit = append(fit, f)
		}
	}
	return fit
}

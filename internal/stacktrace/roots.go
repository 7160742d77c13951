package stacktrace

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Roots that only other people's code is under. What stands behind one is a path
// in the package, and nothing else says which repository the file is of.
var foreign = []struct {
	kind    string
	pattern *regexp.Regexp
}{
	{"pypi", regexp.MustCompile(`(?:^|/)(?:site|dist)-packages/(?:[^/]+\.egg/)?`)},
	{"npm", regexp.MustCompile(`(?:^|/)(?:node_modules|bower_components)/`)},
	{"cargo", regexp.MustCompile(`(?:^|/)(?:\.?cargo|cargo-home)/registry/src/[^/]+/`)},
	{"cargo-git", regexp.MustCompile(`(?:^|/)\.?cargo/git/checkouts/`)},
	{"gem", regexp.MustCompile(`(?:^|/)gems/(?:ruby-[^/]*/gems/)?`)},
	{"composer", regexp.MustCompile(`(?:^|/)vendor/[\w-]+/[\w.-]+/.*\.php$`)},
}

var (
	version  = regexp.MustCompile(`^(.+?)-v?(\d[\w.+-]*|[0-9a-f]{7,40})$`)
	nodeName = regexp.MustCompile(`^((?:@[^/]+/)?[^/]+)/(.*)$`)
)

// installed maps files that a package manager put on the reporter's machine.
func (m *Mapper) installed(_ Frame, p printed) (Location, bool) {
	kind, rest := "", ""
	last := -1
	for _, f := range foreign {
		if all := f.pattern.FindAllStringIndex(p.path, -1); all != nil && all[len(all)-1][0] > last {
			at := all[len(all)-1]
			kind, rest, last = f.kind, p.path[at[1]:], at[0]
			if kind == "composer" {
				rest = strings.TrimPrefix(strings.TrimPrefix(p.path[at[0]:], "/"), "vendor/")
			}
		}
	}
	switch kind {
	case "":
		return Location{}, false
	case "pypi":
		return m.pypi(rest), true
	}
	name, inner := packageOf(kind, rest)
	return m.inPackage(name, inner), true
}

// packageOf splits the path behind a root in the name of the package and the path
// inside of it.
func packageOf(kind, rest string) (name, inner string) {
	switch kind {
	case "npm":
		if m := nodeName.FindStringSubmatch(rest); m != nil {
			return m[1], m[2]
		}
		return rest, ""
	case "composer":
		parts := strings.SplitN(rest, "/", 3)
		return strings.Join(parts[:min(2, len(parts))], "/"), strings.Join(parts[min(2, len(parts)):], "")
	}
	name, inner, _ = strings.Cut(rest, "/")
	if kind == "cargo-git" {
		_, inner, _ = strings.Cut(inner, "/") // the commit
	}
	if m := version.FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	return name, inner
}

// pypi maps a path behind site-packages, which starts with a top-level module. The
// whole of it must be in the repository, at the root or under src, lib or a
// directory with the module's name.
func (m *Mapper) pypi(rest string) Location {
	module, _, _ := strings.Cut(rest, "/")
	module = strings.TrimSuffix(module, path.Ext(module))
	var fit []string
	for _, f := range m.withTail(rest) {
		prefix, ok := strings.CutSuffix("/"+f, "/"+rest)
		if !ok || !sourceRoot(prefix, module) {
			continue
		}
		if prefix == "" {
			return Location{Path: f}
		}
		fit = append(fit, f)
	}
	if len(fit) == 0 && !m.ownModule(module) {
		return outside(OtherPackage, module)
	}
	return choose(fit, rest)
}

// withTail are the files that end as p does: in the last two parts, or in the only
// one.
func (m *Mapper) withTail(p string) []string {
	dir, base := path.Split(p)
	if dir == "" {
		return m.base[base]
	}
	return m.tail[path.Base(dir)+"/"+base]
}

var sourceRoots = strings.Fields("src lib python py Lib source sources app main java kotlin")

// sourceRoot says whether modules can be found from a directory, which starts with
// a slash or is "".
func sourceRoot(dir, module string) bool {
	base := dir[strings.LastIndexByte(dir, '/')+1:]
	return dir == "" || slices.Contains(sourceRoots, base) || plainName(base) == plainName(module)
}

// ownModule says whether the repository has a directory that a module of that name
// is installed from.
func (m *Mapper) ownModule(name string) bool {
	return slices.ContainsFunc(m.dirs[name], func(d string) bool {
		prefix, _ := strings.CutSuffix("/"+d, "/"+name)
		return sourceRoot(prefix, name) && path.Base(prefix) != name
	})
}

// inPackage maps a path inside of a package of npm, crates or gems.
func (m *Mapper) inPackage(name, inner string) Location {
	dirs := m.packageDirs(name)
	if len(dirs) == 0 {
		return outside(OtherPackage, name)
	}
	var fit []string
	for _, d := range dirs {
		if f := path.Join(d, inner); m.files[f] && !slices.Contains(fit, f) {
			fit = append(fit, f)
		}
	}
	return choose(fit, path.Join(name, inner))
}

// packageDirs are the directories that hold a package of the repository.
func (m *Mapper) packageDirs(name string) []string {
	if d, ok := m.tree.Packages[name]; ok {
		return []string{d}
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	var dirs []string
	own := m.tree.Repo.Name != "" && (plainName(base) == plainName(m.tree.Repo.Name) || strings.HasPrefix(plainName(base), plainName(m.tree.Repo.Name)+"-"))
	if own {
		dirs = append(dirs, "")
	}
	for _, d := range m.dirs[base] {
		parent := path.Base(path.Dir(d))
		if own && path.Dir(d) == "." || parent == "packages" || parent == "crates" || parent == "gems" {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

var languageAffix = strings.NewReplacer("_", "-", ".js", "", ".go", "", ".rs", "", ".py", "")

// plainName makes names equal that differ in what registries and hosts add.
func plainName(s string) string {
	s = languageAffix.Replace(strings.ToLower(s))
	for _, affix := range []string{"go", "js", "py", "rs", "python", "rust"} {
		s = strings.TrimSuffix(strings.TrimPrefix(s, affix+"-"), "-"+affix)
	}
	return s
}

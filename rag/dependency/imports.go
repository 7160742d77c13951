package dependency

import (
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Index knows what files import; a *code.Index does.
type Index interface {
	Imports(path string) []code.Import
}

// Imported gives the libraries that files import, in the order of the imports.
// Modules of the repository itself and of the language are none.
func (l *Libraries) Imported(index Index, paths []string) []Library {
	var out []Library
	seen := map[key]bool{}
	for _, p := range paths {
		lang := source.LanguageOf(p, nil)
		for _, imp := range index.Imports(p) {
			if len(imp.Files) > 0 {
				continue
			}
			lib, ok := l.Importing(lang, imp.Module)
			if !ok && imp.Name != "" {
				lib, ok = l.Importing(lang, imp.Module+"."+imp.Name)
			}
			if k := (key{lib.Ecosystem, lib.Name}); ok && !seen[k] {
				seen[k] = true
				out = append(out, lib)
			}
		}
	}
	return out
}

// Importing gives the library that a module comes from, as an import statement of a
// language names it.
func (l *Libraries) Importing(lang source.Language, module string) (Library, bool) {
	module = strings.TrimSpace(module)
	if module == "" || strings.HasPrefix(module, ".") || len(module) > 500 {
		return Library{}, false
	}
	switch lang {
	case source.Python:
		return l.first(manifest.PyPI, distributions(module))
	case source.Go:
		return l.longest(manifest.Go, module)
	case source.JavaScript, source.TypeScript, source.TSX:
		return l.first(manifest.NPM, npmPackages(module))
	case source.Rust:
		crate, _, _ := strings.Cut(strings.TrimPrefix(module, "::"), "::")
		return l.first(manifest.Cargo, []string{crate})
	case source.Java, source.Kotlin, source.Scala:
		return l.ofGroup(module)
	case source.Ruby:
		gem, _, _ := strings.Cut(module, "/")
		return l.first(manifest.Gem, []string{strings.ReplaceAll(module, "/", "-"), gem, strings.ReplaceAll(gem, "_", "-")})
	case source.PHP:
		return l.ofNamespace(module)
	}
	return Library{}, false
}

// first gives the first library that there is of some names, each a registry's or one
// that a manifest gives in its place.
func (l *Libraries) first(eco manifest.Ecosystem, names []string) (Library, bool) {
	for _, name := range names {
		k := key{eco, eco.Canonical(name)}
		for _, by := range []map[key]int{l.byAs, l.byKey} {
			if i, ok := by[k]; ok {
				return l.all[i], true
			}
		}
	}
	return Library{}, false
}

// longest gives the module that an import path lies in.
func (l *Libraries) longest(eco manifest.Ecosystem, module string) (Library, bool) {
	for p := module; p != ""; {
		if lib, ok := l.first(eco, []string{p}); ok {
			return lib, true
		}
		cut := strings.LastIndexByte(p, '/')
		p = p[:max(cut, 0)]
	}
	return Library{}, false
}

// npmPackages: a package's name is the first part of a path, two with a scope.
func npmPackages(module string) []string {
	module = strings.TrimPrefix(module, "npm:")
	if strings.HasPrefix(module, "node:") {
		return nil
	}
	parts := strings.SplitN(module, "/", 3)
	if strings.HasPrefix(module, "@") && len(parts) > 1 {
		parts[0] += "/" + parts[1]
	}
	return []string{parts[0]}
}

// ofGroup gives the artifact whose group, and then whose name, shares most with a
// Java package.
func (l *Libraries) ofGroup(module string) (best Library, ok bool) {
	most := 0
	for _, lib := range l.all {
		group, artifact, _ := strings.Cut(lib.Name, ":")
		if lib.Ecosystem != manifest.Maven || !within(module, group) && !within(module, strings.ReplaceAll(group, "-", "")) {
			continue
		}
		n := 100 * len(group)
		for _, word := range strings.FieldsFunc(artifact, func(r rune) bool { return r == '-' || r == '.' }) {
			if strings.Contains(module[len(group):], word) {
				n += 10 * len(word)
			} else {
				n--
			}
		}
		if n > most {
			best, most, ok = lib, n, true
		}
	}
	return best, ok
}

func within(module, group string) bool {
	return group != "" && strings.HasPrefix(module, group) && (len(module) == len(group) || module[len(group)] == '.')
}

// ofNamespace gives the package of a PHP namespace: Vendor\Name, or Name alone.
func (l *Libraries) ofNamespace(module string) (Library, bool) {
	parts := strings.Split(strings.TrimPrefix(module, `\`), `\`)
	vendor := strings.ToLower(parts[0])
	names := []string{vendor + "/" + vendor}
	if len(parts) > 1 {
		names = append([]string{vendor + "/" + kebab(parts[1]), vendor + "/" + strings.ToLower(parts[1])}, names...)
	}
	if len(parts) > 2 {
		names = append([]string{vendor + "/" + kebab(parts[2])}, names...)
	}
	return l.first(manifest.Composer, names)
}

// kebab makes EventDispatcher event-dispatcher.
func kebab(s string) string {
	var out strings.Builder
	for i, c := range s {
		if c >= 'A' && c <= 'Z' && i > 0 {
			out.WriteByte('-')
		}
		out.WriteRune(c)
	}
	return strings.ToLower(out.String())
}

package code

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/repomind/repomind/internal/source"
)

// shown leaves out what a map is not about: tests, examples and copies, unless they
// are mentioned.
func (x *Index) shown(all []ranked, m mentionSet) []ranked {
	return slices.DeleteFunc(all, func(r ranked) bool {
		p := x.files[r.p.file].path
		return source.RoleOf(p) != source.Code && !m.file(p)
	})
}

// mentionSet is what a question names, in lower case.
type mentionSet map[string]bool

func mentions(words []string) mentionSet {
	m := mentionSet{}
	for _, w := range words {
		m[strings.ToLower(strings.TrimSpace(w))] = true
	}
	delete(m, "")
	return m
}

// file: the path, its base name or a directory of it is mentioned.
func (m mentionSet) file(p string) bool {
	if len(m) == 0 {
		return false
	}
	p = strings.ToLower(p)
	if m[p] || m[path.Base(p)] || m[stem(p)] {
		return true
	}
	for d := dir(p); d != ""; d = dir(d) {
		if m[d] || m[path.Base(d)] {
			return true
		}
	}
	return false
}

// weight is how much a name tells: ten times for one that is mentioned and for a long
// name of several words, a tenth for a private one, next to nothing for the names that
// every library has.
func (m mentionSet) weight(name string) float64 {
	w := 1.0
	if m[strings.ToLower(name)] {
		w *= 10
	}
	if len(name) >= 8 && severalWords(name) {
		w *= 10
	}
	if strings.HasPrefix(name, "_") {
		w *= 0.1
	}
	if usualNames[name] || builtinTypes[name] || goTypes[name] {
		w *= 0.05
	}
	if strings.HasPrefix(name, "__") { // __init__
		w = 0
	}
	return w
}

func severalWords(name string) bool {
	if strings.Contains(strings.Trim(name, "_"), "_") {
		return true
	}
	lower := strings.ContainsFunc(name, unicode.IsLower)
	return lower && strings.ContainsFunc(name[1:], unicode.IsUpper)
}

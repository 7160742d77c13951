package code

import (
	"path"
	"regexp"

	"github.com/repomind/repomind/internal/source"
)

// manifest is the language of the files that give a directory the name under which
// others import it.
const manifest source.Language = "manifest"

var manifestNames = map[string]struct {
	lang source.Language
	name *regexp.Regexp
}{
	"go.mod":       {source.Go, regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)},
	"package.json": {source.JavaScript, regexp.MustCompile(`"name"\s*:\s*"([^"]+)"`)},
	"Cargo.toml":   {source.Rust, regexp.MustCompile(`(?s)\[package\][^\[]*?\bname\s*=\s*"([^"]+)"`)},
}

func manifestLanguage(p string) source.Language { return manifestNames[path.Base(p)].lang }

// manifestFacts are the name alone. Which of the patterns fits depends on the base
// name of the file, which belongs to its key.
func manifestFacts(base string, data []byte) *facts {
	f := &facts{lang: manifest}
	if m := manifestNames[base].name.FindSubmatch(data); m != nil && len(m[1]) < 300 {
		f.pkg = string(m[1])
	}
	return f
}

// languageFor is the language of a file as this package reads it: the second value
// is false for what it does not read at all.
func languageFor(p string) (source.Language, bool) {
	if _, ok := manifestNames[path.Base(p)]; ok {
		return manifest, true
	}
	lang := source.LanguageOf(p, nil)
	_, ok := languageOf(lang)
	return lang, ok
}

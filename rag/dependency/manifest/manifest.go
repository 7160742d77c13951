// Package manifest reads which libraries a repository asks for, and in which
// versions, from the files that its package managers read and write.
//
// Nothing is run and nothing is looked up: a setup.py or a build.gradle gives what
// stands in it as text. Each requirement knows the file and the line that says so.
package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Ecosystem is a world of libraries with names of its own.
type Ecosystem string

// The ecosystems. Their values are those of package URLs.
const (
	PyPI     Ecosystem = "pypi"
	Go       Ecosystem = "golang"
	NPM      Ecosystem = "npm"
	Cargo    Ecosystem = "cargo"
	Maven    Ecosystem = "maven"
	Gem      Ecosystem = "gem"
	Composer Ecosystem = "composer"
)

// Requirement is one library as one place in one file asks for it.
type Requirement struct {
	Ecosystem  Ecosystem
	Name       string      // as its registry has it; Maven's is group:artifact
	As         string      // the name that the code has for it, where the file gives another
	Constraint string      // as written; "" is any version
	Version    string      // the one version that it can be, "" if the place leaves that open
	URL        string      // where it comes from if not from a registry
	Dir        string      // where it stands in the repository itself, "." for the root
	Direct     bool        // the repository itself asks for it, not another library
	At         source.Span // the line that says so
}

// File is what a manifest or lock file holds.
type File struct {
	Requirements []Requirement
	Includes     []string // other files of the repository that it goes on in
	Skipped      []string // lines that could not be read, each as "path:line: reason"
}

// MaxSize is the size of a file that is read, in bytes.
const MaxSize = 8 << 20

// ErrUnknown means that a path is not that of a manifest.
var ErrUnknown = errors.New("no manifest that is known")

// Known says whether a path is that of a manifest or lock file.
func Known(p string) bool { return reader(p) != nil }

// Parse reads the file at a path of the repository. The error is a *SyntaxError for
// a file that cannot be read, and ErrUnknown for a path that is not Known.
func Parse(p string, data []byte) (File, error) {
	read := reader(p)
	if read == nil {
		return File{}, fmt.Errorf("%s: %w", source.Quote(p), ErrUnknown)
	}
	return parse(p, data, read)
}

// ParseIncluded reads a file that a requirements file goes on in, whatever its name.
func ParseIncluded(p string, data []byte) (File, error) { return parse(p, data, readRequirements) }

func parse(p string, data []byte, read func(*writer, []byte) error) (File, error) {
	if len(data) > MaxSize {
		return File{}, &SyntaxError{Path: source.Quote(p), Reason: fmt.Sprintf("larger than %d MB", MaxSize>>20)}
	}
	w := writer{path: p}
	err := read(&w, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	var where *SyntaxError
	if errors.As(err, &where) {
		where.Path = source.Quote(p)
	} else if err != nil {
		err = fmt.Errorf("%s: %w", source.Quote(p), err)
	}
	return w.File, err
}

// reader gives what reads a file, told by its name.
func reader(p string) func(*writer, []byte) error {
	base := path.Base(p)
	if read, ok := byName[base]; ok {
		return read
	}
	switch ext := path.Ext(base); {
	case strings.HasSuffix(p, "vendor/modules.txt"):
		return readModulesTxt
	case ext == ".txt" || ext == ".in":
		if strings.Contains(base, "requirements") || strings.Contains(base, "constraints") || path.Base(path.Dir(p)) == "requirements" {
			return readRequirements
		}
	case strings.HasSuffix(base, ".versions.toml"):
		return readCatalog
	}
	return nil
}

var byName = map[string]func(*writer, []byte) error{
	"pyproject.toml": readPyproject, "uv.lock": readUvLock, "poetry.lock": readPoetryLock, "pdm.lock": readPoetryLock,
	"pylock.toml": readUvLock, "setup.cfg": readSetupCfg, "setup.py": readSetupPy, "Pipfile": readPipfile, "Pipfile.lock": readPipfileLock,
	"go.mod": readGoMod, "go.sum": readGoSum,
	"package.json": readPackageJSON, "package-lock.json": readPackageLock, "npm-shrinkwrap.json": readPackageLock,
	"yarn.lock": readYarnLock, "pnpm-lock.yaml": readPnpmLock, "bun.lock": readBunLock,
	"Cargo.toml": readCargoToml, "Cargo.lock": readCargoLock,
	"pom.xml": readPom, "build.gradle": readGradle, "build.gradle.kts": readGradle, "gradle.lockfile": readGradleLock,
	"Gemfile": readGemfile, "Gemfile.lock": readGemfileLock, "gems.rb": readGemfile, "gems.locked": readGemfileLock,
	"composer.json": readComposer, "composer.lock": readComposerLock,
}

// Bounds of what one file asks for.
const (
	maxRequirements = 200_000
	maxName         = 300  // bytes
	maxRequirement  = 2000 // bytes of all that is said beside the name
)

// writer collects what a file asks for.
type writer struct {
	File
	path string
}

func (w *writer) add(line int, r Requirement) {
	if r.Name = strings.TrimSpace(r.Name); r.Name == "" || len(w.Requirements) >= maxRequirements {
		return
	}
	if len(r.Name) > maxName || len(r.As)+len(r.Constraint)+len(r.Version)+len(r.URL)+len(r.Dir) > maxRequirement {
		w.skip(line, "too long for a requirement")
		return
	}
	r.Constraint = strings.TrimSpace(r.Constraint)
	r.At = source.Span{Path: w.path, Start: line, End: line}
	w.Requirements = append(w.Requirements, r)
}

func (w *writer) skip(line int, format string, args ...any) {
	if len(w.Skipped) < 100 {
		w.Skipped = append(w.Skipped, fmt.Sprintf("%s:%d: ", source.Quote(w.path), line)+fmt.Sprintf(format, args...))
	}
}

// dir gives the path from the root for one that the file names, "" for one that
// leads out of the repository.
func (w *writer) dir(p string) string {
	p = strings.TrimPrefix(p, "file:")
	if path.IsAbs(p) || strings.Contains(p, `\`) || strings.Contains(p, ":") {
		return ""
	}
	p = path.Join(path.Dir(w.path), p)
	if _, err := source.CleanPath(p); err != nil {
		return ""
	}
	return p
}

// place gives the directory for a path that the file names as where a library comes
// from. One outside of the repository is an address that nobody goes to: a registry may
// have another library of that name.
func (w *writer) place(p string) (url, dir string) {
	if dir = w.dir(p); dir == "" {
		url = "file:" + strings.TrimPrefix(p, "file:")
	}
	return url, dir
}

// maxLine is the length of a line that is looked into, in bytes.
const maxLine = 64 << 10

// lines calls each with the lines of a text.
func (w *writer) lines(data []byte, each func(no int, text string)) {
	no := 0
	for text := range strings.Lines(string(data)) {
		no++
		if len(text) > maxLine {
			w.skip(no, "a line of more than %d kB", maxLine>>10)
			continue
		}
		each(no, strings.TrimRight(text, "\r\n"))
	}
}

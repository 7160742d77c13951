// Package client brings the source archive of a library by the client that its
// ecosystem has for that: go, pip, npm, cargo, mvn. The user's mirrors, proxies and
// credentials keep working, as no registry is named here.
//
// A client is asked for the one archive, never to build, install or run it: of
// Python a wheel, of npm a package whose scripts stay off, of Go no version control, of
// Maven the jar of sources.
package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Config says how clients are run.
type Config struct {
	// Env is the environment of the process, as os.Environ gives it. Clients see of
	// it what Passed names, and nothing else.
	Env []string

	Time time.Duration // for one archive. Zero means 3 minutes
	Size int64         // bytes that a client may write. Zero means 512 MB
}

// Library says what to bring.
type Library struct {
	Ecosystem  manifest.Ecosystem
	Name       string
	Version    string // exact; "" is the newest that Constraint allows
	Constraint string // as the ecosystem writes it; "" allows all
}

func (l Library) String() string {
	switch {
	case l.Version != "":
		return source.Quote(l.Name) + " " + source.Quote(l.Version)
	case l.Constraint != "":
		return source.Quote(l.Name) + " " + source.Quote(l.Constraint)
	}
	return source.Quote(l.Name)
}

// Archive is a file that a client brought. It belongs to the client's own cache or
// to the directory that was given.
type Archive struct {
	File    string
	Strip   int // how many parts of each path in it name the library and not a file
	Version string
}

// ErrNoClient means that an ecosystem has no client that is used here.
var ErrNoClient = errors.New("no client brings the source of a library of this kind")

// ErrInvalid means that a name or version is none that a registry could have.
var ErrInvalid = errors.New("not the name or version of a library")

// MissingError says that a client is not installed.
type MissingError struct{ Client string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed, and the source of the library comes by it; install it or put it on PATH", e.Client)
}

// Get brings the archive of a library, by way of dir, a directory that is empty. The
// error is ErrInvalid, ErrNoClient, a *MissingError, an *Error with what the client
// said, or the end of ctx.
func (c Config) Get(ctx context.Context, l Library, dir string) (Archive, error) {
	get, ok := clients[l.Ecosystem]
	if !ok {
		return Archive{}, fmt.Errorf("%w: %s", ErrNoClient, l.Ecosystem)
	}
	if err := check(l); err != nil {
		return Archive{}, err
	}
	got, err := get(ctx, c.complete(), l, dir)
	if err != nil {
		return Archive{}, fmt.Errorf("get the source of %s: %w", l, err)
	}
	if info, err := os.Lstat(got.File); err != nil || !info.Mode().IsRegular() {
		return Archive{}, fmt.Errorf("get the source of %s: the client gave no file", l)
	}
	return got, nil
}

func (c Config) complete() Config {
	c.Time = cmp.Or(c.Time, 3*time.Minute)
	c.Size = cmp.Or(c.Size, 512<<20)
	return c
}

var clients = map[manifest.Ecosystem]func(context.Context, Config, Library, string) (Archive, error){
	manifest.Go: getGo, manifest.PyPI: getWheel, manifest.NPM: getNPM, manifest.Cargo: getCrate, manifest.Maven: getSources,
}

// What may stand on a command line; on Windows the shell that npm is started by reads
// some of it, too. A name that begins with a dash would be an
// option, and one with a colon or a path could name a directory or a repository,
// which npm and pip would build.
var (
	names = map[manifest.Ecosystem]*regexp.Regexp{
		manifest.Go:    regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]*(?:/[A-Za-z0-9._~+-]+)*$`),
		manifest.PyPI:  regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`),
		manifest.NPM:   regexp.MustCompile(`^(?:@[A-Za-z0-9~-][A-Za-z0-9._~-]*/)?[A-Za-z0-9_~][A-Za-z0-9._~-]*$`),
		manifest.Cargo: regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`),
		manifest.Maven: regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*:[A-Za-z0-9][A-Za-z0-9._-]*$`),
	}
	version = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.+!_-]*$`)
	ranges  = regexp.MustCompile(`^[A-Za-z0-9^~<>=!*][A-Za-z0-9.+!_*^~<>=,| -]*$`)
)

func check(l Library) error {
	ok := len(l.Name) <= 200 && len(l.Version) <= 100 && len(l.Constraint) <= 300 &&
		names[l.Ecosystem].MatchString(l.Name) &&
		(l.Version == "" || version.MatchString(l.Version)) &&
		(l.Constraint == "" || l.Version != "" || isRange(l.Constraint))
	if !ok {
		return fmt.Errorf("%w: %s", ErrInvalid, l)
	}
	return nil
}

// isRange says whether a constraint is one of versions. No word of it is an option.
func isRange(s string) bool {
	for word := range strings.FieldsSeq(s) {
		if word[0] == '-' && word != "-" {
			return false
		}
	}
	return ranges.MatchString(s) && !(runtime.GOOS == "windows" && strings.ContainsAny(s, "<>|^"))
}

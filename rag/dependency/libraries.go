package dependency

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Libraries are those that a repository asks for.
type Libraries struct {
	all   []Library
	byKey map[key]int
	byAs  map[key]int // by the name that the code has
	notes []string
}

type key struct {
	eco  manifest.Ecosystem
	name string // canonical
}

func (l *Libraries) note(format string, args ...any) {
	if len(l.notes) < maxNotes {
		l.notes = append(l.notes, fmt.Sprintf(format, args...))
	}
}

func (l *Libraries) take(f manifest.File, err error) {
	if err != nil {
		l.note("%v", err)
	}
	for _, s := range f.Skipped {
		l.note("%s", s)
	}
	for _, r := range f.Requirements {
		l.add(r)
	}
	if len(l.all) == maxLibraries {
		l.note("more than %d libraries are asked for; the rest is not known", maxLibraries)
	}
}

func (l *Libraries) add(r manifest.Requirement) {
	k := key{r.Ecosystem, r.Ecosystem.Canonical(r.Name)}
	i, ok := l.byKey[k]
	if !ok {
		if i = len(l.all); i == maxLibraries {
			return
		}
		l.byKey[k] = i
		l.all = append(l.all, Library{Ecosystem: r.Ecosystem, Name: r.Name, Asked: r.At})
	}
	lib := &l.all[i]
	if r.Direct && !lib.Direct {
		lib.Asked, lib.Constraint = r.At, r.Constraint
	}
	lib.Direct = lib.Direct || r.Direct
	lib.As, lib.Dir = cmp.Or(lib.As, r.As), cmp.Or(lib.Dir, r.Dir)
	// A manifest may name a branch, its lock file the commit.
	if r.URL != "" && (lib.URL == "" || locks(lib.urlAt) < locks(r.At.Path) && path.Dir(lib.urlAt) == path.Dir(r.At.Path)) {
		lib.URL, lib.urlAt = r.URL, r.At.Path
	}
	same := func(p Pin) bool { return p.Version == r.Version }
	if r.Version != "" && len(lib.Pins) < 100 && !slices.ContainsFunc(lib.Pins, same) {
		lib.Pins = append(lib.Pins, Pin{r.Version, r.At})
	}
}

// settle orders what does not depend on the order of files.
func (l *Libraries) settle() {
	for i := range l.all {
		lib := &l.all[i]
		slices.SortStableFunc(lib.Pins, func(a, b Pin) int { return cmp.Compare(lib.trust(a), lib.trust(b)) })
	}
	slices.SortStableFunc(l.all, func(a, b Library) int {
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Ecosystem, b.Ecosystem), cmp.Compare(a.Name, b.Name))
	})
	for i, lib := range l.all {
		l.byKey[key{lib.Ecosystem, lib.Ecosystem.Canonical(lib.Name)}] = i
		if lib.As != "" {
			l.byAs[key{lib.Ecosystem, lib.Ecosystem.Canonical(lib.As)}] = i
		}
	}
}

// trust is lower for a pin that is nearer to what the repository gets: one of the
// number that the manifest asks for; and one of go.sum last, where versions stand
// that were only looked at.
func (l *Library) trust(p Pin) int {
	switch {
	case path.Base(p.At.Path) == "go.sum":
		return 2
	case l.Ecosystem == manifest.Cargo && l.Constraint != "" && len(l.Pins) > 1 && !sameLine(p.Version, l.Constraint):
		return 1
	}
	return 0
}

// sameLine says whether a version is of the line that Cargo's ^ keeps to: the first
// number, and the second where that is 0.
func sameLine(version, constraint string) bool {
	want := strings.Split(strings.TrimLeft(constraint, "^~=> "), ".")
	have := strings.Split(version, ".")
	return have[0] == want[0] && (want[0] != "0" || len(want) < 2 || len(have) > 1 && have[1] == want[1])
}

func rank(l Library) int {
	if l.Direct {
		return 0
	}
	return 1
}

// All lists the libraries, direct ones first, each kind by ecosystem and name.
func (l *Libraries) All() []Library { return l.all }

// Notes tell what could not be read.
func (l *Libraries) Notes() []string { return l.notes }

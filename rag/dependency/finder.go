package dependency

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Finder searches the libraries of one repository at a commit. Its methods may be
// called from several goroutines; one of them works at a time.
type Finder struct {
	sources *Sources
	tree    Tree
	work    string
	turn    chan struct{}
	libs    *Libraries
	open    []opened // used last first
}

type opened struct {
	name, version string
	eco           manifest.Ecosystem
	source        *Source
}

// maxOpen is how many libraries are held in memory.
const maxOpen = 4

// Finder gives the Finder of a repository. Work is the directory of this machine where
// it is checked out and libraries may be installed, "" for none. Nothing is read before
// it is asked for.
func (s *Sources) Finder(tree Tree, work string) *Finder {
	return &Finder{sources: s, tree: tree, work: work, turn: make(chan struct{}, 1)}
}

// Found is what a search gives.
type Found struct {
	Name     string
	Version  string // "" if nothing says which
	From     string // where the source comes from
	Asked    string // the lines of manifests that ask for it, "" for a library behind another
	Notes    []string
	Excerpts []Excerpt
}

// Libraries gives what the repository asks for.
func (f *Finder) Libraries(ctx context.Context) (*Libraries, error) {
	if err := f.enter(ctx); err != nil {
		return nil, err
	}
	defer f.leave()
	return f.libraries(ctx)
}

// Search gives the parts of a library's source that are nearest to a query, the best
// first, at most max. The name is that of a registry or of an import. With version ""
// it takes the version that the repository gets. The error is ErrUnknown with the
// names that there are, ErrNoSource, or that of the tree or ctx.
func (f *Finder) Search(ctx context.Context, name, version, query string, max int) (Found, error) {
	if err := f.enter(ctx); err != nil {
		return Found{}, err
	}
	defer f.leave()
	limit := f.sources.cfg.Time
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("to look into %s took longer than %v", source.Quote(name), limit))
	defer cancel()
	out, err := f.search(ctx, name, version, query, max)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return out, err
}

func (f *Finder) search(ctx context.Context, name, version, query string, max int) (Found, error) {
	lib, err := f.find(ctx, name)
	if err != nil {
		return Found{}, err
	}
	src, err := f.source(ctx, lib, version)
	if err != nil {
		return Found{}, err
	}
	out := Found{Name: lib.Name, Version: src.Version, From: src.From, Notes: src.Notes(), Asked: asked(lib, src.Version)}
	out.Excerpts, err = src.Search(ctx, query, max)
	return out, err
}

func (f *Finder) enter(ctx context.Context) error {
	select {
	case f.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (f *Finder) leave() { <-f.turn }

func (f *Finder) libraries(ctx context.Context) (*Libraries, error) {
	if f.libs == nil {
		libs, err := Read(ctx, f.tree)
		if err != nil {
			return nil, err
		}
		f.libs = libs
	}
	return f.libs, nil
}

// find looks a name up among what the repository asks for, and else behind it:
// pydantic-core is asked for by pydantic, whose own metadata has its version.
func (f *Finder) find(ctx context.Context, name string) (Library, error) {
	libs, err := f.libraries(ctx)
	if err != nil {
		return Library{}, err
	}
	lib, unknown := libs.Find(name)
	if unknown == nil {
		return lib, nil
	}
	want := manifest.PyPI.Canonical(strings.TrimSpace(name))
	for _, lib := range libs.All() {
		have := manifest.PyPI.Canonical(lib.Name)
		if lib.Ecosystem != manifest.PyPI || len(have) < 3 || !strings.Contains(want, have) {
			continue
		}
		requires, err := f.sources.requires(ctx, f.work, lib)
		if err != nil {
			return Library{}, errors.Join(unknown, fmt.Errorf("look whether %s needs it: %w", source.Quote(lib.Name), err))
		}
		for _, r := range requires {
			if manifest.PyPI.Canonical(r.Name) == want {
				return behind(r), nil
			}
		}
	}
	return Library{}, unknown
}

func behind(r manifest.Requirement) Library {
	lib := Library{Ecosystem: r.Ecosystem, Name: r.Name, Constraint: r.Constraint}
	if r.Version != "" {
		lib.Pins = []Pin{{Version: r.Version}}
	}
	return lib
}

func (f *Finder) source(ctx context.Context, lib Library, version string) (*Source, error) {
	same := func(o opened) bool { return o.eco == lib.Ecosystem && o.name == lib.Name && o.version == version }
	if i := slices.IndexFunc(f.open, same); i >= 0 {
		o := f.open[i]
		f.open = slices.Insert(slices.Delete(f.open, i, i+1), 0, o)
		return o.source, nil
	}
	src, err := f.sources.open(ctx, f.tree, f.work, lib, version)
	if err != nil {
		return nil, err
	}
	f.open = slices.Insert(f.open, 0, opened{lib.Name, version, lib.Ecosystem, src})
	f.open = f.open[:min(len(f.open), maxOpen)]
	return src, nil
}

// asked names the lines that ask for a library and hold it to a version.
func asked(lib Library, version string) string {
	if lib.Asked.Path == "" {
		return ""
	}
	out := lib.Asked.String()
	for _, p := range lib.Pins {
		if p.Version == version && p.At != lib.Asked {
			out += ", " + p.At.String()
		}
	}
	return out
}

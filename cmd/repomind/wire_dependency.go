package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency"
	"github.com/repomind/repomind/rag/dependency/client"
	"github.com/repomind/repomind/tools"
)

// libraries hands the libraries of a repository to the tools, which do not know where
// they come from.
type libraries struct{ finder *dependency.Finder }

func (l libraries) Search(ctx context.Context, name, version, query string, max int) (tools.Dependency, error) {
	found, err := l.finder.Search(ctx, name, version, query, max)
	if err != nil {
		return tools.Dependency{}, err
	}
	out := tools.Dependency{Name: found.Name, Version: found.Version, From: found.From, Asked: found.Asked, Notes: found.Notes}
	for _, e := range found.Excerpts {
		out.Excerpts = append(out.Excerpts, tools.Excerpt(e))
	}
	return out, nil
}

// newLibraries looks into what the repository of a snapshot uses. Nothing is brought
// before it is asked for.
func newLibraries(cache *repo.Cache, s *repo.Snapshot, from repo.Origin, progress io.Writer) (libraries, error) {
	dir, err := cacheDir()
	if err != nil {
		return libraries{}, err
	}
	public, err := openCache(progress, nil)
	if err != nil {
		return libraries{}, err
	}
	own, others := dependency.Clones(cache), dependency.Clones(public)
	sources := dependency.NewSources(dependency.Config{
		Dir:    filepath.Join(dir, "libraries"),
		Client: client.Config{Env: os.Environ()},
		Hosts:  slices.Compact([]string{source.GitHub, from.Repo.HostName()}),
		// It is the repository that names others. Were they read with the user's token,
		// a foreign one could name a private one and have it shown.
		Clone: func(ctx context.Context, r source.Repo, revs []string) (dependency.Tree, string, func(), error) {
			if r.HostName() == from.Repo.HostName() && strings.EqualFold(r.Owner, from.Repo.Owner) {
				return own(ctx, r, revs)
			}
			return others(ctx, r, revs)
		},
		Notify: func(event string) { fmt.Fprintf(progress, "repomind: %s\n", event) },
	})
	return libraries{sources.Finder(s, from.Dir)}, nil
}

package dependency

import (
	"context"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// ClonesOf is Clones for a repository of this machine.
func ClonesOf(cache *repo.Cache, dir string) Clone {
	return func(ctx context.Context, _ source.Repo, revs []string) (Tree, string, func(), error) {
		return openFirst(ctx, cache, repo.Origin{Dir: dir}, revs)
	}
}

// Repository and Tags are how an address and a version are read.
func Repository(address string) (source.Repo, string, bool)     { return repository(address) }
func Tags(lib Library, version, dir, rev string) []string       { return tags(lib, version, dir, rev) }
func OfModule(module string) (r source.Repo, d string, ok bool) { return ofModule(module) }

package dependency

import (
	"context"
	"errors"
	"fmt"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// Clone opens a repository at the first of some revisions that it has. The caller
// calls done when it no longer reads the tree.
type Clone func(ctx context.Context, r source.Repo, revs []string) (tree Tree, rev string, done func(), err error)

// ErrNoTag means that a repository has none of the revisions.
var ErrNoTag = errors.New("no tag of that version")

// Clones gives the Clone of a cache of clones.
func Clones(cache *repo.Cache) Clone {
	return func(ctx context.Context, r source.Repo, revs []string) (Tree, string, func(), error) {
		return openFirst(ctx, cache, repo.Origin{Repo: r}, revs)
	}
}

func openFirst(ctx context.Context, cache *repo.Cache, from repo.Origin, revs []string) (Tree, string, func(), error) {
	var want []string
	for _, rev := range revs[:min(len(revs), 1)] {
		if commit, err := source.ParseCommit(rev); err == nil {
			want = append(want, string(commit)) // it need not be on a branch
		}
	}
	clone, err := cache.Open(ctx, from, want...)
	if err != nil {
		return nil, "", nil, err
	}
	tree, rev, err := firstOf(ctx, clone, revs)
	if err != nil {
		clone.Close()
		return nil, "", nil, fmt.Errorf("%s: %w", from, err)
	}
	return tree, rev, clone.Close, nil
}

func firstOf(ctx context.Context, clone *repo.Clone, revs []string) (Tree, string, error) {
	for _, rev := range revs {
		at, err := clone.Resolve(ctx, rev)
		switch {
		case errors.Is(err, repo.ErrNoCommit):
			continue
		case err != nil:
			return nil, "", err
		}
		tree, err := clone.Snapshot(ctx, at)
		return tree, rev, err
	}
	return nil, "", ErrNoTag
}

package rag_test

import (
	"context"
	"flag"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

var (
	update = flag.Bool("update", false, "rewrite the goldens")
	long   = flag.Bool("long", false, "index 100,000 files")
)

var ours = source.Repo{Owner: "acme", Name: "ship"}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// clone opens a repository as the program does.
func clone(tb testing.TB, r *repotest.Repo) *repo.Clone {
	tb.Helper()
	cache, err := repo.NewCache(repo.Config{Dir: tb.TempDir()})
	must(tb, err)
	c, err := cache.Open(tb.Context(), repo.Origin{Dir: r.Dir}, r.Commits...)
	must(tb, err)
	tb.Cleanup(c.Close)
	return c
}

func snapshot(tb testing.TB, c *repo.Clone, at string) *repo.Snapshot {
	tb.Helper()
	s, err := c.Snapshot(tb.Context(), source.Commit(at))
	must(tb, err)
	return s
}

// opening is one Open with what it was told and what it asked for.
type opening struct {
	index  *rag.Index
	built  int64    // how often the code was asked for
	read   int      // the contents that were read
	events []string // what Notify was told
}

// open makes the index of a snapshot; dir is where it is kept.
func open(tb testing.TB, s *repo.Snapshot, dir string) opening {
	tb.Helper()
	var o opening
	var built atomic.Int64
	x, err := rag.Open(tb.Context(), s, rag.Config{
		Dir: dir, Repo: ours,
		Code: func(ctx context.Context) (*code.Index, error) {
			built.Add(1)
			return code.Build(ctx, s.Files(), s, code.Config{})
		},
		Notify:   func(event string) { o.events = append(o.events, event) },
		Progress: func(_, all int) { o.read = all },
	})
	must(tb, err)
	o.index, o.built = x, built.Load()
	return o
}

// index is the index of the last of these commits, not kept anywhere.
func index(tb testing.TB, commits ...string) *rag.Index {
	tb.Helper()
	r := repotest.New(tb, commits...)
	return open(tb, snapshot(tb, clone(tb, r), r.Commits[len(r.Commits)-1]), "").index
}

func search(tb testing.TB, x *rag.Index, q rag.Query) rag.Result {
	tb.Helper()
	res, err := x.Search(tb.Context(), q, rag.Options{})
	must(tb, err)
	return res
}

func paths(files []rag.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Path)
	}
	return out
}

// placeOf is where the first that fits stands, from 1; 0 is nowhere.
func placeOf[T any](all []T, fits func(T) bool) int { return 1 + slices.IndexFunc(all, fits) }

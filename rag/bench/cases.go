package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/rag"
)

// seen is a case with the evidence for it.
type seen struct {
	dataset.Case
	rag.Evidence
}

// candidates is how many files a case keeps; what stands lower is never among the
// first twenty, whatever the weights.
const candidates = 180

// load gives all cases with their evidence, that which is kept or new.
func load(ctx context.Context, o options) ([]seen, error) {
	all, err := dataset.Load(o.bugs, dataset.Limits{}, dataset.Cases)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c dataset.Case) bool { return !strings.Contains(c.ID, o.only) })
	out := make([]seen, len(all))
	byRepo := map[source.Repo][]int{}
	for i, c := range all {
		out[i].Case = c
		if o.fresh || !out[i].read(o) {
			byRepo[c.Input.Repo] = append(byRepo[c.Input.Repo], i)
		}
	}
	repos := make([]source.Repo, 0, len(byRepo))
	for r := range byRepo {
		repos = append(repos, r)
	}
	slices.SortFunc(repos, func(a, b source.Repo) int { return cmp.Compare(len(byRepo[b]), len(byRepo[a])) })
	return out, each(repos, func(r source.Repo) error {
		return look(ctx, o, r, out, byRepo[r])
	})
}

// each works on all with as many at once as there are processors.
func each[T any](all []T, do func(T) error) error {
	var wg sync.WaitGroup
	errs := make([]error, len(all))
	next := make(chan int, len(all))
	for i := range all {
		next <- i
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				errs[i] = do(all[i])
			}
		})
	}
	wg.Wait()
	return cmp.Or(errs...)
}

func look(ctx context.Context, o options, r source.Repo, all []seen, which []int) error {
	var want []string
	for _, i := range which {
		want = append(want, string(all[i].Input.Base))
	}
	clone, err := open(ctx, o, r, want...)
	if err != nil {
		return err
	}
	defer clone.Close()
	with, closeIt, err := vectors(ctx, o, r)
	if err != nil {
		return err
	}
	defer closeIt()
	for _, i := range which {
		s := &all[i]
		x, err := index(ctx, clone, r, s.Input.Base)
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		s.Evidence, err = x.Evidence(ctx, rag.Query{Title: s.Input.Title, Body: s.Input.Body}, with, candidates, s.Gold.Files...)
		if err != nil {
			return fmt.Errorf("%s: %w", s.ID, err)
		}
		if err := s.write(o); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, s.ID)
	}
	return nil
}

// vectors are those of the weights that were given, kept for each repository.
func vectors(ctx context.Context, o options, r source.Repo) (*rag.Vectors, func(), error) {
	if o.encoder == nil {
		return nil, func() {}, nil
	}
	store := flat.Open(flat.Config{Dir: filepath.Join(o.kept, "vectors")})
	kept, err := store.Open(ctx, vector.Key{Repo: r.String(), Model: o.encoder.Name()}, o.encoder.Dim())
	if err != nil {
		return nil, nil, err
	}
	return &rag.Vectors{Encoder: o.encoder, Kept: kept}, func() { kept.Close() }, nil
}

// open finds a clone in the folder.
func open(ctx context.Context, o options, r source.Repo, want ...string) (*repo.Clone, error) {
	cache, err := repo.NewCache(repo.Config{Dir: filepath.Join(o.kept, "clones"), MaxSize: 1 << 40})
	if err != nil {
		return nil, err
	}
	for _, name := range []string{r.Owner + "/" + r.Name, r.Owner + "+" + r.Name + "/repo", r.Name, r.Owner + "/" + r.Name + ".git"} {
		if dir := filepath.Join(o.clones, name); isDir(dir) {
			return cache.Open(ctx, repo.Origin{Dir: dir}, want...)
		}
	}
	return nil, fmt.Errorf("no clone of %s in %s", r, o.clones)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func index(ctx context.Context, clone *repo.Clone, r source.Repo, at source.Commit) (*rag.Index, error) {
	snapshot, err := clone.Snapshot(ctx, at)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return rag.Open(ctx, snapshot, rag.Config{
		Dir: clone.Derived("rag"), Repo: r,
		Notify: func(event string) { fmt.Fprintln(os.Stderr, event) },
		Code: func(ctx context.Context) (*code.Index, error) {
			return code.Build(ctx, snapshot.Files(), snapshot, code.Config{Dir: clone.Derived("code"), Parser: []string{self}})
		},
	})
}

// name is the file that keeps the evidence for a case; that with vectors is another.
func (s *seen) name(o options) string {
	dir := "cases"
	if o.encoder != nil {
		dir += "-" + o.encoder.Name()
	}
	return filepath.Join(o.kept, dir, s.ID+".gob")
}

func (s *seen) read(o options) bool {
	data, err := os.ReadFile(s.name(o))
	return err == nil && gob.NewDecoder(bytes.NewReader(data)).Decode(&s.Evidence) == nil && len(s.Files) > 0 && len(s.Files[0].Row) == len(rag.FileSignals())
}

func (s *seen) write(o options) error {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(s.Evidence); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.name(o)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(s.name(o), buf.Bytes(), 0o644)
}

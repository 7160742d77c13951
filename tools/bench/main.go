// Command bench measures what a model waits for: the search beside git grep and
// ripgrep, reading, and the look-up of symbols through the tools.
//
//	go run ./tools/bench -repo DIR [-at COMMIT]
//
// DIR is a git repository, such as a clone of python/mypy. Times are medians (and
// 95th percentiles where it says so); those that are compared are taken in turn.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/tools"
)

func main() {
	dir := flag.String("repo", "", "a git repository")
	at := flag.String("at", "HEAD", "the commit to look at")
	flag.Parse()
	if err := run(context.Background(), *dir, *at); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, at string) error {
	tmp, err := os.MkdirTemp("", "repomind-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	cache, err := repo.NewCache(repo.Config{Dir: tmp + "/clones"})
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "cloning", dir)
	b := bench{ctx: ctx, cache: cache, from: repo.Origin{Dir: dir}, at: at, tree: tmp + "/tree"}
	if err := b.open(); err != nil {
		return err
	}
	defer func() { b.clone.Close() }()
	fmt.Printf("%s at %s, %d files\n\n", dir, b.snapshot.Commit().Short(), len(b.snapshot.Files()))
	if err := b.searches(); err != nil {
		return err
	}
	return b.lookups()
}

type bench struct {
	ctx      context.Context
	cache    *repo.Cache
	from     repo.Origin
	at       string
	tree     string // where the files are exported for ripgrep
	clone    *repo.Clone
	snapshot *repo.Snapshot
}

// open opens the clone anew, with nothing read yet.
func (b *bench) open() error {
	if b.clone != nil {
		b.clone.Close()
	}
	var want []string
	if b.snapshot != nil {
		want = []string{string(b.snapshot.Commit())}
	}
	var err error
	if b.clone, err = b.cache.Open(b.ctx, b.from, want...); err != nil {
		return err
	}
	commit, err := b.clone.Resolve(b.ctx, b.at)
	if err != nil {
		return err
	}
	b.snapshot, err = b.clone.Snapshot(b.ctx, commit)
	return err
}

// lookups calls the tools on symbols and files taken by chance.
func (b *bench) lookups() error {
	index, err := code.Build(b.ctx, b.snapshot.Files(), b.snapshot, code.Config{})
	if err != nil {
		return err
	}
	set := tools.All(tools.Workspace{Snapshot: b.snapshot, Index: func(context.Context) (*code.Index, error) { return index, nil }})
	random := rand.New(rand.NewPCG(1, 2))
	var names, paths []string
	for _, f := range b.snapshot.Files() {
		outline, ok := index.File(f.Path)
		if !ok {
			continue
		}
		paths = append(paths, f.Path)
		for _, s := range outline.Symbols {
			names = append(names, s.ID)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("no symbols in %s", b.from)
	}
	fmt.Printf("\n| tool | calls | median | p95 |\n| --- | --- | --- | --- |\n")
	for _, w := range []struct {
		tool string
		args func() map[string]any
	}{
		{"read_file", func() map[string]any {
			return map[string]any{"path": paths[random.IntN(len(paths))], "start_line": 1, "end_line": 200}
		}},
		{"find_definition", func() map[string]any { return map[string]any{"name": names[random.IntN(len(names))]} }},
		{"find_callers", func() map[string]any { return map[string]any{"name": names[random.IntN(len(names))]} }},
	} {
		if err := b.calls(set, w.tool, w.args); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) calls(set tools.Set, tool string, args func() map[string]any) error {
	const n = 1000
	var times []time.Duration
	for range n {
		text, err := json.Marshal(args())
		if err != nil {
			return err
		}
		start := time.Now()
		r := set.Call(b.ctx, tool, text)
		times = append(times, time.Since(start))
		if r.Failed {
			return fmt.Errorf("%s %s: %s", tool, text, r.Text)
		}
	}
	slices.Sort(times)
	fmt.Printf("| %s | %d | %.2f ms | %.2f ms |\n", tool, n, ms(times[n/2]), ms(times[n*95/100]))
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// definitions looks up symbols of the truth by three kinds of names.
func definitions(ctx context.Context, o options) error {
	for _, r := range o.repos {
		if err := definitionsOf(ctx, clone(r.dir), o); err != nil {
			return err
		}
	}
	return nil
}

func definitionsOf(ctx context.Context, c clone, o options) error {
	files, err := c.tree(ctx, o.commit)
	if err != nil {
		return err
	}
	began := time.Now()
	idx, err := code.Build(ctx, files, c, code.Config{})
	if err != nil {
		return err
	}
	built := time.Since(began)
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	all, err := c.symbols(ctx, files, dir)
	if err != nil {
		return err
	}
	chosen := choose(all, o.sample, o.seed)
	fmt.Printf("%s %s: %d of %d symbols, index built in %.2f s\n", c.name(), o.commit, len(chosen), len(all), built.Seconds())
	look(idx, all, chosen, o.verbose)
	return ctags(ctx, dir, chosen)
}

// symbols are those of the language that most files of code are in.
func (c clone) symbols(ctx context.Context, files []source.File, dir string) ([]symbol, error) {
	by := map[source.Language][]source.File{}
	for _, f := range files {
		lang := source.LanguageOf(f.Path, nil)
		if f.Mode.Text() && source.RoleOf(f.Path) == source.Code && f.Size < 1<<20 && (lang == source.Python || lang == source.Go) {
			by[lang] = append(by[lang], f)
		}
	}
	if len(by[source.Go]) > len(by[source.Python]) {
		if err := c.export(ctx, by[source.Go], dir); err != nil {
			return nil, err
		}
		return goSymbols(dir, by[source.Go])
	}
	if err := c.export(ctx, by[source.Python], dir); err != nil {
		return nil, err
	}
	return pythonSymbols(ctx, dir)
}

func choose(all []symbol, n int, seed uint64) []symbol {
	rnd := rand.New(rand.NewPCG(seed, seed))
	var out []symbol
	for _, i := range rnd.Perm(len(all))[:min(n, len(all))] {
		out = append(out, all[i])
	}
	return out
}

// tally counts how often the right definition came first, and among the first five.
type tally struct{ asked, first, five int }

func (t *tally) add(at int) {
	t.asked++
	if at == 0 {
		t.first++
	}
	if at >= 0 && at < 5 {
		t.five++
	}
}

func (t tally) String() string {
	if t.asked == 0 {
		return "none"
	}
	return fmt.Sprintf("%4d asked   first %5.1f %%   among five %5.1f %%", t.asked, 100*float64(t.first)/float64(t.asked), 100*float64(t.five)/float64(t.asked))
}

func look(idx *code.Index, all, chosen []symbol, verbose bool) {
	names, qualified := map[string]int{}, map[string]int{}
	for _, s := range all {
		names[s.name()]++
		qualified[s.qualified]++
	}
	tallies := map[string]*tally{}
	kinds := []string{"path:qualified", "module.qualified", "qualified, unique", "qualified, shared", "bare, unique", "bare, shared"}
	for _, k := range kinds {
		tallies[k] = &tally{}
	}
	ask := func(kind, name string, s symbol) {
		at := rank(idx.Definitions(name), s)
		tallies[kind].add(at)
		if verbose && at != 0 {
			fmt.Printf("  %s %s: wanted %s:%d, at place %d\n", kind, name, s.path, s.line, at)
		}
	}
	for _, s := range chosen {
		ask("path:qualified", s.path+":"+s.qualified, s)
		ask("module.qualified", s.module()+"."+s.qualified, s)
		ask(sharing("qualified", qualified[s.qualified]), s.qualified, s)
		ask(sharing("bare", names[s.name()]), s.name(), s)
	}
	for _, k := range kinds {
		fmt.Printf("  %-18s %s\n", k, tallies[k])
	}
}

func sharing(kind string, n int) string {
	if n == 1 {
		return kind + ", unique"
	}
	return kind + ", shared"
}

// rank is the place of the right definition in an answer, or -1.
func rank(found []code.Symbol, s symbol) int {
	for i, f := range found {
		if f.Span.Path == s.path && f.NameLine == s.line {
			return i
		}
	}
	return -1
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// row is a line of the truth: a symbol and where it is called.
type row struct {
	repo, commit, id string
	sites            []string
}

func readTruth(name string) (rows []row, excluded map[string]bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	excluded = map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") || lines.Text() == "" {
			continue
		}
		c := strings.Split(lines.Text(), "\t")
		if len(c) != 4 {
			return nil, nil, fmt.Errorf("%s: want four columns: %q", name, lines.Text())
		}
		if c[2] == "exclude" {
			excluded[c[0]+" "+c[3]] = true
			continue
		}
		rows = append(rows, row{c[0], c[1], c[2], strings.Fields(c[3])})
	}
	return rows, excluded, lines.Err()
}

// count adds up sites that are right, wrong and missing.
type count struct{ right, wrong, missing int }

func (c *count) add(have, want []string) {
	for _, h := range have {
		if slices.Contains(want, h) {
			c.right++
		} else {
			c.wrong++
		}
	}
	for _, w := range want {
		if !slices.Contains(have, w) {
			c.missing++
		}
	}
}

func (c count) String() string {
	p, r := 100*float64(c.right)/float64(max(1, c.right+c.wrong)), 100*float64(c.right)/float64(max(1, c.right+c.missing))
	return fmt.Sprintf("precision %5.1f %%  recall %5.1f %%  (%d right, %d wrong, %d missing)", p, r, c.right, c.wrong, c.missing)
}

// callers compares calls in files of code, by path and line. Two sets are counted:
// all that is returned, and what is marked as confident.
func callers(ctx context.Context, o options) error {
	rows, excluded, err := readTruth(o.truth)
	if err != nil {
		return err
	}
	all, sure := map[string]*count{}, map[string]*count{}
	var order []string
	functions := map[string]int{}
	indexes := map[string]*code.Index{}
	for _, r := range rows {
		idx, err := index(ctx, o, r, indexes)
		if err != nil {
			return err
		}
		sym, ok := idx.Symbol(r.id)
		if !ok {
			return fmt.Errorf("the index has no %s", r.id)
		}
		have, confident := sites(idx, sym, r.repo, excluded)
		for _, group := range []string{language(sym), "all"} {
			if all[group] == nil {
				all[group], sure[group] = &count{}, &count{}
				order = append(order, group)
			}
			functions[group]++
			all[group].add(have, r.sites)
			sure[group].add(confident, r.sites)
		}
		if o.verbose {
			show(r, have, confident)
		}
	}
	for _, g := range order {
		fmt.Printf("%-12s %3d functions\n  all returned  %s\n  confident     %s\n", g, functions[g], all[g], sure[g])
	}
	return nil
}

func language(s code.Symbol) string {
	if s.Language == source.TSX {
		return string(source.TypeScript)
	}
	return string(s.Language)
}

func index(ctx context.Context, o options, r row, known map[string]*code.Index) (*code.Index, error) {
	if known[r.repo] != nil {
		return known[r.repo], nil
	}
	for _, named := range o.repos {
		if named.name != r.repo {
			continue
		}
		c := clone(named.dir)
		files, err := c.tree(ctx, r.commit)
		if err != nil {
			return nil, err
		}
		known[r.repo], err = code.Build(ctx, files, c, code.Config{})
		return known[r.repo], err
	}
	return nil, errors.New("no -repo " + r.repo + "=clone")
}

func sites(idx *code.Index, sym code.Symbol, repo string, excluded map[string]bool) (all, confident []string) {
	for _, ref := range idx.Callers(sym) {
		if !ref.Call || source.RoleOf(ref.Path) != source.Code || excluded[repo+" "+ref.Path] {
			continue
		}
		at := fmt.Sprintf("%s:%d", ref.Path, ref.Line)
		if !slices.Contains(all, at) {
			all = append(all, at)
		}
		if ref.Confident && !slices.Contains(confident, at) {
			confident = append(confident, at)
		}
	}
	return all, confident
}

func show(r row, have, confident []string) {
	for _, h := range have {
		if !slices.Contains(r.sites, h) {
			fmt.Printf("  %s: wrong %s (confident %v)\n", r.id, h, slices.Contains(confident, h))
		}
	}
	for _, w := range r.sites {
		switch {
		case !slices.Contains(have, w):
			fmt.Printf("  %s: missing %s\n", r.id, w)
		case !slices.Contains(confident, w):
			fmt.Printf("  %s: not confident %s\n", r.id, w)
		}
	}
}

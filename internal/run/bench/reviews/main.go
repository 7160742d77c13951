// Command reviews reviews pull requests with known defects without a model, and prints what
// the rules find, how long it takes, and whether a comment may stand where it should.
//
//	go run ./internal/run/bench/reviews -pulls prs.jsonl -clones DIR
//
// DIR holds a bare clone OWNER+NAME/repo of each repository.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/review"
)

func main() {
	pulls := flag.String("pulls", "", "the file of pull requests")
	clones := flag.String("clones", "", "the directory of clones")
	only := flag.String("only", "", "the ID of one")
	flag.Parse()
	if err := bench(context.Background(), *pulls, *clones, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sums are what is counted over all pull requests.
type sums struct {
	pulls, files, hunks, positions, refused     int
	findings, onDefects, onNonIssues, nonIssues int
	times                                       []time.Duration
}

func bench(ctx context.Context, file, clones, only string) error {
	dir, err := os.MkdirTemp("", "reviews-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // of the system's directory for such
	cache, err := repo.NewCache(repo.Config{Dir: filepath.Join(cmp.Or(os.Getenv("REPOMIND_CACHE_DIR"), dir), "clones")})
	if err != nil {
		return err
	}
	places := &run.Places{Cache: cache}
	defer places.Close()
	runner, err := run.Open(ctx, run.Config{Dir: dir, Review: review.Config{Places: places}})
	if err != nil {
		return err
	}
	defer runner.Close() //nolint:errcheck // it is thrown away
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var all sums
	for p, err := range dataset.Pulls(file, f, dataset.Limits{}) {
		if err != nil {
			return err
		}
		if only != "" && p.ID != only {
			continue
		}
		from := repo.Origin{Dir: filepath.Join(clones, p.Input.Repo.Owner+"+"+p.Input.Repo.Name, "repo")}
		if err := all.one(ctx, runner, places, from, p); err != nil {
			return fmt.Errorf("%s: %w", p.ID, err)
		}
	}
	all.print()
	return nil
}

func (s *sums) one(ctx context.Context, runner *run.Runner, places *run.Places, from repo.Origin, p dataset.Pull) error {
	pull := &github.PullRequest{
		Title: p.Input.Title, Body: p.Input.Description, Base: github.Ref{Commit: p.Input.Base}, Head: github.Ref{Commit: p.Input.Head},
	}
	in := review.Input{From: from, Pull: pull}
	if _, err := places.At(ctx, from, p.Input.Head); err != nil {
		return err
	}
	if _, err := runner.Review(ctx, in, run.Options{Fresh: true}); err != nil { // warms the index
		return err
	}
	begin := time.Now()
	out, err := runner.Review(ctx, in, run.Options{Fresh: true})
	if err != nil {
		return err
	}
	took := time.Since(begin)
	s.times = append(s.times, took)
	s.pulls++
	s.files += out.Review.Coverage.Files
	if err := s.check(ctx, places, from, p); err != nil {
		return err
	}
	fmt.Printf("%-40s %3d files %6d ms\n", p.ID, out.Review.Coverage.Files, took.Milliseconds())
	s.nonIssues += len(p.Gold.NonIssues)
	for _, f := range out.Review.Findings {
		s.findings++
		mark := ""
		if touches(f, p.Gold.NonIssues) {
			s.onNonIssues++
			mark = "  ON A KNOWN NON-ISSUE"
		}
		for _, d := range p.Gold.Defects {
			if touches(f, []dataset.Comment{d.Comment}) {
				s.onDefects++
				mark = "  on a known defect"
				break
			}
		}
		fmt.Printf("    %-8s %-20s %s: %s%s\n", f.Severity, f.Rule, f.Span(), f.Message, mark)
	}
	return nil
}

func touches(f report.Finding, comments []dataset.Comment) bool {
	return slices.ContainsFunc(comments, func(c dataset.Comment) bool {
		return slices.ContainsFunc(c.Lines, func(l source.Span) bool {
			return l.Path == f.Path && l.Start <= f.End && f.Start <= max(l.End, l.Start)
		})
	})
}

// check parses the whole diff, and asks for a comment on each line of each hunk.
func (s *sums) check(ctx context.Context, places *run.Places, from repo.Origin, p dataset.Pull) error {
	clone, err := places.Clone(ctx, from)
	if err != nil {
		return err
	}
	changes, err := clone.Changes(ctx, p.Input.Base, p.Input.Head)
	if err != nil {
		return err
	}
	text, err := clone.Diff(ctx, p.Input.Base, p.Input.Head, changes)
	if err != nil {
		return err
	}
	for _, f := range diff.Parse(text) {
		if f.Broken != nil {
			return f.Broken
		}
		for _, h := range f.Hunks {
			s.hunks++
			for _, l := range h.Lines {
				for side, n := range map[diff.Side]int{diff.Left: l.Old, diff.Right: l.New} {
					if n == 0 {
						continue
					}
					s.positions++
					if f.Allows(side, 0, n) != nil {
						s.refused++
					}
				}
			}
		}
	}
	return nil
}

func (s *sums) print() {
	slices.Sort(s.times)
	fmt.Printf("\n%d pull requests, %d files, %d hunks, %d positions, of which %d refused\n", s.pulls, s.files, s.hunks, s.positions, s.refused)
	fmt.Printf("%d findings, %d on known defects, %d on the lines of %d known non-issues\n", s.findings, s.onDefects, s.onNonIssues, s.nonIssues)
	if n := len(s.times); n > 0 {
		fmt.Printf("warm: median %d ms, longest %d ms\n", s.times[n/2].Milliseconds(), s.times[n-1].Milliseconds())
	}
}

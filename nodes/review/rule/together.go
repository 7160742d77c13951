package rule

import (
	"context"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// How often two files must have changed together, and in what share of the changes of the
// one, before a change of it alone is worth a word. Commits of many files say nothing.
const (
	minTogether = 6
	minShare    = 0.8
	maxCommit   = 20
)

// together finds files that the history says change with one of these, and were left out.
func together(_ context.Context, c Change) (out []report.Finding, _ error) {
	alone, both := map[string]int{}, map[[2]string]int{}
	for _, files := range c.Commits {
		if len(files) > maxCommit {
			continue
		}
		for _, f := range files {
			if _, changed := c.find(f); !changed {
				continue
			}
			alone[f]++
			for _, other := range files {
				if other != f {
					both[[2]string{f, other}]++
				}
			}
		}
	}
	said := map[string]bool{}
	for _, f := range c.Files {
		if f.Status != "modified" || len(f.Added) == 0 || source.RoleOf(f.Path) != source.Code {
			continue
		}
		best := ""
		for pair, n := range both {
			other := pair[1]
			_, changed := c.find(other)
			if pair[0] != f.Path || changed || said[other] || n < minTogether || float64(n) < minShare*float64(alone[f.Path]) || !c.Tree(other) || source.RoleOf(other) != source.Code {
				continue
			}
			if best == "" || n > both[[2]string{f.Path, best}] || n == both[[2]string{f.Path, best}] && other < best {
				best = other
			}
		}
		if best != "" {
			said[best] = true
			n := both[[2]string{f.Path, best}]
			out = append(out, f.finding("left-out", report.Low, f.Added[0], fmt.Sprintf("%s is not changed, which most often changes together with this file.", source.Quote(best)),
				fmt.Sprintf("Of the last %d commits that changed this file, %d changed the other one, too.", alone[f.Path], n)))
		}
	}
	slices.SortStableFunc(out, func(a, b report.Finding) int { return report.Worse(a.Severity, b.Severity) })
	return out, nil
}

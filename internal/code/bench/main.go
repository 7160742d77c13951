// Command bench measures the index of internal/code against truths that were made
// without it. The repositories are bare clones:
//
//	go run ./internal/code/bench -what definitions -repo mypy.git -commit 8b3e7d8b9f
//	go run ./internal/code/bench -what callers -repo mypy=mypy.git -repo prometheus=prometheus.git
//	go run ./internal/code/bench -what time -repo mypy.git -cache /tmp/symbols
//	go run ./internal/code/bench -what time -repo mypy.git -commit HEAD~1 -cache /tmp/symbols
//
// The truth of definitions is Python's ast and go/parser; that of callers is
// testdata/callers.tsv, whose head says how it was made.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

type options struct {
	what    string
	repos   repos
	commit  string
	sample  int
	seed    uint64
	cache   string
	truth   string
	verbose bool
}

// repos are clones by name; one without a name is "".
type repos []struct{ name, dir string }

func (r *repos) String() string { return "" }

func (r *repos) Set(s string) error {
	name, dir, ok := strings.Cut(s, "=")
	if !ok {
		name, dir = "", s
	}
	*r = append(*r, struct{ name, dir string }{name, dir})
	return nil
}

func main() {
	var o options
	flag.StringVar(&o.what, "what", "definitions", "definitions, callers, time or gotruth")
	flag.Var(&o.repos, "repo", "bare clone, or name=clone; may be given several times")
	flag.StringVar(&o.commit, "commit", "HEAD", "commit of the repository")
	flag.IntVar(&o.sample, "n", 200, "how many symbols")
	flag.Uint64Var(&o.seed, "seed", 1, "of the choice of symbols")
	flag.StringVar(&o.cache, "cache", "", "directory of the cache (time)")
	flag.StringVar(&o.truth, "truth", "internal/code/bench/testdata/callers.tsv", "true callers")
	flag.BoolVar(&o.verbose, "v", false, "list what is wrong")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if len(o.repos) == 0 {
		return fmt.Errorf("no -repo")
	}
	switch o.what {
	case "callers":
		return callers(ctx, o)
	case "definitions":
		return definitions(ctx, o)
	case "time":
		return times(ctx, o)
	case "gotruth":
		return goTruth(ctx, o)
	}
	return fmt.Errorf("-what %s: want definitions, callers, time or gotruth", o.what)
}

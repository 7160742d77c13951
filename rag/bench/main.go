// Command bench measures retrieval on issues with known fixes, and fits its weights.
//
//	go run ./rag/bench -bugs bugs.jsonl -clones DIR table
//	go run ./rag/bench -bugs bugs.jsonl -clones DIR -drop "words;title" files
//	go run ./rag/bench -bugs bugs.jsonl -clones DIR fit
//	go run ./rag/bench -clones DIR -repo python/mypy time
//	go run ./rag/bench grow
//	go run ./rag/bench -bugs bugs.jsonl -clones DIR -weights MINILM -most 1500 seed
//
// DIR holds clones with the full history as owner/name or owner+name/repo. What is
// worked out is kept in -kept, so that a second run takes seconds; remove it after a
// change to the signals.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/rag/embed"
	"github.com/repomind/repomind/rag/rank"
)

type options struct {
	bugs   string
	clones string
	kept   string
	only   string
	repo   string
	fresh  bool
	misses bool
	most   int
	drop   string
	fit    rank.Fit
	scale  float64

	weights string
	encoder embed.Encoder
}

func main() {
	if os.Getenv(code.ParserVariable) != "" {
		if err := code.ServeParser(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
		return
	}
	var o options
	flag.StringVar(&o.bugs, "bugs", "", "JSON Lines of bugs, as eval/dataset reads them")
	flag.StringVar(&o.clones, "clones", "", "folder of clones")
	flag.StringVar(&o.kept, "kept", os.TempDir()+"/repomind-rag-bench", "where what is worked out is kept")
	flag.StringVar(&o.only, "only", "", "only cases whose id holds this")
	flag.StringVar(&o.repo, "repo", "python/mypy", "the repository to time")
	flag.BoolVar(&o.fresh, "fresh", false, "work out everything anew")
	flag.BoolVar(&o.misses, "v", false, "list the cases whose file is not first")
	flag.StringVar(&o.drop, "drop", "", "signals to do without, with semicolons between")
	flag.Float64Var(&o.fit.Pull, "pull", 0, "how strongly a fit is held back; 0 is the usual")
	flag.IntVar(&o.fit.Steps, "steps", 0, "of a fit; 0 is the usual")
	flag.Float64Var(&o.scale, "scale", 3, "of the weights by hand that a fit begins at")
	flag.IntVar(&o.most, "most", 100_000, "the largest repository: to grow to, in files; of the seed's recipe, in chunks")
	flag.StringVar(&o.weights, "weights", "", "folder of a MiniLM, to look at vectors too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, what string) error {
	if o.weights != "" {
		e, err := embed.Open(o.weights, embed.Config{})
		if err != nil {
			return err
		}
		o.encoder = e
	}
	switch what {
	case "table":
		return table(ctx, o)
	case "fit":
		return fit(ctx, o)
	case "files":
		return filesOnly(ctx, o)
	case "time":
		return times(ctx, o)
	case "grow":
		return grow(ctx, o)
	case "seed":
		return seed(ctx, o)
	}
	return fmt.Errorf("%q: want table, files, fit, seed, time or grow", what)
}

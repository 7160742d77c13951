// Command bench analyses issues with known fixes without a model, each at the commit
// before its fix, and says how good the reports are.
//
//	go run ./internal/run/bench -bugs bugs.jsonl -clones DIR
//	go run ./internal/run/bench -bugs bugs.jsonl -clones DIR -only psf__requests -reports OUT
//	go run ./internal/run/bench -bugs bugs.jsonl -clones DIR -only python__mypy-15131 tokens
//
// DIR holds clones with the full history as owner/name or owner+name/repo.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/issue"
	"github.com/repomind/repomind/nodes/place"
	"github.com/repomind/repomind/rag"
)

type options struct {
	bugs, clones, kept, only, reports string
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
	flag.StringVar(&o.kept, "kept", os.TempDir()+"/repomind-run-bench", "where clones, indexes and runs are kept")
	flag.StringVar(&o.only, "only", "", "only cases whose id holds this")
	flag.StringVar(&o.reports, "reports", "", "folder to write the reports to, as text")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	work := bench
	if flag.Arg(0) == "tokens" {
		work = func(ctx context.Context, o options) error { return tokens(ctx, o, os.Stdout) }
	}
	if err := work(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// result is a report on a case, and what retrieval alone says.
type result struct {
	dataset.Case
	report    report.Analysis
	retrieved []string // files
	symbols   []string // path:name
	lost      []string // locations that are not there
	took      time.Duration
}

func bench(ctx context.Context, o options) error {
	all, err := dataset.Load(o.bugs, dataset.Limits{}, dataset.Cases)
	if err != nil {
		return err
	}
	byRepo := map[source.Repo][]dataset.Case{}
	for _, c := range all {
		if strings.Contains(c.ID, o.only) {
			byRepo[c.Input.Repo] = append(byRepo[c.Input.Repo], c)
		}
	}
	var mu sync.Mutex
	var results []result
	var failed error
	var wg sync.WaitGroup
	next := make(chan []dataset.Case)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for cases := range next {
				got, err := analyse(ctx, o, cases)
				mu.Lock()
				results = append(results, got...)
				if failed == nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	groups := slices.Collect(values(byRepo))
	slices.SortFunc(groups, func(a, b []dataset.Case) int { return len(b) - len(a) })
	for _, g := range groups {
		next <- g
	}
	close(next)
	wg.Wait()
	if failed != nil {
		return failed
	}
	return table(os.Stdout, results)
}

func values(m map[source.Repo][]dataset.Case) func(func([]dataset.Case) bool) {
	return func(yield func([]dataset.Case) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

// analyse makes the reports on the cases of one repository.
func analyse(ctx context.Context, o options, cases []dataset.Case) (out []result, err error) {
	r := cases[0].Input.Repo
	from, err := origin(o, r)
	if err != nil {
		return nil, err
	}
	cache, err := repo.NewCache(repo.Config{Dir: filepath.Join(o.kept, "clones"), MaxSize: 1 << 40})
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "runs-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is in the system's folder for such
	for _, c := range cases {
		places := &run.Places{Cache: cache, Parser: []string{self}}
		got, err := one(ctx, places, dir, from, c)
		places.Close()
		if err != nil {
			return out, fmt.Errorf("%s: %w", c.ID, err)
		}
		if err := write(o, got); err != nil {
			return out, err
		}
		fmt.Fprintf(os.Stderr, "%s %s\n", c.ID, got.took.Round(time.Millisecond))
		out = append(out, got)
	}
	return out, nil
}

func one(ctx context.Context, places *run.Places, dir string, from repo.Origin, c dataset.Case) (result, error) {
	runner, err := run.Open(ctx, run.Config{Dir: dir, Issue: issue.Config{Places: places}})
	if err != nil {
		return result{}, err
	}
	defer runner.Close() //nolint:errcheck // all is stored
	got := result{Case: c}
	begin := time.Now()
	out, err := runner.Analyze(ctx, issue.Input{
		Issue: &github.Issue{Title: c.Input.Title, Body: c.Input.Body}, From: from, At: string(c.Input.Base), NoModel: true,
	}, run.Options{Fresh: true})
	if err == nil && out.Asks != nil {
		out, err = runner.Decide(ctx, out.Run, issue.Decision{Approve: true}, "bench", run.Options{})
	}
	if err != nil {
		return got, err
	}
	got.took, got.report = time.Since(begin), out.Report
	place, err := places.At(ctx, from, c.Input.Base)
	if err != nil {
		return got, err
	}
	x, err := place.Index(ctx)
	if err != nil {
		return got, err
	}
	res, err := x.Search(ctx, rag.Query{Title: c.Input.Title, Body: c.Input.Body}, rag.Options{})
	for _, f := range res.Files {
		got.retrieved = append(got.retrieved, f.Path)
	}
	for _, s := range res.Symbols {
		got.symbols = append(got.symbols, s.Path+":"+s.Name)
	}
	got.lost = lost(ctx, place, out.Report)
	return got, err
}

// lost are the places of a report that cannot be looked up.
func lost(ctx context.Context, place *place.Place, a report.Analysis) (out []string) {
	idx, err := place.Code(ctx)
	if err != nil {
		return []string{err.Error()}
	}
	for _, l := range a.Locations {
		lines, err := place.Snapshot.ReadLines(ctx, l.Path, max(l.Start, 1), 0)
		if _, statErr := place.Snapshot.Stat(l.Path); statErr != nil || err == nil && l.End > lines.Total {
			out = append(out, l.Span().String())
			continue
		}
		_, isCode := idx.File(l.Path)
		if isCode && l.Symbol != "" && !slices.ContainsFunc(idx.Definitions(l.Path+":"+l.Symbol), func(s code.Symbol) bool { return s.Span.Path == l.Path }) {
			out = append(out, l.Span().String()+" "+l.Symbol)
		}
	}
	return out
}

// origin finds a clone in the folder.
func origin(o options, r source.Repo) (repo.Origin, error) {
	for _, name := range []string{r.Owner + "/" + r.Name, r.Owner + "+" + r.Name + "/repo", r.Name} {
		dir := filepath.Join(o.clones, name)
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return repo.Origin{Dir: dir, Repo: r}, nil
		}
	}
	return repo.Origin{}, fmt.Errorf("no clone of %s in %s", r, o.clones)
}

func write(o options, got result) error {
	if o.reports == "" {
		return nil
	}
	if err := os.MkdirAll(o.reports, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(o.reports, got.ID+".txt"))
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // Write tells
	return report.Write(f, "text", got.report, report.Options{})
}

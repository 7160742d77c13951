// Command bench measures the index of words and prints Markdown tables. On real text,
// beside SQLite's FTS5, and bm25s if a Python has it (pip install bm25s numba); of the
// peers, each on one thread, three builds count, of ours nine:
//
//	go run -tags sqlite_fts5 ./rag/lexical/bench -corpus "$(go env GOROOT)/src" -issues bugs.jsonl -python python3
//
// and how it grows, on generated files:
//
//	go run ./rag/lexical/bench -growth 1000,10000,100000
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/repomind/repomind/rag/lexical"
)

func main() {
	corpus := flag.String("corpus", "", "directory whose .go, .py and .pyi files are read, in chunks of 40 lines")
	most := flag.Int("chunks", 10_000, "how many chunks are read at most")
	issues := flag.String("issues", "", "lines of JSON with repo, title and body; the first 30 are the queries")
	repos := flag.String("repos", "", "only issues of these repositories")
	python := flag.String("python", "", "a Python that has bm25s")
	growth := flag.String("growth", "", "numbers of files to generate")
	flag.Parse()
	var err error
	if *growth != "" {
		err = grow(*growth)
	} else {
		err = compare(context.Background(), *corpus, *most, *issues, *repos, *python)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, dir string, most int, issueFile, repos, python string) error {
	files, err := readFiles(dir, most)
	if err != nil {
		return err
	}
	queries, err := readIssues(issueFile, repos)
	if err != nil {
		return err
	}
	if len(files) == 0 || len(queries) == 0 {
		return fmt.Errorf("%d files in %q, %d issues in %q", len(files), dir, len(queries), issueFile)
	}
	size, chunks := 0, 0
	for _, f := range files {
		for _, p := range f {
			size += len(p.Body)
			chunks++
		}
	}
	fmt.Printf("%d files, %d chunks, %.1f MB, %d queries\n\n", len(files), chunks, float64(size)/1e6, len(queries))
	fmt.Print("| index | build, fastest | build, median | query p50 | query p95 | memory |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, cores := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		if err := ours(files, queries, cores); err != nil {
			return err
		}
	}
	if err := fts(ctx, files, queries); err != nil {
		return err
	}
	if python != "" {
		return peers(ctx, python, files, queries)
	}
	return nil
}

func ours(files [][]lexical.Part, queries []string, cores int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	var builds []time.Duration
	var x *lexical.Index
	before := heap()
	for range 9 {
		x = nil
		began := time.Now()
		var err error
		if x, err = lexical.New(analyze(files, cores), lexical.Config{}); err != nil {
			return err
		}
		builds = append(builds, time.Since(began))
	}
	memory := heap() - before
	row(fmt.Sprintf("rag/lexical, files and chunks, GOMAXPROCS=%d", cores), builds, ask(x, queries), memory)
	return nil
}

// analyze reads every cores-th file in a goroutine of its own.
func analyze(files [][]lexical.Part, cores int) []lexical.Blob {
	blobs := make([]lexical.Blob, len(files))
	var work sync.WaitGroup
	for w := range cores {
		work.Go(func() {
			for i := w; i < len(files); i += cores {
				blobs[i] = lexical.Analyze(files[i])
			}
		})
	}
	work.Wait()
	return blobs
}

func row(name string, builds, asked []time.Duration, memory int64) {
	fmt.Printf("| %s | %.2f s | %.2f s | %.2f ms | %.2f ms | %.1f MB |\n",
		name, slices.Min(builds).Seconds(), at(builds, .5).Seconds(), ms(at(asked, .5)), ms(at(asked, .95)), float64(memory)/1e6)
}

// ask takes the time from the text of a query to the scores of all documents and
// parts.
func ask(x *lexical.Index, queries []string) (took []time.Duration) {
	for range 20 {
		for _, text := range queries {
			began := time.Now()
			var q lexical.Query
			q.Add(text, 1)
			x.Score(q, lexical.Weights{})
			took = append(took, time.Since(began))
		}
	}
	return took
}

// at is the value below which a share of the values is.
func at(values []time.Duration, share float64) time.Duration {
	values = slices.Sorted(slices.Values(values))
	return values[int(share*float64(len(values)-1))]
}

func ms(d time.Duration) float64 { return d.Seconds() * 1e3 }

func numbers(list string) (out []int, err error) {
	for s := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Errorf("numbers of files: %w", err)
		}
		out = append(out, n)
	}
	return out, nil
}

// Command bench measures the index of words and prints Markdown tables. On real text,
// with bm25s (pip install bm25s numba) beside it in the same run:
//
//	go run ./rag/lexical/bench -corpus DIR -issues bugs.jsonl -repos python/mypy,celery/celery -python python3
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
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/repomind/repomind/rag/lexical"
)

func main() {
	corpus := flag.String("corpus", "", "directory whose .py and .pyi files are read, in chunks of 40 lines")
	issues := flag.String("issues", "", "lines of JSON with repo, title and body; the first 30 are the queries")
	repos := flag.String("repos", "", "only issues of these repositories")
	python := flag.String("python", "", "a Python that has bm25s")
	growth := flag.String("growth", "", "numbers of files to generate")
	flag.Parse()
	var err error
	if *growth != "" {
		err = grow(*growth)
	} else {
		err = compare(context.Background(), *corpus, *issues, *repos, *python)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, dir, issueFile, repos, python string) error {
	files, err := readFiles(dir)
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
	fmt.Printf("%d files, %d chunks, %.1f MB, %d queries; one thread, the fastest and the median of nine builds\n\n", len(files), chunks, float64(size)/1e6, len(queries))
	fmt.Print("| index | build, fastest | build, median | query p50 | query p95 | memory |\n| --- | --- | --- | --- | --- | --- |\n")
	if err := ours(files, queries); err != nil {
		return err
	}
	if python != "" {
		return peers(ctx, python, files, queries)
	}
	return nil
}

func ours(files [][]lexical.Part, queries []string) error {
	var builds []time.Duration
	var x *lexical.Index
	before := heap()
	for range 9 {
		x = nil
		began := time.Now()
		blobs := make([]lexical.Blob, len(files))
		for i, parts := range files {
			blobs[i] = lexical.Analyze(parts)
		}
		var err error
		if x, err = lexical.New(blobs, lexical.Config{}); err != nil {
			return err
		}
		builds = append(builds, time.Since(began))
	}
	memory := heap() - before
	asked := ask(x, queries)
	fmt.Printf("| rag/lexical, files and chunks | %.2f s | %.2f s | %.2f ms | %.2f ms | %.1f MB |\n",
		slices.Min(builds).Seconds(), at(builds, .5).Seconds(), ms(at(asked, .5)), ms(at(asked, .95)), float64(memory)/1e6)
	return nil
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

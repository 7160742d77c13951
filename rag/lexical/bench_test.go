package lexical_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/repomind/repomind/rag/lexical"
)

var (
	corpusDir = flag.String("corpus", "", "directory whose files of Go and Python the benchmarks read; without it they make 10,000 chunks")
	issueFile = flag.String("issues", "", "lines of JSON with title and body; without it queries are made")
)

// load gives files cut into chunks of 40 lines, and queries.
func load(b *testing.B) (files [][]lexical.Part, queries []string, size int) {
	if *corpusDir == "" {
		files, queries = made(340, 30)
	} else if err := filepath.WalkDir(*corpusDir, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || !d.Type().IsRegular() || ext != ".go" && ext != ".py" && ext != ".pyi" {
			return err
		}
		text, err := os.ReadFile(path)
		files = append(files, cut(string(text)))
		return err
	}); err != nil {
		b.Fatal(err)
	}
	if *issueFile != "" {
		queries = issues(b)
	}
	for _, parts := range files {
		for _, p := range parts {
			size += len(p.Symbol) + len(p.Body) + len(p.Comment)
		}
	}
	return files, queries, size
}

func issues(b *testing.B) (texts []string) {
	f, err := os.Open(*issueFile)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() && len(texts) < 30 {
		var issue struct{ Repo, Title, Body string }
		if err := json.Unmarshal(lines.Bytes(), &issue); err != nil {
			b.Fatal(err)
		}
		if issue.Repo == "python/mypy" || issue.Repo == "celery/celery" {
			texts = append(texts, issue.Title+"\n"+issue.Body)
		}
	}
	return texts
}

// cut makes a part of every 40 lines; definitions are symbols, and lines that
// begin with # comments.
func cut(text string) (parts []lexical.Part) {
	var p [3]strings.Builder
	n := 0
	flush := func() {
		if n > 0 {
			parts = append(parts, lexical.Part{Symbol: p[0].String(), Body: p[1].String(), Comment: p[2].String()})
			p, n = [3]strings.Builder{}, 0
		}
	}
	for line := range strings.Lines(text) {
		word := strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(word, "def "); ok {
			name, _, _ = strings.Cut(name, "(")
			p[0].WriteString(name + " ")
		}
		if strings.HasPrefix(word, "#") {
			p[2].WriteString(line)
		} else {
			p[1].WriteString(line)
		}
		if n++; n == 40 {
			flush()
		}
	}
	flush()
	return parts
}

// made is a corpus of files of 30 parts each, with the shape of code: some words
// stand everywhere, most nearly nowhere.
func made(files, queries int) (out [][]lexical.Part, texts []string) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 4, 60_000)
	name := func() string { return fmt.Sprintf("%s_%s", syllables(zipf.Uint64()), syllables(zipf.Uint64())) }
	for range files {
		var parts []lexical.Part
		for range 30 {
			var body strings.Builder
			for range 40 {
				fmt.Fprintf(&body, "    %s.%s(%s, %q)\n", syllables(zipf.Uint64()), name(), name(), "a "+name()+" message")
			}
			parts = append(parts, lexical.Part{Symbol: name(), Body: body.String(), Comment: "# " + name()})
		}
		out = append(out, parts)
	}
	for range queries {
		var q strings.Builder
		for range 200 {
			q.WriteString(syllables(zipf.Uint64()) + " ")
		}
		texts = append(texts, q.String())
	}
	return out, texts
}

func syllables(n uint64) string {
	s := ""
	for n += 20; n > 0; n /= 20 {
		s += string("bcdfghklmnprstvwxzjq"[n%20]) + string("aeiou"[n%5])
	}
	return s
}

func analyzeAll(files [][]lexical.Part) []lexical.Blob {
	blobs := make([]lexical.Blob, len(files))
	for i, parts := range files {
		blobs[i] = lexical.Analyze(parts)
	}
	return blobs
}

func index(b *testing.B, blobs []lexical.Blob) *lexical.Index {
	x, err := lexical.New(blobs, lexical.Config{})
	if err != nil {
		b.Fatal(err)
	}
	return x
}

func BenchmarkWords(b *testing.B) {
	files, _, size := load(b)
	b.SetBytes(int64(size))
	n := 0
	for b.Loop() {
		for _, parts := range files {
			for _, p := range parts {
				for _, text := range []string{p.Symbol, p.Body, p.Comment} {
					lexical.Words(text, func(lexical.Term) { n++ })
				}
			}
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	files, _, size := load(b)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var blobs []lexical.Blob
	for b.Loop() {
		blobs = analyzeAll(files)
	}
	n := 0
	for _, blob := range blobs {
		n += len(blob)
	}
	b.ReportMetric(float64(n)/float64(size), "blob/text")
}

func BenchmarkNew(b *testing.B) {
	files, _, _ := load(b)
	blobs := analyzeAll(files)
	b.ReportAllocs()
	var x *lexical.Index
	for b.Loop() {
		x = index(b, blobs)
	}
	b.ReportMetric(float64(x.Parts()), "parts")
}

// BenchmarkBuild is all that a first run does: from text to an index, on one core.
func BenchmarkBuild(b *testing.B) {
	files, _, size := load(b)
	b.SetBytes(int64(size))
	for b.Loop() {
		index(b, analyzeAll(files))
	}
}

func BenchmarkScore(b *testing.B) {
	files, queries, _ := load(b)
	x := index(b, analyzeAll(files))
	var took []time.Duration
	terms := 0
	for b.Loop() {
		for _, text := range queries {
			began := time.Now()
			var q lexical.Query
			q.Add(text, 1)
			x.Score(q, lexical.Weights{})
			took = append(took, time.Since(began))
			terms += q.Len()
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(terms)/float64(len(took)), "words/query")
	b.ReportMetric(took[len(took)/2].Seconds()*1e3, "p50-ms")
	b.ReportMetric(took[len(took)*95/100].Seconds()*1e3, "p95-ms")
}

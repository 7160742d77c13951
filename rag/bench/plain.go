package main

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

// This file ranks by words as the formula that was written before this program did, with
// none of its reading of issues: every word counts, split at capitals and underscores,
// in BM25 over files and over windows of 40 lines.

// plain is what it says of a file: the file, its best window, its best three, its path;
// the file and its best window for the title alone.
type plain [6]float64

var plainSignals = [len(plain{})]string{"words", "words of a chunk", "words of three chunks", "words of the path", "title", "title in a chunk"}

// plainRows gives those of a case, which are kept.
func plainRows(ctx context.Context, o options, s seen) (map[string]plain, error) {
	name := filepath.Join(o.kept, "plain", s.ID+".gob")
	rows := map[string]plain{}
	if data, err := os.ReadFile(name); err == nil && gob.NewDecoder(bytes.NewReader(data)).Decode(&rows) == nil {
		return rows, nil
	}
	clone, err := open(ctx, o, s.Input.Repo, string(s.Input.Base))
	if err != nil {
		return nil, err
	}
	defer clone.Close()
	snapshot, err := clone.Snapshot(ctx, s.Input.Base)
	if err != nil {
		return nil, err
	}
	var texts []source.File
	for _, f := range snapshot.Files() {
		if f.Mode.Text() && f.Size > 0 && f.Size <= 1<<20 {
			texts = append(texts, f)
		}
	}
	var c corpus
	err = snapshot.Blobs(ctx, texts, func(i int, data []byte) error {
		if data != nil && bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 {
			c.add(texts[i].Path, string(data))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	rows = c.rank(s.Input.Title, s.Input.Body)
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(rows); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	return rows, os.WriteFile(name, buf.Bytes(), 0o644)
}

// corpus are the files of a commit.
type corpus struct {
	paths                 []string
	files, windows, names bm25
	of                    []int // of each window, its file
}

func (c *corpus) add(path, text string) {
	c.files.add(text)
	c.names.add(path)
	lines := strings.SplitAfter(text, "\n")
	for at := 0; at < len(lines); at += 40 {
		c.windows.add(strings.Join(lines[at:min(at+40, len(lines))], ""))
		c.of = append(c.of, len(c.paths))
	}
	c.paths = append(c.paths, path)
}

var htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)

func (c *corpus) rank(title, body string) map[string]plain {
	all := weighted(title + "\n" + htmlComment.ReplaceAllString(body, ""))
	head := weighted(title)
	best, three := c.byFile(c.windows.score(all))
	headBest, _ := c.byFile(c.windows.score(head))
	rows := map[string]plain{}
	for s, scores := range [][]float64{c.files.score(all), best, three, c.names.score(all), c.files.score(head), headBest} {
		var top float64
		for _, x := range scores {
			top = max(top, x)
		}
		for f, x := range scores {
			row := rows[c.paths[f]]
			if top > 0 {
				row[s] = x / top
			}
			rows[c.paths[f]] = row
		}
	}
	return rows
}

// byFile gives the best window of each file, and the sum of its best three.
func (c *corpus) byFile(scores []float64) (best, three []float64) {
	tops := make([][3]float64, len(c.paths))
	for w, s := range scores {
		top := &tops[c.of[w]]
		for j := range top {
			if s > top[j] {
				s, top[j] = top[j], s
			}
		}
	}
	for _, t := range tops {
		best, three = append(best, t[0]), append(three, t[0]+t[1]+t[2])
	}
	return best, three
}

// bm25 is Okapi's, k1 1.2 and b 0.75.
type bm25 struct {
	post    map[string][]posting
	lengths []float64
	all     float64
}

type posting struct {
	doc, n int
}

func (b *bm25) add(text string) {
	if b.post == nil {
		b.post = map[string][]posting{}
	}
	counts := map[string]int{}
	n := 0
	for _, w := range plainWords(text) {
		counts[w]++
		n++
	}
	for w, k := range counts {
		b.post[w] = append(b.post[w], posting{len(b.lengths), k})
	}
	b.lengths = append(b.lengths, float64(n))
	b.all += float64(n)
}

func (b *bm25) score(query map[string]float64) []float64 {
	out := make([]float64, len(b.lengths))
	mean := b.all / float64(max(1, len(b.lengths)))
	for w, weight := range query {
		list := b.post[w]
		idf := math.Log(1 + (float64(len(b.lengths)-len(list))+.5)/(float64(len(list))+.5))
		for _, p := range list {
			n := float64(p.n)
			out[p.doc] += weight * idf * n * 2.2 / (n + 1.2*(.25+.75*b.lengths[p.doc]/mean))
		}
	}
	return out
}

func weighted(text string) map[string]float64 {
	q := map[string]float64{}
	for _, w := range plainWords(text) {
		q[w]++
	}
	for w, n := range q {
		q[w] = math.Sqrt(min(n, 4))
	}
	return q
}

var (
	identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	parts      = regexp.MustCompile(`[A-Z]+(?:[a-z0-9]+)?|[a-z0-9]+`)
)

// plainWords are identifiers and, of those with several, their parts.
func plainWords(text string) (out []string) {
	for _, id := range identifier.FindAllString(text, -1) {
		out = append(out, strings.ToLower(id))
		if all := parts.FindAllString(id, -1); len(all) > 1 {
			for _, p := range all {
				out = append(out, strings.ToLower(p))
			}
		}
	}
	return out
}

// plainly is the reference's formula with its own words.
func plainly(ctx context.Context, o options, cases []seen) ([]seen, error) {
	out := make([]seen, len(cases))
	todo := make([]int, len(cases))
	for i := range todo {
		todo[i] = i
	}
	return out, each(todo, func(i int) error {
		rows, err := plainRows(ctx, o, cases[i])
		if err != nil {
			return fmt.Errorf("%s: %w", cases[i].ID, err)
		}
		out[i] = withPlain(cases[i], rows)
		return nil
	})
}

// withPlain is a case whose words are those of the plain ranking.
func withPlain(s seen, rows map[string]plain) seen {
	at := map[string]int{}
	for k, signal := range rag.FileSignals() {
		at[signal.Name] = k
	}
	files := slices.Clone(s.Files)
	for i, f := range files {
		by := 1.0
		if f.Role != source.Code {
			by = .4
		}
		files[i].Row = slices.Clone(f.Row)
		for k, name := range plainSignals {
			files[i].Row[at[name]] = float32(by * rows[f.Span.Path][k])
		}
	}
	s.Files = files
	return s
}

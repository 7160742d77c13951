package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repomind/repomind/eval/dataset"
	"github.com/repomind/repomind/eval/metric"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/clue"
	"github.com/repomind/repomind/rag/embed"
	"github.com/repomind/repomind/rag/rank"
)

// seed compares with the recipe that the project began with: vectors of all chunks, near
// to the title, to kind and body, and to the frames of traces, each a list; the lists fused
// by rank; the first three chunks for the model. Its fourth list, code that a model writes,
// is left out on both sides. Embedding all takes long, so that only repositories with few
// chunks take part (-most).
func seed(ctx context.Context, o options) error {
	if o.encoder == nil {
		return errors.New("the seed's recipe needs -weights")
	}
	store := flat.Open(flat.Config{Dir: filepath.Join(o.kept, "vectors")})
	kept, err := store.Open(ctx, vector.Key{Repo: "texts", Model: o.encoder.Name()}, o.encoder.Dim())
	if err != nil {
		return err
	}
	defer kept.Close()
	all, err := dataset.Load(o.bugs, dataset.Limits{}, dataset.Cases)
	if err != nil {
		return err
	}
	var theirs, ours, vectors found
	for _, c := range all {
		if !strings.Contains(c.ID, o.only) {
			continue
		}
		chunks, texts, err := chunksOf(ctx, o, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		if len(chunks) > o.most {
			continue
		}
		known, err := encodeOnce(ctx, o.encoder, kept, texts)
		if err != nil {
			return err
		}
		asked, err := o.encoder.Encode(ctx, questions(c.Input))
		if err != nil {
			return err
		}
		theirs.add(c, pick(chunks, fusedByRank(asked, known)))
		vectors.add(c, pick(chunks, fusedByRank(asked[:1], known)))
		ours.add(c, chunks)
		fmt.Fprintln(os.Stderr, c.ID, len(chunks))
	}
	fmt.Println("| ranking | cases | file@1 | file@5 | file@10 | line@3 | line@10 |\n| --- | --- | --- | --- | --- | --- | --- |")
	vectors.print("vectors of all chunks, title alone")
	theirs.print("the seed's recipe")
	ours.print("as fitted, files by their first chunk")
	return nil
}

// chunksOf gives all chunks of a case, in our order, with their texts.
func chunksOf(ctx context.Context, o options, c dataset.Case) (spans []source.Span, texts []string, err error) {
	clone, err := open(ctx, o, c.Input.Repo, string(c.Input.Base))
	if err != nil {
		return nil, nil, err
	}
	defer clone.Close()
	x, err := index(ctx, clone, c.Input.Repo, c.Input.Base)
	if err != nil {
		return nil, nil, err
	}
	res, err := x.Search(ctx, rag.Query{Title: c.Input.Title, Body: c.Input.Body}, rag.Options{Files: -1, Symbols: -1, Chunks: o.most + 1})
	for _, ch := range res.Chunks {
		text, err := x.Text(ctx, ch.Span)
		if err != nil {
			return nil, nil, err
		}
		spans, texts = append(spans, ch.Span), append(texts, ch.Span.Path+" "+ch.Symbol+"\n"+text)
	}
	return spans, texts, err
}

// encodeOnce gives the vectors of texts, which are kept by what they hash to: the cases of
// a repository share most of them.
func encodeOnce(ctx context.Context, e embed.Encoder, kept vector.Collection, texts []string) ([][]float32, error) {
	ids, missing := make([]string, len(texts)), map[string]string{}
	for i, t := range texts {
		ids[i] = fmt.Sprintf("%x", sha256.Sum256([]byte(t)))
		missing[ids[i]] = t
	}
	items, err := kept.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		delete(missing, item.ID)
	}
	fresh := slices.Sorted(maps.Keys(missing))
	var unknown []string
	for _, id := range fresh {
		unknown = append(unknown, missing[id])
	}
	vectors, err := e.Encode(ctx, unknown)
	if err != nil {
		return nil, err
	}
	for i, id := range fresh {
		items = append(items, vector.Item{ID: id, Vector: vectors[i]})
	}
	byID := map[string][]float32{}
	for _, item := range items {
		byID[item.ID] = item.Vector
	}
	out := make([][]float32, len(texts))
	for i, id := range ids {
		out[i] = byID[id]
	}
	return out, kept.Upsert(ctx, items[len(items)-len(fresh):])
}

// questions are the texts that the chunks are compared with, the title first.
func questions(in dataset.Input) []string {
	out := []string{in.Title}
	if in.Body != "" {
		out = append(out, "bug: "+in.Body)
	}
	var frames []string
	for _, t := range clue.Read(in.Title, in.Body).Traces {
		for _, f := range t.Frames {
			frames = append(frames, f.Function+" "+f.Code)
		}
	}
	if len(frames) > 0 {
		out = append(out, strings.Join(frames, "\n"))
	}
	return out
}

// fusedByRank is the order of chunks by several lists, one for each question.
func fusedByRank(asked, chunks [][]float32) []int {
	var lists [][]int
	for _, q := range asked {
		scores := make([]float64, len(chunks))
		for i, v := range chunks {
			for k := range v {
				scores[i] += float64(v[k]) * float64(q[k])
			}
		}
		lists = append(lists, rank.Order(scores))
	}
	scores := make([]float64, len(chunks))
	for i, s := range rank.RRF(60, lists...) {
		scores[i] = s
	}
	return rank.Order(scores)
}

func pick(chunks []source.Span, order []int) (out []source.Span) {
	for _, i := range order {
		out = append(out, chunks[i])
	}
	return out
}

// found counts hits.
type found struct {
	n                                 float64
	first, five, ten, lines3, lines10 float64
}

func (f *found) add(c dataset.Case, chunks []source.Span) {
	var files []string
	seen := map[string]bool{}
	for _, s := range chunks {
		if !seen[s.Path] {
			seen[s.Path] = true
			files = append(files, s.Path)
		}
	}
	p, lines := metric.Find(c.Gold.Files, files), metric.FindLines(c.Gold.Lines, chunks)
	f.n++
	f.first, f.five, f.ten = f.first+p.Hit(1), f.five+p.Hit(5), f.ten+p.Hit(10)
	f.lines3, f.lines10 = f.lines3+lines.Hit(3), f.lines10+lines.Hit(10)
}

func (f *found) print(name string) {
	n := max(1, f.n)
	fmt.Printf("| %s | %.0f | %.3f | %.3f | %.3f | %.3f | %.3f |\n", name, f.n, f.first/n, f.five/n, f.ten/n, f.lines3/n, f.lines10/n)
}

package rag

import (
	"cmp"
	"context"
	"slices"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/rag/embed"
	"github.com/repomind/repomind/rag/rank"
)

// Reranker puts the head of a list in order by reading it: CrossEncoder, or Asker.
type Reranker interface {
	// Name says what it is, for Result.Ran.
	Name() string
	// Order gives the indexes of the passages, each once, the best first. Usage is what
	// was paid, on an error too.
	Order(ctx context.Context, q Query, passages []Passage) ([]int, llm.Usage, error)
}

// Passage is a chunk as a reranker reads it.
type Passage struct {
	Name string // where it is
	Text string
}

// CrossEncoder reranks with a model that reads question and passage together.
type CrossEncoder struct{ Model *embed.Reranker }

// Name is that of the model.
func (c CrossEncoder) Name() string { return "cross-encoder " + c.Model.Name() }

// Order scores each passage against title and text of the question.
func (c CrossEncoder) Order(ctx context.Context, q Query, passages []Passage) ([]int, llm.Usage, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.Name + "\n" + p.Text
	}
	scores, err := c.Model.Scores(ctx, head(q.Title+"\n"+q.Body, maxQuestion), texts)
	wide := make([]float64, len(scores))
	for i, s := range scores {
		wide[i] = float64(s)
	}
	return rank.Order(wide), llm.Usage{}, err
}

// reranked is how many chunks are put in order anew.
const reranked = 20

// rerank puts the first chunks into the order of the reranker. What stands below is where
// it was.
func (v *view) rerank(ctx context.Context, by Reranker, q Query, pieces ranked) (ranked, llm.Usage, error) {
	first := pieces.head(reranked)
	passages := make([]Passage, len(first))
	for n, i := range first {
		p := v.x.pieces[i]
		text, err := v.x.Text(ctx, v.x.spanOf(p))
		if err != nil {
			return pieces, llm.Usage{}, err
		}
		passages[n] = Passage{v.x.spanOf(p).String(), head(text, maxPassage)}
	}
	order, usage, err := by.Order(ctx, q, passages)
	if err != nil {
		return pieces, usage, err
	}
	var anew []int
	for _, n := range permutation(order, len(first)) {
		anew = append(anew, first[n])
	}
	return pieces.with(anew), usage, nil
}

// permutation makes an order of 0..n-1 of what was said: what is left out keeps its
// place behind the rest, what is made up or said twice is ignored.
func permutation(said []int, n int) []int {
	out := make([]int, 0, n)
	seen := make([]bool, n)
	for _, i := range said {
		if i >= 0 && i < n && !seen[i] {
			seen[i] = true
			out = append(out, i)
		}
	}
	for i, s := range seen {
		if !s {
			out = append(out, i)
		}
	}
	return out
}

// follow moves files after their chunks: the order of the files and that of their
// first chunks are fused by rank, the chunks counting twice, as what was read tells
// more than what was counted. Files without a chunk among the first stay below.
func (v *view) follow(files, pieces ranked) ranked {
	var byChunk []int
	seen := map[int]bool{}
	for _, i := range pieces.head(reranked) {
		if f := int(v.x.pieces[i].file); !seen[f] {
			seen[f] = true
			byChunk = append(byChunk, f)
		}
	}
	first := files.head(2 * reranked)
	fused := rank.RRF(60, first, byChunk, byChunk)
	anew := slices.Clone(first)
	slices.SortStableFunc(anew, func(a, b int) int { return cmp.Compare(fused[b], fused[a]) })
	return files.with(anew)
}

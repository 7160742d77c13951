package rag

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/rag/embed"
	"github.com/repomind/repomind/rag/rank"
)

// embedded is how many chunks of a query get vectors: those that stand first
// without. Embedding all of a tree takes minutes, and what stands lower is hardly
// ever lifted to the head.
const embedded = 64

// dense ranks the head of the chunks by vectors: the code that a model wrote (HyDE),
// the title, kind and prose, and the frames of traces each give a list, which are
// fused by rank.
func (v *view) dense(ctx context.Context, e embed.Encoder, q Query, pieces ranked) error {
	head := pieces.order[:min(embedded, len(pieces.order))]
	texts, err := v.texts(ctx, head)
	if err != nil {
		return err
	}
	queries := v.queries(q)
	vectors, err := e.Encode(ctx, append(queries, texts...))
	if err != nil {
		return fmt.Errorf("embed with %s: %w", e.Name(), err)
	}
	asked, chunks := vectors[:len(queries)], vectors[len(queries):]
	near := make([]float32, len(v.x.pieces))
	var lists [][]int
	for _, a := range asked {
		scores := make([]float64, len(chunks))
		for i, c := range chunks {
			scores[i] = float64(dot(a, c))
			near[head[i]] = max(near[head[i]], dot(a, c))
		}
		lists = append(lists, rank.Order(scores))
	}
	fused := make([]float32, len(v.x.pieces))
	for i, s := range rank.RRF(60, lists...) {
		fused[head[i]] = float32(s)
	}
	v.scaledPieces(pFused, fused)
	v.setPieces(pNear, near)
	return nil
}

func dot(a, b []float32) float32 {
	var s float32
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// maxQuery is how much of a text an encoder of 256 tokens can see.
const maxQuery = 1500

// queries are the texts that stand for the question.
func (v *view) queries(q Query) []string {
	var frames []string
	for _, t := range v.clues.Traces {
		frames = append(frames, t.Error+": "+t.Message)
		for _, f := range t.Frames {
			frames = append(frames, f.Function+" "+f.Code)
		}
	}
	all := []string{q.Code, v.clues.Title, string(cmp.Or(q.Kind, Bug)) + ": " + v.clues.Title + "\n" + v.clues.Prose, strings.Join(frames, "\n")}
	all = slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" })
	for i, s := range all {
		all[i] = strings.ToValidUTF8(s[:min(len(s), maxQuery)], "")
	}
	return all
}

// texts are chunks as an encoder reads them: where they are, and the code.
func (v *view) texts(ctx context.Context, pieces []int) ([]string, error) {
	out := make([]string, len(pieces))
	for n, i := range pieces {
		p := v.x.pieces[i]
		text, err := v.x.Text(ctx, v.span(p))
		if err != nil {
			return nil, err
		}
		out[n] = v.span(p).Path + " " + p.symbol + "\n" + text
	}
	return out, nil
}

package rag

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/rag/rank"
)

const (
	// embedded is how many chunks of a query get vectors: those that stand first
	// without. Embedding all of a tree takes minutes, and what stands lower is hardly
	// ever lifted to the head.
	embedded = 64
	// fromStore is how many more each of its texts may bring from the vectors that are kept.
	fromStore = 32
)

// dense ranks chunks by vectors: the code that a model wrote (HyDE), the title, kind
// and prose, and the frames of traces each give a list, which are fused by rank.
func (v *view) dense(ctx context.Context, with Vectors, q Query, pieces ranked) error {
	asked, err := with.Encoder.Encode(ctx, v.questions(q))
	if err != nil {
		return fmt.Errorf("embed the question: %w", err)
	}
	head, err := v.withStored(ctx, with, asked, slices.Clone(pieces.head(embedded)))
	if err != nil {
		return err
	}
	vectors, lost, err := v.x.encode(ctx, with, head)
	if err != nil {
		return fmt.Errorf("embed %d chunks: %w", len(head), err)
	}
	if lost != nil {
		v.notes = append(v.notes, lost.Error())
	}
	v.near(head, vectors, asked)
	return nil
}

// near sets the signals: how near the nearest text of the question is, against the
// chunk that is farthest of all, and the fusion of the lists.
func (v *view) near(head []int, vectors, asked [][]float32) {
	best := make([]float32, len(head))
	var lists [][]int
	for _, a := range asked {
		scores := make([]float64, len(head))
		for i, c := range vectors {
			s := dot(a, c)
			scores[i], best[i] = float64(s), max(best[i], s)
		}
		lists = append(lists, rank.Order(scores))
	}
	near, fused := make([]float32, len(v.x.pieces)), make([]float32, len(v.x.pieces))
	if len(head) > 0 {
		low := slices.Min(best)
		for i, p := range head {
			near[p] = best[i] - low
		}
	}
	for i, s := range rank.RRF(60, lists...) {
		fused[head[i]] = float32(s - 1/float64(60+len(head))*float64(len(lists)))
	}
	v.scaledPieces(pNear, near)
	v.scaledPieces(pFused, fused)
	v.byPiece(near, fNear, -1)
	v.byPiece(fused, fFused, -1)
}

// withStored adds the pieces of this commit that are nearest among all that are kept.
func (v *view) withStored(ctx context.Context, with Vectors, asked [][]float32, head []int) ([]int, error) {
	if with.Kept == nil {
		return head, nil
	}
	in := map[int]bool{}
	for _, i := range head {
		in[i] = true
	}
	ids := map[string]int{}
	for i, id := range v.x.ids.of(v.x) {
		ids[id] = i
	}
	for _, a := range asked {
		found, err := with.Kept.Query(ctx, vector.Query{Vector: a, K: fromStore})
		if err != nil {
			return nil, fmt.Errorf("search among vectors: %w", err)
		}
		for _, m := range found {
			if i, ok := ids[m.ID]; ok && !in[i] {
				in[i] = true
				head = append(head, i)
			}
		}
	}
	return head, nil
}

func dot(a, b []float32) float32 {
	var s float32
	for i, x := range a[:min(len(a), len(b))] {
		s += x * b[i]
	}
	return s
}

// maxQuestion is how much of a text an encoder of 256 tokens can see.
const maxQuestion = 1500

// questions are the texts that stand for the question, each of which is ranked by.
func (v *view) questions(q Query) []string {
	all := []string{q.Code, v.clues.Title, string(q.Kind.known()) + ": " + v.clues.Title + "\n" + v.clues.Prose, v.frames()}
	all = slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" })
	for i, s := range all {
		all[i] = head(s, maxQuestion)
	}
	return all
}

// frames are the errors and frames of the traces, in words.
func (v *view) frames() string {
	var all []string
	for _, t := range v.clues.Traces {
		all = append(all, t.Error+": "+t.Message)
		for _, f := range t.Frames {
			all = append(all, f.Function+" "+f.Code)
		}
	}
	return strings.Join(all, "\n")
}

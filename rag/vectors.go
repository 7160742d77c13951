package rag

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/rag/chunk"
	"github.com/repomind/repomind/rag/embed"
)

// Vectors is what turns chunks into vectors, and keeps them.
type Vectors struct {
	Encoder embed.Encoder
	// Kept holds the vectors of chunks between queries, by content. Nil keeps nothing.
	Kept vector.Collection
}

// warmBatch is how many chunks are encoded before they are kept.
const warmBatch = 64

// Warm makes and keeps the vectors of all chunks of code that have none yet, and tells
// how far it is. A query makes those of its best chunks by itself; after Warm it finds
// chunks by vectors alone too. What is done when ctx ends stays done.
func (x *Index) Warm(ctx context.Context, v Vectors, told func(done, all int)) error {
	var code []int
	for i, p := range x.pieces {
		if x.tree.Files[p.file].Role == source.Code {
			code = append(code, i)
		}
	}
	for begin := 0; begin < len(code); begin += warmBatch {
		if told != nil {
			told(begin, len(code))
		}
		if _, lost, err := x.encode(ctx, v, code[begin:min(begin+warmBatch, len(code))]); err != nil || lost != nil {
			return cmp.Or(err, lost)
		}
	}
	if told != nil {
		told(len(code), len(code))
	}
	return nil
}

// encode gives the vectors of pieces, those that are kept or new ones. Lost says why new
// ones could not be kept.
func (x *Index) encode(ctx context.Context, v Vectors, pieces []int) (out [][]float32, lost, err error) {
	ids := make([]string, len(pieces))
	at := make(map[string]int, len(pieces))
	for n, i := range pieces {
		ids[n] = x.ids.of(x)[i]
		at[ids[n]] = n
	}
	out = make([][]float32, len(pieces))
	if v.Kept != nil {
		items, err := v.Kept.Get(ctx, ids...)
		if err != nil {
			return nil, nil, fmt.Errorf("look up vectors: %w", err)
		}
		for _, item := range items {
			out[at[item.ID]] = item.Vector
		}
	}
	var missing []int
	for n := range out {
		if out[n] == nil {
			missing = append(missing, n)
		}
	}
	lost, err = x.encodeNew(ctx, v, pieces, ids, missing, out)
	return out, lost, err
}

// encodeNew fills in the vectors that are not known, and keeps them.
func (x *Index) encodeNew(ctx context.Context, v Vectors, pieces []int, ids []string, missing []int, out [][]float32) (lost, err error) {
	if len(missing) == 0 {
		return nil, nil
	}
	var texts []string
	for _, n := range missing {
		text, err := x.passage(ctx, pieces[n])
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	vectors, err := v.Encoder.Encode(ctx, texts)
	if err != nil {
		return nil, err
	}
	items := make([]vector.Item, len(missing))
	for k, n := range missing {
		out[n] = vectors[k]
		items[k] = vector.Item{ID: ids[n], Vector: vectors[k]}
	}
	if v.Kept != nil {
		if err := v.Kept.Upsert(ctx, items); err != nil {
			lost = fmt.Errorf("vectors could not be kept: %w", err)
		}
	}
	return lost, nil
}

// vectorIDs name what an encoder sees of each piece: where it is, and its lines. They are
// made when they are first asked for.
type vectorIDs struct {
	once sync.Once
	all  []string
}

func (v *vectorIDs) of(x *Index) []string {
	v.once.Do(func() {
		v.all = make([]string, len(x.pieces))
		for i, p := range x.pieces {
			f := x.tree.Files[p.file]
			sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%d-%d", chunk.Version, f.Path, f.Key, p.start, p.end))
			v.all[i] = hex.EncodeToString(sum[:16])
		}
	})
	return v.all
}

// maxPassage is how much of a chunk is sent to an encoder or a reranker: a chunk is some
// 40 lines, but a line may be a megabyte.
const maxPassage = 6000

// passage is a piece as an encoder reads it: where it is, and the code.
func (x *Index) passage(ctx context.Context, i int) (string, error) {
	p := x.pieces[i]
	s := x.spanOf(p)
	text, err := x.Text(ctx, s)
	return strings.TrimSpace(s.Path+" "+p.symbol) + "\n" + head(text, maxPassage), err
}

// head is the beginning of a text, without half a character.
func head(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }

func (x *Index) spanOf(p placed) source.Span {
	return source.Span{Path: x.tree.Files[p.file].Path, Start: int(p.start), End: int(p.end)}
}

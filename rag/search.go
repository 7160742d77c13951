package rag

import (
	"cmp"
	"context"
	"slices"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/rank"
)

// Options say how much is found, below zero nothing, and what helps to find it. The
// zero value is right for an analysis without a model.
type Options struct {
	Files   int // Zero means 20.
	Symbols int // Zero means 20.
	Chunks  int // Zero means 20.
	// Vectors add rankings by vectors. Nil means none.
	Vectors *Vectors
	// Rerank orders the first 20 chunks anew, and what holds them. Nil means that the
	// weighted sum stands.
	Rerank Reranker
}

// Search ranks files, symbols and chunks for a query. What vectors or a reranker cannot
// do is a note; the error is the end of ctx.
func (x *Index) Search(ctx context.Context, q Query, o Options) (Result, error) {
	v := x.look(q)
	kind := q.Kind.known()
	res := Result{Commit: x.tree.Commit, Ran: []string{"lexical", "names", "history", "imports"}}
	if n := len(x.tree.Skipped); n > 0 {
		res.Notes = append(res.Notes, x.tree.leftOut())
	}
	if q.Code != "" {
		res.Ran = append(res.Ran, "hypothetical document")
	}
	files := v.rankFiles(kind)
	pieces := v.rankPieces(files)
	if o.Vectors != nil {
		err := v.dense(ctx, *o.Vectors, q, pieces)
		res.ran("vectors "+o.Vectors.Encoder.Name(), err)
		files = v.rankFiles(kind)
		pieces = v.rankPieces(files)
	}
	res.Notes = append(res.Notes, v.notes...)
	res.ran("fusion", nil)
	if o.Rerank != nil {
		var err error
		pieces, res.Usage, err = v.rerank(ctx, o.Rerank, q, pieces)
		if res.ran(o.Rerank.Name(), err) {
			files = v.follow(files, pieces)
		}
	}
	res.Files = v.topFiles(files, kind, cmp.Or(o.Files, 20))
	res.Chunks = v.topChunks(pieces, cmp.Or(o.Chunks, 20))
	res.Symbols = v.topSymbols(files, pieces, cmp.Or(o.Symbols, 20))
	return res, ctx.Err()
}

// ran notes what took part, or why it did not.
func (r *Result) ran(what string, err error) bool {
	if err != nil {
		r.Notes = append(r.Notes, "without "+what+": "+err.Error())
		return false
	}
	r.Ran = append(r.Ran, what)
	return true
}

// ranked is a list of scores with the order that they, or a reranker, give.
type ranked struct {
	scores []float64
	order  []int
}

func newRanked(scores []float64) ranked { return ranked{scores, rank.Order(scores)} }

// head are the n best.
func (r ranked) head(n int) []int { return r.order[:max(0, min(n, len(r.order)))] }

// with gives the first of the list anew, in this order. They share the scores that they
// had out among them by it.
func (r ranked) with(first []int) ranked {
	out := ranked{slices.Clone(r.scores), slices.Clone(r.order)}
	for place, i := range first {
		out.order[place] = i
		out.scores[i] = r.scores[r.order[place]]
	}
	return out
}

// share is a score against the best, 0 where nothing speaks for any.
func (r ranked) share(i int) float64 {
	if top := r.top(); top > 0 {
		return r.scores[i] / top
	}
	return 0
}

// top is the best score, 0 of none.
func (r ranked) top() float64 {
	if len(r.order) == 0 {
		return 0
	}
	return r.scores[r.order[0]]
}

func (v *view) rankFiles(kind Kind) ranked {
	weights := roleWeights[kind]
	scores := make([]float64, len(v.x.tree.Files))
	for i, f := range v.x.tree.Files {
		scores[i] = v.fileScore(i, weights[f.Role])
	}
	return newRanked(scores)
}

// fileRow is what the signals say of a file; what speaks for one that is no code
// counts by its role.
func (v *view) fileRow(i int, role float64) rank.Row {
	row := make(rank.Row, len(fileSignals))
	for s, values := range v.files {
		if row[s] = values[i]; fileSignals[s].Sign >= 0 {
			row[s] *= float32(role)
		}
	}
	return row
}

func (v *view) fileScore(i int, role float64) float64 { return fileSignals.Score(v.fileRow(i, role)) }

func (v *view) rankPieces(files ranked) ranked {
	inFile, isCode := make([]float32, len(v.x.pieces)), make([]float32, len(v.x.pieces))
	for i, p := range v.x.pieces {
		inFile[i] = float32(max(0, files.share(int(p.file))))
		if v.x.tree.Files[p.file].Role == source.Code {
			isCode[i] = 1
		}
	}
	v.setPieces(pFile, inFile)
	v.setPieces(pIsCode, isCode)
	scores := make([]float64, len(v.x.pieces))
	for i := range scores {
		scores[i] = pieceSignals.Score(v.pieceRow(i))
	}
	return newRanked(scores)
}

func (v *view) pieceRow(i int) rank.Row {
	row := make(rank.Row, len(pieceSignals))
	for s, values := range v.pieces {
		row[s] = values[i]
	}
	return row
}

func (v *view) topFiles(r ranked, kind Kind, n int) []File {
	out := []File{}
	for _, i := range r.head(n) {
		f := v.x.tree.Files[i]
		row := v.fileRow(i, roleWeights[kind][f.Role])
		out = append(out, File{Path: f.Path, Role: f.Role, Score: r.share(i), Why: reasons(fileSignals, row, r.top())})
	}
	return out
}

func (v *view) topChunks(r ranked, n int) []Chunk {
	out := []Chunk{}
	for _, i := range r.head(n) {
		p := v.x.pieces[i]
		c := Chunk{Span: v.x.spanOf(p), Symbol: p.symbol, Signature: p.signature, Score: r.share(i), Why: reasons(pieceSignals, v.pieceRow(i), r.top())}
		if p.symbol == "" {
			c.Begins = p.defines[:min(len(p.defines), 10)]
		}
		if p.parts > 1 {
			c.Part, c.Parts = int(p.part), int(p.parts)
		}
		out = append(out, c)
	}
	return out
}

// reasons are the shares of a score against the best, the largest first, without those
// that are next to nothing.
func reasons(t rank.Table, row rank.Row, top float64) []Reason {
	out := []Reason{}
	if top <= 0 {
		return out
	}
	for s, x := range row {
		if share := t[s].Weight * float64(x) / top; share > 0.0005 || share < -0.0005 {
			out = append(out, Reason{Signal: t[s].Name, Value: float64(x), Share: share})
		}
	}
	slices.SortStableFunc(out, func(a, b Reason) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

package rag

import (
	"context"
	"slices"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/rank"
)

// Evidence is what all signals say of the candidates for a query: what weights are
// fitted to.
type Evidence struct {
	Files  []Candidate // by FileSignals
	Chunks []Candidate // of these files, by ChunkSignals; "its file" is left to be filled in
	// Symbols are the definitions of these files, by SymbolSignals; what chunks and
	// file say is left to be filled in.
	Symbols []Candidate
}

// Candidate is a file, a chunk or a definition.
type Candidate struct {
	Span   source.Span
	Role   source.Role
	Symbol string // "" is none
	File   int    // of a chunk or symbol: its file, in Files
	Type   bool   // of a symbol: it is no function
	Row    rank.Row
}

// FileSignals gives a copy of the table that files are ranked by.
func FileSignals() rank.Table { return slices.Clone(fileSignals) }

// ChunkSignals gives a copy of the table that chunks are ranked by. The score of the
// file goes to InFile.
func ChunkSignals() rank.Table { return slices.Clone(pieceSignals) }

// InFile is the signal of a chunk that holds the score of its file, against the best.
const InFile = pFile

// SymbolSignals gives a copy of the table that symbols are ranked by.
func SymbolSignals() rank.Table { return slices.Clone(symbolSignals) }

// The signals of a symbol that depend on scores.
const (
	BestChunk  = sPiece
	MeanChunk  = sMean
	SymbolFile = sFile
)

// Evidence looks at a query through all signals, those of vectors too if there are any.
// It keeps the best files, as the weights are now, up to most, with the chunks of the
// first third, and those of also.
func (x *Index) Evidence(ctx context.Context, q Query, with *Vectors, most int, also ...string) (Evidence, error) {
	v := x.look(q)
	kind := q.Kind.known()
	files := v.rankFiles(kind)
	pieces := v.rankPieces(files)
	if with != nil {
		if err := v.dense(ctx, *with, q, pieces); err != nil {
			return Evidence{}, err
		}
	}
	var e Evidence
	at := map[int32]int{}
	var deep []int
	for n, i := range files.order {
		f := x.tree.Files[i]
		if n >= most && !slices.Contains(also, f.Path) {
			continue
		}
		for k := x.first[i]; k < x.first[i+1] && (n < most/3 || n >= most); k++ {
			p := x.pieces[k]
			c := Candidate{Span: x.spanOf(p), Role: f.Role, File: len(e.Files), Row: v.pieceRow(int(k))}
			if p.kind != "section" && f.Role != source.Doc {
				c.Symbol = p.symbol
			}
			e.Chunks = append(e.Chunks, c)
		}
		if n < most/3 || n >= most {
			deep = append(deep, i)
		}
		at[int32(i)] = len(e.Files)
		e.Files = append(e.Files, Candidate{Span: source.Span{Path: f.Path}, Role: f.Role, Row: v.fileRow(i, roleWeights[kind][f.Role])})
	}
	for _, c := range v.symbols(files, pieces, deep) {
		f := x.tree.Files[c.file]
		e.Symbols = append(e.Symbols, Candidate{
			Span: source.Span{Path: f.Path, Start: int(c.start), End: int(c.end)}, Role: f.Role, Symbol: c.name, File: at[c.file], Type: isType(c.kind), Row: c.row,
		})
	}
	return e, ctx.Err()
}

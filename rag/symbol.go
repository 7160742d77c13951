package rag

import (
	"math"
	"sort"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/clue"
	"github.com/repomind/repomind/rag/lexical"
	"github.com/repomind/repomind/rag/rank"
)

// candidate is a symbol that may hold the cause.
type candidate struct {
	file int32
	*symbol
	row rank.Row
}

// symbolFiles is how many files have their symbols ranked.
const symbolFiles = 60

// symbols ranks the definitions of the best files.
func (v *view) symbols(files, pieces ranked, most []int) []candidate {
	n := newNaming(v.clues)
	var out []candidate
	for _, f := range most {
		if role := v.x.tree.Files[f].Role; role == source.Doc {
			continue
		}
		c := &v.x.contents[f]
		for k := range c.symbols {
			s := &c.symbols[k]
			row := make(rank.Row, len(symbolSignals))
			v.inChunks(row, int32(f), s, pieces)
			n.call(row, s.name)
			for _, line := range v.lines[int32(f)] {
				if line >= int(s.start) && line <= int(s.end) && !isType(s.kind) {
					row[sInTrace] = 1
				}
			}
			if isType(s.kind) {
				row[sType] = 1
			}
			row[sShort] = float32(math.Exp(-float64(s.end-s.start+1) / 4))
			row[sFile] = float32(max(0, files.share(f)))
			out = append(out, candidate{int32(f), s, row})
		}
	}
	return out
}

func isType(kind string) bool { return kind != "function" && kind != "method" && kind != "macro" }

// inChunks scores a symbol by the chunks that it is in. Of a type that is its head
// alone, as its methods are symbols of their own.
func (v *view) inChunks(row rank.Row, f int32, s *symbol, pieces ranked) {
	var top, sum float64
	n := 0
	own := v.x.pieces[v.x.first[f]:v.x.first[f+1]]
	begin := sort.Search(len(own), func(i int) bool { return own[i].end >= s.start })
	for i := v.x.first[f] + int32(begin); i < v.x.first[f+1]; i++ {
		p := v.x.pieces[i]
		if p.start > s.end || isType(s.kind) && p.start > s.start {
			break // pieces are in order
		}
		share := max(0, pieces.share(int(i)))
		top = max(top, share)
		sum += share
		n++
	}
	row[sPiece] = float32(top)
	if n > 0 {
		row[sMean] = float32(sum / float64(n))
	}
}

// naming compares names with what an issue says.
type naming struct {
	last, qualified map[string]float32
	title, text     map[lexical.Term]bool
}

func newNaming(c clue.Clues) naming {
	n := naming{last: map[string]float32{}, qualified: map[string]float32{}, title: map[lexical.Term]bool{}, text: map[lexical.Term]bool{}}
	for _, name := range c.Names {
		by := float32(placeWeight[name.Place])
		parts := strings.Split(name.Text, ".")
		for i, p := range parts {
			w := by
			if i < len(parts)-1 {
				w /= 2
			}
			n.last[p] = max(n.last[p], w)
		}
		if k := len(parts); k > 1 {
			q := parts[k-2] + "." + parts[k-1]
			n.qualified[q] = max(n.qualified[q], by)
		}
	}
	lexical.Words(c.Title, func(t lexical.Term) { n.title[t] = true })
	lexical.Words(c.Prose, func(t lexical.Term) { n.text[t] = true })
	return n
}

func (n naming) call(row rank.Row, name string) {
	parts := strings.Split(name, ".")
	k := len(parts)
	row[sNamed] = n.last[parts[k-1]]
	if k > 1 {
		row[sQualified] = n.qualified[parts[k-2]+"."+parts[k-1]]
	}
	var all, title, text float32
	lexical.Words(parts[k-1], func(t lexical.Term) {
		all++
		if n.title[t] {
			title++
		}
		if n.text[t] {
			text++
		}
	})
	if all > 0 {
		row[sTitle], row[sText] = title/all, text/all
	}
}

// topSymbols are the best definitions.
func (v *view) topSymbols(files, pieces ranked, n int) []Symbol {
	if n <= 0 {
		return []Symbol{}
	}
	all := v.symbols(files, pieces, files.head(symbolFiles))
	scores := make([]float64, len(all))
	for i, c := range all {
		scores[i] = symbolSignals.Score(c.row)
	}
	r := newRanked(scores)
	out := []Symbol{}
	for _, i := range r.head(n) {
		c := all[i]
		path := v.x.tree.Files[c.file].Path
		out = append(out, Symbol{
			Path: path, Name: c.name, Kind: c.kind, Signature: c.signature, Score: r.share(i),
			Span: source.Span{Path: path, Start: int(c.start), End: int(c.end)}, Why: reasons(symbolSignals, c.row, r.top()),
		})
	}
	return out
}

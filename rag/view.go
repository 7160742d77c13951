package rag

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/clue"
	"github.com/repomind/repomind/rag/lexical"
	"github.com/repomind/repomind/rag/rank"
)

// view is one query looked at through all signals. The signals of files are in the
// order of fileSignals, those of pieces in that of pieceSignals; each holds a value
// for every file or piece.
type view struct {
	x      *Index
	clues  clue.Clues
	all    lexical.Query // the words of the issue, and pairs of those of title and prose
	title  lexical.Query
	notes  []string // what could not be done
	files  [][]float32
	pieces [][]float32
	lines  map[int32][]int // of each file, the lines that traces name
}

func (x *Index) look(q Query) *view {
	c := clue.Read(q.Title, q.Body)
	v := &view{x: x, clues: c, files: make([][]float32, len(fileSignals)), pieces: make([][]float32, len(pieceSignals))}
	v.all = words(part{c.Title + "\n" + c.Prose + "\n" + c.CodeText(), 1, 0}, part{c.Title, 0, .7}, part{c.Prose, 0, .4})
	v.title = words(part{c.Title, 1, .7})
	var work sync.WaitGroup
	for _, signals := range []func(){func() { v.text(q) }, v.textApart, v.named, v.past} {
		work.Go(signals)
	}
	work.Wait()
	v.related()
	v.shape()
	for _, signal := range []int{pNear, pFused} {
		v.setPieces(signal, make([]float32, len(x.pieces)))
	}
	v.set(fNear, x.names.zeros())
	v.set(fFused, x.names.zeros())
	return v
}

// set puts the values of a signal of files, scaled divides them by the largest before.
func (v *view) set(signal int, values []float32) { v.files[signal] = values }

func (v *view) scaled(signal int, values []float32) {
	normalise(values)
	v.files[signal] = values
}

func (v *view) setPieces(signal int, values []float32) { v.pieces[signal] = values }

func (v *view) scaledPieces(signal int, values []float32) {
	normalise(values)
	v.pieces[signal] = values
}

// text ranks by words, all of them, and those of the title alone.
func (v *view) text(q Query) {
	x := v.x
	scores := x.words.Score(v.all, lexical.Weights{})
	v.byPiece(scores.Parts, fChunk, fChunks)
	v.scaled(fBody, scores.Docs)
	v.scaledPieces(pBody, scores.Parts)
	scores = x.words.Score(v.title, lexical.Weights{})
	v.byPiece(scores.Parts, fTitleChunk, -1)
	v.scaled(fTitle, scores.Docs)
	v.scaledPieces(pTitle, scores.Parts)
	v.queries(q)
}

// textApart ranks by the words of the prose, the code and the names apart, as each is a
// question of its own, and by those of paths.
func (v *view) textApart() {
	x, c := v.x, v.clues
	scores := x.words.Score(words(part{c.Prose, 1, 0}), lexical.Weights{})
	v.byPiece(scores.Parts, fProseChunk, -1)
	v.scaled(fProse, scores.Docs)
	v.scaledPieces(pProse, scores.Parts)
	scores = x.words.Score(words(part{c.CodeText(), 1, 0}), lexical.Weights{})
	v.scaled(fCode, scores.Docs)
	v.scaledPieces(pCode, scores.Parts)
	v.scaled(fPath, x.paths.Score(v.all, lexical.Weights{}).Docs)
	v.scaled(fTitlePath, x.paths.Score(v.title, lexical.Weights{}).Docs)
	v.nameText()
}

// queries ranks by each text that stands for the question, as a model would be asked
// with: the code that it wrote, the title, kind and prose, the frames of traces. The
// lists are fused by rank.
func (v *view) queries(q Query) {
	written := v.x.words.Score(words(part{q.Code, 1, .4}), lexical.Weights{})
	v.byPiece(written.Parts, fWritten, -1)
	v.scaledPieces(pWritten, written.Parts)
	kind := ""
	if q.Kind.known() != Bug {
		kind = string(q.Kind) + " "
	}
	body := v.x.words.Score(words(part{kind + v.clues.Title + "\n" + v.clues.Prose, 1, .4}), lexical.Weights{})
	frames := v.x.words.Score(words(part{v.frames(), 1, 0}), lexical.Weights{})
	fused := make([]float32, len(v.x.pieces))
	var lists [][]int
	for _, scores := range [][]float32{written.Parts, v.pieces[pTitle], body.Parts, frames.Parts} {
		lists = append(lists, firstOf(scores, fusedFrom))
	}
	for i, s := range rank.RRF(60, lists...) {
		fused[i] = float32(s)
	}
	v.byPiece(fused, fQueries, -1)
	v.scaledPieces(pQueries, fused)
}

// fusedFrom is how many of each list are fused.
const fusedFrom = 500

// firstOf are the indexes of the n best that have a score, the best first.
func firstOf(scores []float32, n int) []int {
	var all []int
	for i, s := range scores {
		if s > 0 {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return all[:min(n, len(all))]
}

// nameText ranks by the words of names, in symbols and anywhere.
func (v *view) nameText() {
	x, c := v.x, v.clues
	var names lexical.Query
	for _, n := range c.Names {
		names.Add(n.Text, placeWeight[n.Place])
	}
	scores := x.words.Score(names, lexical.Weights{})
	v.byPiece(scores.Parts, fNamesChunk, -1)
	v.scaled(fNamesBody, scores.Docs)
	v.scaledPieces(pNamesBody, scores.Parts)
	names.Add(c.Title, .5)
	names.AddPairs(c.Title, .7)
	scores = x.words.Score(names, lexical.Weights{Symbol: 1})
	v.scaled(fNames, scores.Docs)
	v.scaledPieces(pNames, scores.Parts)
}

// part is a text with the weight of its words, and of its pairs of words.
type part struct {
	text         string
	words, pairs float64
}

func words(parts ...part) lexical.Query {
	var q lexical.Query
	for _, p := range parts {
		if p.words > 0 {
			q.Add(p.text, p.words)
		}
		if p.pairs > 0 {
			q.AddPairs(p.text, p.pairs)
		}
	}
	return q
}

// byPiece gives files their best piece, and the sum of their best three.
func (v *view) byPiece(scores []float32, best, three int) {
	tops, sums := v.x.names.zeros(), v.x.names.zeros()
	for f := range tops {
		var top [3]float32
		for _, s := range scores[v.x.first[f]:v.x.first[f+1]] {
			for j := range top {
				if s > top[j] {
					s, top[j] = top[j], s
				}
			}
		}
		tops[f], sums[f] = top[0], top[0]+top[1]+top[2]
	}
	v.scaled(best, tops)
	if three >= 0 {
		v.scaled(three, sums)
	}
}

// named ranks by what the issue names: files, modules, definitions, frames, messages.
func (v *view) named() {
	x, c := v.x, v.clues
	m := x.names.mentions(c)
	v.set(fPathNamed, m.path)
	v.set(fBaseNamed, m.base)
	v.set(fModuleNamed, m.module)
	v.set(fStemNamed, m.stem)
	d := x.defines(c)
	v.set(fDefines, d.code)
	v.set(fDefinesWord, d.word)
	v.set(fQualified, d.qualified)
	v.setPieces(pNamed, d.parts)
	v.setPieces(pQualified, d.partsQualified)
	t := newTraced(c.Traces, x.mapper, x.names)
	v.set(fInTrace, t.in)
	v.set(fNearBreak, t.near)
	v.lines = t.lines
	v.setPieces(pInTrace, v.atLines())
	phrases := x.words.Phrases(c.Phrases)
	bound(phrases.Docs, 1.5)
	bound(phrases.Parts, 1.5)
	v.set(fPhrase, phrases.Docs)
	v.setPieces(pPhrase, phrases.Parts)
}

// atLines marks the pieces that hold a line of a trace, or one that a path names.
func (v *view) atLines() []float32 {
	out := make([]float32, len(v.x.pieces))
	mark := func(f int32, start, end int) {
		for i := v.x.first[f]; i < v.x.first[f+1]; i++ {
			if p := v.x.pieces[i]; end >= int(p.start) && start <= int(p.end) {
				out[i] = 1
			}
		}
	}
	for f, lines := range v.lines {
		for _, l := range lines {
			mark(f, l, l)
		}
	}
	for _, p := range v.clues.Paths {
		if files, _ := v.x.names.byPath(p.Path); p.Start > 0 && len(files) == 1 {
			mark(files[0], p.Start, max(p.Start, p.End))
		}
	}
	return out
}

// past ranks by the history: commits that resemble the question, and the words of
// all commits that changed a file.
func (v *view) past() {
	x, c := v.x, v.clues
	n := len(x.tree.Files)
	all := words(part{c.Title + "\n" + c.Prose + "\n" + c.CodeText(), 1, 0}, part{c.Title, 0, .7})
	v.set(fCommits, spread(x.tree.History, x.commits.Score(all, lexical.Weights{}).Docs, n))
	v.set(fCommitsTitle, spread(x.tree.History, x.commits.Score(v.title, lexical.Weights{}).Docs, n))
	v.scaled(fLog, x.logs.Score(all, lexical.Weights{}).Docs)
	v.scaled(fLogTitle, x.logs.Score(v.title, lexical.Weights{}).Docs)
	v.set(fRecent, x.prior.recent)
	v.set(fOften, x.prior.often)
	v.set(fMended, x.prior.mended)
}

// related hands scores on: from tests to what they test, and along imports.
func (v *view) related() {
	x := v.x
	base := make([]float64, len(x.tree.Files))
	for i := range base {
		base[i] = .5*float64(v.files[fBody][i]) + .6*float64(v.files[fChunk][i]) + .4*float64(v.files[fChunks][i]) +
			.3*float64(v.files[fTitle][i]) + .4*float64(v.files[fCommits][i])
	}
	v.set(fTests, x.fromTests(strongest(base, 60)))
	title := make([]float64, len(base))
	for i, s := range v.files[fTitle] {
		title[i] = float64(s)
	}
	v.set(fTestsTitle, x.fromTests(strongest(title, 60)))
	seeds := strongest(base, 20)
	for i, f := range x.tree.Files {
		if f.Role != source.Code {
			seeds[i] *= .3
		}
		seeds[i] *= seeds[i]
	}
	v.set(fRank, pageRank(x.tree.Imports, seeds))
}

// shape is what a file is, whatever is asked.
func (v *view) shape() {
	x := v.x
	stands, inert, large := x.names.zeros(), x.names.zeros(), x.names.zeros()
	for i, f := range x.tree.Files {
		if standsForDir(f.Path) {
			stands[i] = float32(math.Exp(-float64(f.Size) / 4000))
		}
		if x.contents[i].inert {
			inert[i] = 1
		}
		large[i] = float32(math.Log1p(float64(f.Size)) / 14)
	}
	v.set(fStands, stands)
	v.set(fInert, inert)
	v.set(fLarge, large)
	kinds := map[source.Role]int{source.Test: fIsTest, source.Doc: fIsDoc, source.Other: fIsOther, source.Vendored: fIsVendored, source.Example: fIsExample}
	for _, k := range kinds {
		v.set(k, x.names.zeros())
	}
	for i, f := range x.tree.Files {
		if k, ok := kinds[f.Role]; ok {
			v.files[k][i] = 1
		}
	}
}

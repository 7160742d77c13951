package rag

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/repomind/repomind/rag/clue"
)

// defined is what the names say that a question shares with the definitions of
// the tree.
type defined struct {
	code, word, qualified []float32 // of files
	parts, partsQualified []float32 // of chunks
}

// defines looks the names of a question up. A name counts the less, the more
// files define it.
func (x *Index) defines(c clue.Clues) defined {
	d := defined{
		code: make([]float32, len(x.tree.Files)), word: make([]float32, len(x.tree.Files)), qualified: make([]float32, len(x.tree.Files)),
		parts: make([]float32, len(x.pieces)), partsQualified: make([]float32, len(x.pieces)),
	}
	by := map[string]float64{}
	for _, n := range c.Names {
		words := strings.Split(n.Text, ".")
		for i, w := range words {
			// The last part of a.b.c is what is meant; the others say where it is.
			weight := placeWeight[n.Place]
			if i < len(words)-1 {
				weight /= 2
			}
			if len(w) >= 3 {
				by[w] = max(by[w], weight)
			}
		}
		if len(words) > 1 {
			x.addQualified(words, placeWeight[n.Place], d)
		}
	}
	for _, w := range slices.Sorted(maps.Keys(by)) {
		x.addDefined(w, by[w], d.code, d.parts)
	}
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(c.Title+" "+c.Prose, func(r rune) bool { return !isWord(r) }) {
		if by[w] == 0 && !seen[w] && len(w) > 3 {
			seen[w] = true
			x.addDefined(w, .5, d.word, nil)
		}
	}
	bound(d.code, 2)
	bound(d.word, 2)
	bound(d.parts, 2)
	return d
}

func (x *Index) addDefined(name string, weight float64, files, parts []float32) {
	chunks := x.defs[name]
	n := x.filesOf(chunks)
	if n == 0 || n > 30 {
		return
	}
	by := float32(weight / math.Sqrt(float64(n)))
	last := int32(-1)
	for _, c := range chunks {
		if f := x.pieces[c].file; f != last {
			files[f] += by
			last = f
		}
		if parts != nil {
			parts[c] += float32(weight / math.Sqrt(float64(len(chunks))))
		}
	}
}

// filesOf counts the files that chunks, in order, belong to.
func (x *Index) filesOf(chunks []int32) int {
	n, last := 0, int32(-1)
	for _, c := range chunks {
		if f := x.pieces[c].file; f != last {
			n, last = n+1, f
		}
	}
	return n
}

// addQualified looks for the definition of Class.method, and of module.function
// in a file called like the module.
func (x *Index) addQualified(words []string, weight float64, d defined) {
	last, before := words[len(words)-1], words[len(words)-2]
	if len(x.defs[last]) > tooMany {
		return
	}
	full := before + "." + last
	var hits []int32
	for _, c := range x.defs[last] {
		p := x.pieces[c]
		inFile := strings.EqualFold(stemOf(x.tree.Files[p.file].Path), before)
		for _, q := range p.defines {
			if inFile && q == last || strings.HasSuffix(q, full) && (len(q) == len(full) || q[len(q)-len(full)-1] == '.') {
				hits = append(hits, c)
				break
			}
		}
	}
	for _, c := range hits {
		by := float32(weight / math.Sqrt(float64(len(hits))))
		d.partsQualified[c] = max(d.partsQualified[c], by)
		f := x.pieces[c].file
		d.qualified[f] = max(d.qualified[f], by)
	}
}

func bound(v []float32, top float32) {
	for i, x := range v {
		v[i] = min(x, top)
	}
}

// lastName is the name behind the last dot.
func lastName(qualified string) string {
	return qualified[strings.LastIndexByte(qualified, '.')+1:]
}

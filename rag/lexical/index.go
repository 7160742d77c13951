package lexical

import (
	"math"
	"sort"
)

// Config holds the constants of BM25. What is no number counts as zero.
type Config struct {
	// K1 says how much it counts that a word is repeated. Zero means 1.2; below zero
	// means 0, not at all; above 1000 means 1000.
	K1 float64
	// B says how much it counts that a text is long. Zero means 0.75; below zero means
	// 0, not at all; above 1 means 1.
	B float64
}

func (c Config) k1() float32 {
	if c.K1 == 0 || math.IsNaN(c.K1) {
		return 1.2
	}
	return float32(max(bounded(c.K1, 1000), 1e-6)) // 0 would make 0/0 of a word in a field without weight
}

func (c Config) b() float64 {
	if c.B == 0 || math.IsNaN(c.B) {
		return 0.75
	}
	return bounded(c.B, 1)
}

// Index ranks the documents of a tree. It does not change and may be used by
// several goroutines. It takes 8 bytes for each document and each part that a word
// stands in.
type Index struct {
	data        string // all of it, of which the rest are parts
	k1          float32
	docOf       []uint32 // of each part
	terms       string   // in order, 8 bytes each
	docs, parts list
}

// find gives the number of a term.
func (x *Index) find(t Term) (id int, ok bool) {
	n := len(x.terms) / 8
	id = sort.Search(n, func(i int) bool { return x.term(i) >= t })
	return id, id < n && x.term(id) == t
}

func (x *Index) term(i int) Term {
	return Term(number(x.terms, 2*i)) | Term(number(x.terms, 2*i+1))<<32
}

// DF is how many documents have a word.
func (x *Index) DF(word string) int {
	n := 0
	Words(word, func(t Term) { // the whole comes last
		n = 0
		if id, ok := x.find(t); ok {
			n = x.docs.df(id)
		}
	})
	return n
}

// Docs is how many documents there are.
func (x *Index) Docs() int { return len(x.docs.norms) }

// Parts is how many parts all documents have.
func (x *Index) Parts() int { return len(x.docOf) }

// Postings is how often a word stands in a document or a part, words told once for
// each.
func (x *Index) Postings() int { return x.docs.all.len() + x.parts.all.len() }

// Doc is the document of a part.
func (x *Index) Doc(part int) int { return int(x.docOf[part]) }

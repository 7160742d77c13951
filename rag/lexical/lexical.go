// Package lexical ranks files and their parts by the words that they share with a
// question: BM25F over the words of code, Robertson and Zaragoza, "The Probabilistic
// Relevance Framework: BM25 and Beyond", 2009.
//
// A document is a file, and its parts are the chunks that it consists of; both are
// scored at once. Analyze reads the text of a file once, and its result, a Blob, can
// be kept; New makes an Index of those of a tree. Scores depend on the tree alone:
// not on what was kept, and not on the order of its files.
package lexical

// Version changes when Analyze gives another Blob for the same text.
const Version = 3

// Part is the text of a chunk, by fields.
type Part struct{ Symbol, Body, Comment string }

// The fields of a word. Quote holds runs of three words inside of quotation marks,
// and is seen by Index.Phrases alone.
const (
	symbol = iota
	body
	comment
	quote
)

// Analyze reads the words of a file. Of its different words it keeps the first
// million; a file with more is data.
func Analyze(parts []Part) Blob {
	var a analyser
	lengths := make([][quote]uint64, len(parts))
	for i, p := range parts {
		for field, text := range [quote]string{symbol: p.Symbol, body: p.Body, comment: p.Comment} {
			a.where = uint64(i)<<2 | uint64(field)
			words(text, func(_ string, t Term) {
				lengths[i][field]++
				a.add(t)
			})
		}
		a.where = uint64(i)<<2 | quote
		shingles(p.Body, a.add)
	}
	return a.blob(lengths)
}

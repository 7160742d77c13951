// Package chunk cuts files into chunks of lines: the units that retrieval ranks and
// that a model reads.
//
// Code is cut by definitions, and a long one between its statements; documents by
// headings; configuration by sections; what is left by paragraphs. Chunks of a file
// follow each other without gaps, so that each line is in exactly one. It is split
// and merge as in cAST (Zhang et al. 2025, "Enhancing Code Retrieval-Augmented
// Generation with Structural Chunking via Abstract Syntax Tree"), where size is
// counted in characters that are not white, but a definition of some size is never
// merged with its neighbours.
package chunk

import (
	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// Version changes when the same file is cut otherwise. What is kept of chunks belongs
// to a version, a blob and a form, see [Form].
const Version = 1

// Chunk is a run of lines.
type Chunk struct {
	Span     source.Span // never empty
	From, To int         // the same in bytes: data[From:To]

	// Symbol is the qualified name of what the chunk shows: the definition that it is,
	// or is a part of; the only one of weight that it holds; or else the one around it.
	// In a document it is the path of headings, joined by " > ", and in configuration
	// that of keys, joined by dots. "" is the top of the file.
	Symbol    string
	Kind      Kind
	Signature string // of Symbol; "" where it has none

	// Part counts from 1 among the Parts that Symbol was cut into, those of its members
	// left out. A chunk that shows it whole is 1 of 1, and so is one at the top of a file.
	Part, Parts int

	// Holds are the qualified names of the definitions or sections that begin in the
	// chunk, Symbol not among them, in order; 100 at most.
	Holds []string

	// Comments are the lines with nothing but comments or docstrings, in order.
	Comments []source.Span
}

// Kind says what Symbol is: a kind of code.Symbol, or one of those below.
type Kind string

const (
	Section Kind = "section" // of a document or of configuration
	Lines   Kind = "lines"   // of the top of a file; Symbol is ""
)

// Limits bound a chunk.
type Limits struct {
	Size  int // characters that are not white. Zero means 1,500, about 40 lines
	Bytes int // of a chunk of more than one line. Zero means 4,000
}

func (l Limits) size() int {
	if l.Size > 0 {
		return l.Size
	}
	return 1500
}

func (l Limits) bytes() int {
	if l.Bytes > 0 {
		return l.Bytes
	}
	return 4000
}

// maxRead is the size of a file whose form is looked at; a larger one is cut into
// windows, which takes no memory for its lines.
const maxRead = 8 << 20

// Split cuts a file. layout is that of code.Index.Layout or code.LayoutOf, and zero for
// a file without one: the form of the file is told by its path then. The result is
// nil for a file without bytes. A layout that is not that of data gives other chunks,
// which still are a partition of its lines.
func Split(path string, data []byte, layout code.Layout, limits Limits) []Chunk {
	if len(data) > maxRead {
		return windows(path, data, limits)
	}
	if len(data) == 0 {
		return nil
	}
	t := newText(data)
	var o outline
	if len(layout.Cuts) > 0 || len(layout.Symbols) > 0 {
		o = ofCode(layout)
	} else {
		o = formOf(path).read(t)
	}
	o.order(t.count())
	s := splitter{text: t, limits: limits, cuts: o.cuts}
	s.split(newTree(o.units, t.count()))
	n := namer{text: t, path: path, outline: o}
	return n.chunks(s.out)
}

// windows cuts by size alone.
func windows(path string, data []byte, limits Limits) []Chunk {
	var out []Chunk
	c := Chunk{Span: source.Span{Path: path, Start: 1, End: 0}, Kind: Lines, Part: 1, Parts: 1}
	size := 0
	for at := 0; at < len(data); {
		end := lineEnd(data, at)
		n := solid(data[at:end])
		if at > c.From && (size+n > limits.size() || end-c.From > limits.bytes()) {
			out = append(out, c)
			c.From, c.Span.Start, size = at, c.Span.End+1, 0
		}
		c.To, at, size = end, end, size+n
		c.Span.End++
	}
	return append(out, c)
}

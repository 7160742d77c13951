package rag

import (
	"encoding/binary"
	"errors"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/rag/chunk"
	"github.com/repomind/repomind/rag/lexical"
)

// piece is a chunk without its text.
type piece struct {
	start, end int32
	symbol     string // qualified; "" is the top of a file
	kind       string
	signature  string
	part       int32
	parts      int32
	defines    []string // the qualified names of the definitions that begin in it
}

// symbol is a type or a function of a file.
type symbol struct {
	name       string // qualified
	kind       string
	signature  string
	start, end int32
}

// content is what is kept of a blob, beside its words.
type content struct {
	pieces  []piece
	symbols []symbol
	inert   bool // code without a function: constants, declarations, re-exports
}

// contentVersion changes with what is kept of a blob.
const contentVersion = 1000*chunk.Version + 10*lexical.Version + 4

var (
	errContent = errors.New("a record of the index is damaged")
	// errStale means that contents of a tree are not kept any more.
	errStale = errors.New("contents are missing")
)

// newContent reads a file. It gives the words of its pieces too.
func newContent(path string, data []byte, layout code.Layout) (content, lexical.Blob) {
	chunks := chunk.Split(path, data, layout, chunk.Limits{})
	c := content{inert: inert(layout), symbols: symbols(layout)}
	parts := make([]lexical.Part, len(chunks))
	for i, ch := range chunks {
		p := piece{
			start: int32(ch.Span.Start), end: int32(ch.Span.End), symbol: ch.Symbol, kind: string(ch.Kind),
			signature: ch.Signature, part: int32(ch.Part), parts: int32(ch.Parts),
		}
		if layout.Language != "" {
			if ch.Part <= 1 && ch.Symbol != "" {
				p.defines = append(p.defines, ch.Symbol)
			}
			p.defines = append(p.defines, ch.Holds...)
		}
		body, comments := ch.Apart(data)
		parts[i] = lexical.Part{Symbol: names(ch), Body: string(body), Comment: string(comments)}
		c.pieces = append(c.pieces, p)
	}
	return c, lexical.Analyze(parts)
}

// symbols are the types and functions of a file; its constants and variables are
// no place for a cause to be in, but a line of one.
func symbols(l code.Layout) []symbol {
	var out []symbol
	for _, s := range l.Symbols {
		switch s.Kind {
		case code.Const, code.Var, code.Field, code.Module:
			continue
		}
		out = append(out, symbol{s.Qualified, string(s.Kind), s.Signature, int32(s.Span.Start), int32(s.Span.End)})
	}
	return out
}

func names(ch chunk.Chunk) string {
	s := ch.Symbol
	for _, h := range ch.Holds {
		s += " " + h
	}
	return s
}

func inert(l code.Layout) bool {
	for _, s := range l.Symbols {
		if s.Kind == code.Function || s.Kind == code.Method || s.Kind == code.Macro {
			return false
		}
	}
	return len(l.Symbols) > 0
}

// encode is: inert, the pieces, the symbols.
func (c content) encode() string {
	e := encoder{}
	e.num(btoi(c.inert))
	e.num(len(c.pieces))
	last := int32(0)
	for _, p := range c.pieces {
		e.num(int(p.start - last))
		e.num(int(p.end - p.start))
		last = p.start
		e.num(int(p.part))
		e.num(int(p.parts))
		e.str(p.symbol)
		e.str(p.kind)
		e.str(p.signature)
		e.num(len(p.defines))
		for _, d := range p.defines {
			e.str(d)
		}
	}
	e.num(len(c.symbols))
	for _, s := range c.symbols {
		e.str(s.name)
		e.str(s.kind)
		e.str(s.signature)
		e.num(int(s.start))
		e.num(int(max(0, s.end-s.start)))
	}
	return string(e.buf)
}

type encoder struct{ buf []byte }

func (e *encoder) num(n int) { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }
func (e *encoder) str(s string) {
	e.num(len(s))
	e.buf = append(e.buf, s...)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func decodeContent(s string) (content, error) {
	d := decoder{rest: s}
	c := content{inert: d.num() == 1}
	n := d.count(8)
	c.pieces = make([]piece, n)
	last := int32(0)
	for i := range c.pieces {
		p := &c.pieces[i]
		p.start = last + int32(d.num())
		p.end = p.start + int32(d.num())
		last = p.start
		p.part, p.parts = int32(d.num()), int32(d.num())
		p.symbol, p.kind, p.signature = d.str(), d.str(), d.str()
		if k := d.count(1); k > 0 {
			p.defines = make([]string, k)
			for j := range p.defines {
				p.defines[j] = d.str()
			}
		}
	}
	c.symbols = make([]symbol, d.count(5))
	for i := range c.symbols {
		s := &c.symbols[i]
		s.name, s.kind, s.signature = d.str(), d.str(), d.str()
		s.start = int32(d.num())
		s.end = s.start + int32(d.num())
	}
	if d.bad || d.rest != "" {
		return content{}, errContent
	}
	return c, nil
}

type decoder struct {
	rest string
	bad  bool
}

func (d *decoder) num() int {
	var n uint64
	for i := 0; i < len(d.rest) && i < binary.MaxVarintLen64; i++ {
		b := d.rest[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			d.rest = d.rest[i+1:]
			return int(n & (1<<62 - 1))
		}
	}
	d.bad, d.rest = true, ""
	return 0
}

// count reads a number of things that take at least size bytes each.
func (d *decoder) count(size int) int {
	n := d.num()
	if n > len(d.rest)/size {
		d.bad = true
		return 0
	}
	return n
}

func (d *decoder) str() string {
	n := d.count(1)
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

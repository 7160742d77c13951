package code

import (
	"encoding/binary"
	"errors"
)

// A record is the facts of one blob in bytes: the length of the first part; in it the
// definitions, imports and layout; and then the references and hints, which are most
// of it, and are read when someone asks who uses a name. Each part is a table of its
// strings, then each list with its length, all numbers as varints and strings by their
// place in the table. Lines are written as differences to the line before.

var errRecord = errors.New("a record of the symbol cache is damaged")

type encoder struct {
	buf   []byte
	table map[string]uint64
	words []string
}

func (e *encoder) num(n uint64)  { e.buf = binary.AppendUvarint(e.buf, n) }
func (e *encoder) diff(n int64)  { e.buf = binary.AppendVarint(e.buf, n) }
func (e *encoder) scope(n int32) { e.num(uint64(n + 1)) }
func (e *encoder) flag(b bool) {
	if b {
		e.num(1)
	} else {
		e.num(0)
	}
}

func (e *encoder) str(words ...string) {
	for _, s := range words {
		at, ok := e.table[s]
		if !ok {
			at = uint64(len(e.words))
			e.table[s] = at
			e.words = append(e.words, s)
		}
		e.num(at)
	}
}

func newEncoder() *encoder {
	return &encoder{table: map[string]uint64{"": 0}, words: []string{""}}
}

func encode(f *facts) []byte {
	first, second := encodeFirst(f), encodeSecond(f)
	out := make([]byte, 0, len(first)+len(second)+binary.MaxVarintLen64)
	out = binary.AppendUvarint(out, uint64(len(first)))
	return append(append(out, first...), second...)
}

func encodeFirst(f *facts) []byte {
	e := newEncoder()
	e.str(string(f.lang), f.skip, f.pkg, f.layout)
	e.flag(f.entry)
	e.flag(f.broken)
	e.num(uint64(len(f.refs)))
	e.num(uint64(len(f.defs)))
	for _, d := range f.defs {
		e.def(d)
	}
	e.num(uint64(len(f.imps)))
	for _, i := range f.imps {
		e.str(i.module, i.name, i.as)
		e.num(uint64(i.line))
		e.scope(i.in)
	}
	return e.withTable()
}

func encodeSecond(f *facts) []byte {
	e := newEncoder()
	e.num(uint64(len(f.refs)))
	last := int64(0)
	for _, r := range f.refs {
		e.str(f.words[r.name], f.words[r.recv])
		e.diff(int64(r.line) - last)
		last = int64(r.line)
		e.num(uint64(r.col))
		e.scope(r.in)
		e.num(uint64(r.flags))
	}
	e.num(uint64(len(f.hints)))
	for _, h := range f.hints {
		e.hint(h)
	}
	return e.withTable()
}

func (e *encoder) def(d def) {
	e.str(d.name, d.owner, d.sig, d.bases, d.result)
	e.num(uint64(d.kind))
	e.num(uint64(d.flags))
	e.scope(d.parent)
	e.num(uint64(d.start))
	e.num(uint64(d.name0 - d.start))
	e.num(uint64(d.sigEnd - d.start))
	e.num(uint64(d.end - d.start))
}

func (e *encoder) hint(h hint) {
	e.str(h.name, h.text)
	e.scope(h.of)
	e.scope(h.in)
	e.num(uint64(h.sort))
	e.num(uint64(h.index))
}

func (e *encoder) withTable() []byte {
	size := 0
	for _, w := range e.words {
		size += len(w) + 2
	}
	out := make([]byte, 0, size+len(e.buf)+8)
	out = binary.AppendUvarint(out, uint64(len(e.words)))
	for _, w := range e.words {
		out = binary.AppendUvarint(out, uint64(len(w)))
		out = append(out, w...)
	}
	return append(out, e.buf...)
}

package code

import (
	"encoding/binary"
	"errors"

	"github.com/repomind/repomind/internal/source"
)

// A record is the facts of one blob in bytes: a table of its strings, then each
// list with its length, all numbers as varints and strings by their place in the
// table. Lines are written as differences to the line before.

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

func encode(f *facts) []byte {
	e := &encoder{table: map[string]uint64{"": 0}, words: []string{""}}
	e.str(string(f.lang), f.skip, f.pkg)
	e.flag(f.entry)
	e.flag(f.broken)
	e.num(uint64(len(f.defs)))
	for _, d := range f.defs {
		e.def(d)
	}
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
	e.num(uint64(len(f.imps)))
	for _, i := range f.imps {
		e.str(i.module, i.name, i.as)
		e.num(uint64(i.line))
		e.scope(i.in)
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

// decoder reads a record. A bad number makes all that follow zero and sets bad, so
// that a reader checks once at the end.
type decoder struct {
	rest  string
	words []string
	bad   bool
}

func (d *decoder) num() uint64 {
	var n uint64
	for i := 0; i < len(d.rest) && i < binary.MaxVarintLen64; i++ {
		c := d.rest[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.rest = d.rest[i+1:]
			return n
		}
	}
	d.rest, d.bad = "", true
	return 0
}

func (d *decoder) diff() int64 {
	n := d.num()
	return int64(n>>1) ^ -int64(n&1)
}

// upTo is a number of at most limit.
func (d *decoder) upTo(limit uint64) uint64 {
	n := d.num()
	if n > limit {
		d.bad = true
		return 0
	}
	return n
}

// count is the length of a list whose elements take at least size bytes each, so
// that a damaged length does not allocate more than the record justifies.
func (d *decoder) count(size int) int { return int(d.upTo(uint64(len(d.rest) / size))) }

// bytes are as many as the number before them says.
func (d *decoder) bytes() string {
	n := d.num()
	if n > uint64(len(d.rest)) {
		d.rest, d.bad = "", true
		return ""
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

// word is the place of a string in the table.
func (d *decoder) word() uint32 {
	n := d.num()
	if n < uint64(len(d.words)) {
		return uint32(n)
	}
	d.bad = true
	return 0
}

func (d *decoder) str() string {
	if n := d.num(); n < uint64(len(d.words)) {
		return d.words[n]
	}
	d.bad = true
	return ""
}

func (d *decoder) scope(defs int) int32 { return int32(d.upTo(uint64(defs))) - 1 }

const maxLine = 1 << 30

func (d *decoder) line() uint32 { return uint32(d.upTo(maxLine)) }

// decode gives facts whose strings are parts of the record.
func decode(record string) (*facts, error) {
	d := &decoder{rest: record}
	d.words = make([]string, 0, d.count(1))
	for range cap(d.words) {
		d.words = append(d.words, d.bytes())
	}
	if len(d.words) == 0 || d.words[0] != "" {
		return nil, errRecord
	}
	f := &facts{words: d.words, lang: source.Language(d.str()), skip: d.str(), pkg: d.str()}
	f.entry, f.broken = d.num() == 1, d.num() == 1
	d.defs(f)
	d.refs(f)
	d.imps(f)
	d.hints(f)
	if d.bad || d.rest != "" {
		return nil, errRecord
	}
	return f, nil
}

func (d *decoder) defs(f *facts) {
	f.defs = make([]def, d.count(12))
	for i := range f.defs {
		x := def{name: d.str(), owner: d.str(), sig: d.str(), bases: d.str(), result: d.str()}
		x.kind, x.flags = uint8(d.upTo(uint64(len(kinds)-1))), uint8(d.upTo(255))
		x.parent = d.scope(i)
		x.start = d.line()
		x.name0, x.sigEnd, x.end = x.start+d.line(), x.start+d.line(), x.start+d.line()
		f.defs[i] = x
	}
}

func (d *decoder) refs(f *facts) {
	f.refs = make([]ref, d.count(6))
	last := int64(0)
	for i := range f.refs {
		x := ref{name: d.word(), recv: d.word()}
		last += d.diff()
		if last < 0 || last > maxLine {
			d.bad, last = true, 0
		}
		x.line, x.col = uint32(last), d.line()
		x.in, x.flags = d.scope(len(f.defs)), uint8(d.upTo(255))
		f.refs[i] = x
	}
}

func (d *decoder) imps(f *facts) {
	f.imps = make([]imp, d.count(5))
	for i := range f.imps {
		f.imps[i] = imp{module: d.str(), name: d.str(), as: d.str(), line: d.line(), in: d.scope(len(f.defs))}
	}
}

func (d *decoder) hints(f *facts) {
	f.hints = make([]hint, d.count(6))
	for i := range f.hints {
		x := hint{name: d.str(), text: d.str(), of: d.scope(len(f.defs)), in: d.scope(len(f.defs))}
		x.sort, x.index = uint8(d.upTo(255)), uint8(d.upTo(255))
		f.hints[i] = x
	}
}

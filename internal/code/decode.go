package code

import (
	"encoding/binary"

	"github.com/repomind/repomind/internal/source"
)

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

// newDecoder reads the table of a part.
func newDecoder(part string) *decoder {
	d := &decoder{rest: part}
	d.words = make([]string, 0, d.count(1))
	for range cap(d.words) {
		d.words = append(d.words, d.bytes())
	}
	if len(d.words) == 0 || d.words[0] != "" {
		d.rest, d.bad = "", true
	}
	return d
}

func (d *decoder) err() error {
	if d.bad || d.rest != "" {
		return errRecord
	}
	return nil
}

// decode gives facts whose strings are parts of the record.
func decode(record string) (*facts, error) {
	f, err := decodeFirst(record)
	if err == nil {
		err = f.decodeSecond()
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// decodeFirst leaves the second part for decodeSecond.
func decodeFirst(record string) (*facts, error) {
	whole := &decoder{rest: record}
	first := whole.bytes()
	if whole.bad {
		return nil, errRecord
	}
	d := newDecoder(first)
	f := &facts{second: whole.rest, lang: source.Language(d.str()), skip: d.str(), pkg: d.str(), layout: d.str()}
	f.entry, f.broken = d.num() == 1, d.num() == 1
	f.uses = int(d.upTo(maxFacts))
	d.defs(f)
	d.imps(f)
	return f, d.err()
}

// decodeSecond reads the references and hints, once. Facts with a damaged part have
// none.
func (f *facts) decodeSecond() error {
	d := newDecoder(f.second)
	found := facts{defs: f.defs, words: d.words}
	d.refs(&found)
	d.hints(&found)
	f.second = ""
	if err := d.err(); err != nil {
		return err
	}
	if len(found.refs) != f.uses {
		return errRecord
	}
	f.words, f.refs, f.hints = found.words, found.refs, found.hints
	return nil
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

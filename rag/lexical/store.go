package lexical

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrIndex means that bytes are no encoded Index, or a cut or damaged one.
var ErrIndex = errors.New("damaged index of words; make it again")

// Encode gives all of the index, as [Decode] reads it: numbers of four bytes,
// little-endian,
//
//	k1; the number of parts; of each part, its document
//	the number of terms; the terms in order, 8 bytes each
//	for documents, then for parts: of each term, the end of its postings; the number of
//	postings; of each, the document or part and the counts; the number of documents or
//	parts; of each, the norms of all fields but quote
func (x *Index) Encode() string { return x.data }

func (b *builder) encode(order []numbered, cfg Config) string {
	n := 4*len(b.docOf) + 16*len(order) + len(b.docs.room) + len(b.parts.room) + 4*quote*(len(b.docLengths)+len(b.partLengths))
	out := encoder{make([]byte, 0, n+64)}
	out.num(math.Float32bits(cfg.k1()))
	out.num(uint32(len(b.docOf)))
	for _, d := range b.docOf {
		out.num(d)
	}
	out.num(uint32(len(order)))
	for _, o := range order {
		out.b = binary.LittleEndian.AppendUint64(out.b, uint64(o.term))
	}
	out.list(order, b.docs, norms(b.docLengths, cfg.b()))
	out.list(order, b.parts, norms(b.partLengths, cfg.b()))
	return string(out.b)
}

type encoder struct{ b []byte }

func (e *encoder) num(n uint32) { e.b = binary.LittleEndian.AppendUint32(e.b, n) }

func (e *encoder) list(order []numbered, f filling, norms [][quote]float32) {
	for _, o := range order {
		e.num(uint32(f.next[o.id])) // all are there, so that it is the end
	}
	e.num(uint32(len(f.room) / postingSize))
	e.b = append(e.b, f.room...)
	e.num(uint32(len(norms)))
	for _, row := range norms {
		for _, x := range row {
			e.num(math.Float32bits(x))
		}
	}
}

// Decode reads what Encode gave, and goes on to use it in place. No bytes make an Index
// that panics; bytes that were changed into another sound form are for checksums to find.
// The error is ErrIndex.
func Decode(data string) (*Index, error) {
	s := scanner{rest: data}
	x := &Index{data: data, k1: math.Float32frombits(s.num())}
	x.docOf = s.nums(s.count(4))
	x.terms = s.take(8 * s.count(8))
	x.docs, x.parts = s.list(len(x.terms)/8), s.list(len(x.terms)/8)
	sound := !s.bad && len(s.rest) == 0 && x.k1 > 0 && x.k1 <= 1000 && len(x.docOf) == len(x.parts.norms)
	for _, d := range x.docOf {
		sound = sound && int(d) < len(x.docs.norms)
	}
	if !sound {
		return nil, ErrIndex
	}
	return x, nil
}

// scanner reads numbers of four bytes. After an end that comes too early it is bad, and
// gives zeros.
type scanner struct {
	rest string
	bad  bool
}

func (s *scanner) num() uint32 {
	if len(s.rest) < 4 {
		s.bad, s.rest = true, ""
		return 0
	}
	n := number(s.rest, 0)
	s.rest = s.rest[4:]
	return n
}

// count reads a number of things that take size bytes each.
func (s *scanner) count(size int) int {
	n := int(s.num())
	if n > len(s.rest)/size {
		s.bad, s.rest = true, ""
		return 0
	}
	return n
}

func (s *scanner) nums(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = s.num()
	}
	return out
}

// take gives the next bytes as they are.
func (s *scanner) take(n int) string {
	if n > len(s.rest) {
		s.bad, s.rest = true, ""
		return ""
	}
	row := s.rest[:n]
	s.rest = s.rest[n:]
	return row
}

func (s *scanner) list(terms int) list {
	l := list{ends: s.take(4 * terms)}
	l.all = postings(s.take(postingSize * s.count(postingSize)))
	last := uint32(0)
	for i := range len(l.ends) / 4 {
		end := number(l.ends, i)
		s.bad = s.bad || end < last
		last = end
	}
	s.bad = s.bad || int(last) != l.all.len()
	l.norms = make([][quote]float32, s.count(4*quote))
	for i := range l.norms {
		for f := range l.norms[i] {
			x := math.Float32frombits(s.num())
			s.bad = s.bad || !(x >= 0 && x <= math.MaxFloat32)
			l.norms[i][f] = x
		}
	}
	return l
}

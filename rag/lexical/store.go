package lexical

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrIndex means that bytes are no encoded Index, or a cut or damaged one.
var ErrIndex = errors.New("damaged index of words; make it again")

// Encode gives the index in a form that [Decode] reads in a fraction of the time that
// New takes: numbers of four bytes, little-endian,
//
//	k1; the number of parts; of each part, its document
//	the number of terms; the terms, 8 bytes each
//	for documents, then for parts: of each term, the end of its postings; the number of
//	postings; of each, the document or part and the counts; the number of documents or
//	parts; of each, the norms of all fields but quote
func (x *Index) Encode() string {
	n := 4*len(x.docOf) + 8*x.dict.n + x.docs.size() + x.parts.size() + 64
	b := make([]byte, 0, n)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x.k1))
	b = appendCount(b, len(x.docOf))
	for _, d := range x.docOf {
		b = binary.LittleEndian.AppendUint32(b, d)
	}
	b = appendCount(b, x.dict.n)
	for _, t := range x.dict.terms() {
		b = binary.LittleEndian.AppendUint64(b, uint64(t))
	}
	return string(x.parts.append(x.docs.append(b)))
}

func appendCount(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(n)) }

// terms are those of the dict, by number.
func (d *dict) terms() []Term {
	out := make([]Term, d.n)
	for _, s := range d.slots {
		if s.id != 0 {
			out[s.id-1] = s.term
		}
	}
	return out
}

func (l *list) size() int { return 4*len(l.from) + len(l.all) + 4*quote*len(l.norms) }

func (l *list) append(b []byte) []byte {
	for _, end := range l.from[1:] {
		b = appendCount(b, end)
	}
	b = appendCount(b, l.all.len())
	b = append(b, l.all...)
	b = appendCount(b, len(l.norms))
	for _, norms := range l.norms {
		for _, x := range norms {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	return b
}

// Decode reads what Encode gave, and goes on to use it in place. No bytes make an Index
// that panics; bytes that were changed into another sound form are for checksums to find.
// The error is ErrIndex.
func Decode(data string) (*Index, error) {
	s := scanner{rest: data}
	x := &Index{k1: math.Float32frombits(s.num())}
	x.docOf = s.nums(s.count(4))
	n := s.count(8)
	if n > 0 {
		x.dict.reserve(n)
	}
	for range n {
		low, high := s.num(), s.num()
		x.dict.add(Term(high)<<32 | Term(low))
	}
	x.docs, x.parts = s.list(n), s.list(n)
	sound := !s.bad && len(s.rest) == 0 && x.dict.n == n && x.k1 > 0 && x.k1 <= 1000 && len(x.docOf) == len(x.parts.norms)
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
	r := s.rest
	s.rest = r[4:]
	return uint32(r[0]) | uint32(r[1])<<8 | uint32(r[2])<<16 | uint32(r[3])<<24
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

func (s *scanner) list(terms int) list {
	l := list{from: make([]int, 1, terms+1)}
	for range terms {
		end := int(s.num())
		if end < l.from[len(l.from)-1] {
			s.bad = true
		}
		l.from = append(l.from, end)
	}
	n := postingSize * s.count(postingSize)
	l.all, s.rest = postings(s.rest[:n]), s.rest[n:]
	if l.from[terms] != l.all.len() {
		s.bad = true
	}
	l.norms = make([][quote]float32, s.count(4*quote))
	for i := range l.norms {
		for f := range l.norms[i] {
			x := math.Float32frombits(s.num())
			if !(x >= 0 && x <= math.MaxFloat32) {
				s.bad = true
			}
			l.norms[i][f] = x
		}
	}
	return l
}

package lexical

import (
	"encoding/binary"
	"errors"
	"math"
)

// Blob is the words of a file in a compact form:
//
//	the number of parts; for each the number of words in each field but quote
//	the number of terms; the terms in order, 8 bytes each
//	for each term: the number of its entries, in order; for each the distance from
//	the part of the entry before, and count<<2 | field
type Blob []byte

// ErrBlob means that bytes are no Blob, or a cut or damaged one.
var ErrBlob = errors.New("damaged words of a file; analyze it again to rebuild the index")

// Parts is how many parts the file has. The error is ErrBlob.
func (b Blob) Parts() (int, error) {
	r := reader{blob: b}
	n := r.count(quote)
	if r.bad {
		return 0, ErrBlob
	}
	return n, nil
}

// reader takes a Blob apart. After something that no Blob has, it is bad, and gives
// zeros.
type reader struct {
	blob Blob
	at   int
	bad  bool
}

func (r *reader) fail() {
	r.bad, r.at = true, len(r.blob)
}

func (r *reader) num() uint64 {
	if rest := r.blob[r.at:]; len(rest) > 0 && rest[0] < 0x80 { // nearly always
		r.at++
		return uint64(rest[0])
	}
	return r.long()
}

func (r *reader) long() uint64 {
	n, size := binary.Uvarint(r.blob[r.at:])
	if size <= 0 {
		r.fail()
		return 0
	}
	r.at += size
	return n
}

// count reads a number of things that take at least size bytes each.
func (r *reader) count(size int) int {
	n := r.num()
	if n > uint64((len(r.blob)-r.at)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

// lengths gives the number of words of each part.
func (r *reader) lengths(each func([quote]uint64)) {
	for range r.count(quote) {
		var l [quote]uint64
		for f := range l {
			l[f] = r.num()
			if l[f] > math.MaxUint32 {
				r.fail()
			}
		}
		each(l)
	}
}

// terms gives the terms, with the reader at their entries.
func (r *reader) terms() []byte {
	n := 8 * r.count(8)
	r.at += n
	return r.blob[r.at-n : r.at]
}

// postings reads the entries of a term and gives those of each part as one.
func (r *reader) postings(parts uint64, each func(part uint32, c counts)) {
	var c counts
	part, field := uint64(0), -1
	for n := r.count(2); n > 0; n-- {
		step, packed := r.num(), r.num()
		if step > 0 && field >= 0 {
			each(uint32(part), c)
			c, field = 0, -1
		}
		f := int(packed & 3)
		if step >= parts-part || f <= field || packed>>2 == 0 || packed>>34 != 0 {
			r.fail()
			return
		}
		part, field = part+step, f
		c |= count(f, packed>>2)
	}
	if field < 0 {
		r.fail() // a term that stands nowhere
		return
	}
	each(uint32(part), c)
}

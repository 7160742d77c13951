package lexical

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// New makes an Index of the words of files, in their order. The error is ErrBlob
// with the number of the file.
func New(blobs []Blob, cfg Config) (*Index, error) {
	var b builder
	for i, blob := range blobs {
		if err := b.count(uint32(i), blob); err != nil {
			return nil, fmt.Errorf("file %d: %w", i, err)
		}
	}
	order := b.dict.sorted()
	b.docs.place(order)
	b.parts.place(order)
	first := uint32(0)
	for i, blob := range blobs {
		first += b.fill(uint32(i), first, blob)
	}
	return Decode(b.encode(order, cfg))
}

// builder reads the files twice, first to count what there is.
type builder struct {
	dict                    dict
	docOf                   []uint32 // of each part
	docs, parts             filling
	docLengths, partLengths [][quote]uint64
	ids                     []uint32 // of the terms of all files, one after the other
}

func (b *builder) count(doc uint32, blob Blob) error {
	r := reader{blob: blob}
	var sum [quote]uint64
	first := len(b.docOf)
	r.lengths(func(l [quote]uint64) {
		b.docOf = append(b.docOf, doc)
		b.partLengths = append(b.partLengths, l)
		for f, n := range l {
			sum[f] += n
		}
	})
	b.docLengths = append(b.docLengths, sum)
	parts := uint64(len(b.docOf) - first)
	last := Term(0)
	for i, terms := 0, r.terms(); i < len(terms) && !r.bad; i += 8 {
		t := Term(binary.LittleEndian.Uint64(terms[i:]))
		if t <= last && i > 0 {
			return ErrBlob
		}
		last = t
		id := b.dict.add(t)
		b.ids = append(b.ids, id)
		b.docs.count(id)
		r.postings(parts, func(uint32, counts) { b.parts.count(id) })
	}
	if r.bad || r.at < len(blob) {
		return ErrBlob
	}
	return nil
}

// fill writes the postings of a file, and gives the number of its parts.
func (b *builder) fill(doc, first uint32, blob Blob) (parts uint32) {
	r := reader{blob: blob}
	r.lengths(func([quote]uint64) { parts++ })
	terms := len(r.terms()) / 8
	for _, id := range b.ids[:terms] {
		var sum counts
		r.postings(uint64(parts), func(part uint32, c counts) {
			b.parts.put(id, first+part, c)
			sum = sum.plus(c)
		})
		b.docs.put(id, doc, sum)
	}
	b.ids = b.ids[terms:]
	return parts
}

// filling is the postings of all terms in documents, or in parts, on their way.
type filling struct {
	next []int // of each term, how many postings it has; then where its next one goes
	room []byte
}

func (f *filling) count(id uint32) {
	if int(id) == len(f.next) {
		f.next = append(f.next, 0)
	}
	f.next[id]++
}

// place gives each term its room, in this order of terms.
func (f *filling) place(order []numbered) {
	sum := 0
	for _, o := range order {
		f.next[o.id], sum = sum, sum+f.next[o.id]
	}
	f.room = make([]byte, postingSize*sum)
}

func (f *filling) put(id, at uint32, c counts) {
	binary.LittleEndian.PutUint64(f.room[postingSize*f.next[id]:], uint64(at)|uint64(c)<<32)
	f.next[id]++
}

// numbered is a term with its number in the dict.
type numbered struct {
	term Term
	id   uint32
}

// sorted are the terms of the dict in order.
func (d *dict) sorted() []numbered {
	out := make([]numbered, 0, d.n)
	for _, s := range d.slots {
		if s.id != 0 {
			out = append(out, numbered{s.term, s.id - 1})
		}
	}
	slices.SortFunc(out, func(a, b numbered) int { return cmp.Compare(a.term, b.term) })
	return out
}

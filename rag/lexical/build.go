package lexical

import (
	"encoding/binary"
	"fmt"
)

// New makes an Index of the words of files, in their order. The error is ErrBlob
// with the number of the file.
func New(blobs []Blob, cfg Config) (*Index, error) {
	b := builder{Index: &Index{k1: cfg.k1()}}
	b.docs.from, b.parts.from = []int{0}, []int{0}
	for i, blob := range blobs {
		if err := b.count(uint32(i), blob); err != nil {
			return nil, fmt.Errorf("file %d: %w", i, err)
		}
	}
	docs, parts := b.docs.place(), b.parts.place()
	first := uint32(0)
	for i, blob := range blobs {
		first += b.fill(docs, parts, uint32(i), first, blob)
	}
	b.docs.all, b.parts.all = postings(docs), postings(parts)
	b.docs.setNorms(b.docLengths, cfg.b())
	b.parts.setNorms(b.partLengths, cfg.b())
	return b.Index, nil
}

// builder reads the files twice, first to count what there is.
type builder struct {
	*Index
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
func (b *builder) fill(inDocs, inParts []byte, doc, first uint32, blob Blob) (parts uint32) {
	r := reader{blob: blob}
	r.lengths(func([quote]uint64) { parts++ })
	terms := len(r.terms()) / 8
	for _, id := range b.ids[:terms] {
		var sum counts
		r.postings(uint64(parts), func(part uint32, c counts) {
			b.parts.put(inParts, id, first+part, c)
			sum = sum.plus(c)
		})
		b.docs.put(inDocs, id, doc, sum)
	}
	b.ids = b.ids[terms:]
	return parts
}

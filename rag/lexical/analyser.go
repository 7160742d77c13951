package lexical

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// maxTerms is how many different words of a file are kept.
const maxTerms = 1 << 20

// analyser collects the words of a file. They come part by part and field by field,
// so what a word has is in order as it comes.
type analyser struct {
	where uint64 // part<<2 | field that is read
	dict  dict
	terms []found
	spots []spot
}

// found is a term with where it stands, a list in spots.
type found struct {
	term               Term
	spots, first, last uint32
}

// spot is a term in a field of a part.
type spot struct {
	where       uint64
	count, next uint32
}

func (a *analyser) add(t Term) {
	if a.dict.n == maxTerms {
		if _, known := a.dict.find(t); !known {
			return
		}
	}
	id, at := a.dict.add(t), uint32(len(a.spots))
	if int(id) == len(a.terms) {
		a.terms = append(a.terms, found{term: t, first: at})
	} else {
		last := &a.spots[a.terms[id].last]
		if last.where == a.where {
			last.count++
			return
		}
		last.next = at
	}
	a.spots = append(a.spots, spot{where: a.where, count: 1})
	a.terms[id].last = at
	a.terms[id].spots++
}

func (a *analyser) blob(lengths [][quote]uint64) Blob {
	slices.SortFunc(a.terms, func(x, y found) int { return cmp.Compare(x.term, y.term) })
	out := make([]byte, 0, 16+3*len(lengths)+9*len(a.terms)+3*len(a.spots))
	out = binary.AppendUvarint(out, uint64(len(lengths)))
	for _, l := range lengths {
		for _, n := range l {
			out = binary.AppendUvarint(out, n)
		}
	}
	out = binary.AppendUvarint(out, uint64(len(a.terms)))
	for _, t := range a.terms {
		out = binary.LittleEndian.AppendUint64(out, uint64(t.term))
	}
	for _, t := range a.terms {
		out = binary.AppendUvarint(out, uint64(t.spots))
		part := uint64(0)
		for at, n := t.first, t.spots; n > 0; n-- {
			s := a.spots[at]
			out = binary.AppendUvarint(out, s.where>>2-part)
			out = binary.AppendUvarint(out, uint64(s.count)<<2|s.where&3)
			part, at = s.where>>2, s.next
		}
	}
	return out
}

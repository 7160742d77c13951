package flat

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/repomind/repomind/internal/vector"
)

// An entry of the log puts an item into the next row, or deletes one.
const (
	opPut    = 1
	opDelete = 2
)

type entry struct {
	op   byte
	id   string
	code code
	// Checksums of the row's two forms, as they stand in the file of vectors.
	sum8, sum32 uint32
	meta        string // encoded
}

func (e *entry) append(b []byte) []byte {
	b = appendText(append(b, e.op), e.id)
	if e.op == opDelete {
		return b
	}
	for _, n := range []uint32{math.Float32bits(e.code.scale), math.Float32bits(e.code.err), e.sum8, e.sum32} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return appendText(b, e.meta)
}

// maxMeta is more than the longest metadata takes.
const maxMeta = vector.MaxPairs * (vector.MaxName + vector.MaxText + 8)

// decode reads the entries of a frame; their texts share its memory.
func decode(s string) ([]entry, error) {
	var list []entry
	for s != "" {
		e, rest, ok := cutEntry(s)
		if !ok {
			return nil, fmt.Errorf("entry %d of a frame: %w", len(list), vector.ErrBroken)
		}
		list, s = append(list, e), rest
	}
	return list, nil
}

func cutEntry(s string) (e entry, rest string, ok bool) {
	e.op = s[0]
	if e.id, s, ok = cutText(s[1:], vector.MaxID); !ok || vector.CheckID(e.id) != nil {
		return e, "", false
	}
	if e.op == opDelete {
		return e, s, true
	}
	if e.op != opPut || len(s) < 16 {
		return e, "", false
	}
	n := [4]uint32{}
	for i := range n {
		n[i] = binary.LittleEndian.Uint32([]byte(s[4*i : 4*i+4]))
	}
	e.code, e.sum8, e.sum32 = code{math.Float32frombits(n[0]), math.Float32frombits(n[1])}, n[2], n[3]
	e.meta, rest, ok = cutText(s[16:], maxMeta)
	return e, rest, ok && e.code.valid() && validMeta(e.meta)
}

// valid says whether c can be of a unit vector; a NaN is not.
func (c code) valid() bool { return c.scale > 0 && c.scale <= 1 && c.err >= 0 && c.err <= 1 }

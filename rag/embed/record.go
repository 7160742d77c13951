package embed

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
)

const (
	mark     = "rmv1"
	headSize = 4 + 4 + len(key{})
	maxDim   = 1 << 14
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func recordSize(dim int) int { return headSize + 4*dim + 4 }

type condition int

const (
	good condition = iota
	bad
	cut // may become good with more bytes
)

// examine says what stands at the start of b.
func examine(b []byte) (size int, c condition) {
	if n := min(len(b), len(mark)); string(b[:n]) != mark[:n] {
		return 0, bad
	}
	if len(b) < headSize {
		return 0, cut
	}
	dim := binary.LittleEndian.Uint32(b[4:])
	if dim == 0 || dim > maxDim {
		return 0, bad
	}
	size = recordSize(int(dim))
	if len(b) < size {
		return 0, cut
	}
	if crc32.Checksum(b[:size-4], castagnoli) != binary.LittleEndian.Uint32(b[size-4:]) {
		return 0, bad
	}
	return size, good
}

// skip is how far the next place is where a record may begin.
func skip(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if i := bytes.Index(b[1:], []byte(mark)); i >= 0 {
		return i + 1
	}
	return max(len(b)-len(mark)+1, 1)
}

// ahead is how far the next good record is; 0 if there is none.
func ahead(b []byte) int {
	for at := 0; at < len(b); {
		at += skip(b[at:])
		if _, c := examine(b[at:]); c == good {
			return at
		}
	}
	return 0
}

// appendRecord adds a record to b; a vector without a length that the file can
// hold is left out.
func appendRecord(b []byte, k key, v []float32) []byte {
	if len(v) == 0 || len(v) > maxDim {
		return b
	}
	from := len(b)
	b = append(b, mark...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
	b = append(b, k[:]...)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

// vectorOf is the vector of a good record.
func vectorOf(record []byte) []float32 {
	v := make([]float32, (len(record)-headSize-4)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(record[headSize+4*i:]))
	}
	return v
}

package flat

import (
	"bytes"
	"testing"

	"github.com/repomind/repomind/internal/vector"
)

// Touch reads memory as fast as the processor does.
func Touch(memory []uint64) uint64 {
	var a, b, c, d uint64
	for ; len(memory) >= 8; memory = memory[8:] { // a line of the cache
		a, b, c, d = a+memory[0], b+memory[2], c+memory[4], d+memory[6]
	}
	return a + b + c + d
}

func ScanRows(q []int16, rows []int8, n int) []int32 {
	out := make([]int32, n)
	scanRows(q, rows, out)
	return out
}

func ScanPortable(q []int16, rows []int8, n int) []int32 {
	out := make([]int32, n)
	scanPortable(q, rows, out)
	return out
}

var (
	Exact         = exact
	ExactPortable = exactPortable
)

// Bounds gives the bounds of the product of two vectors, and the product.
func Bounds(t *testing.T, x, u []float32) (mid, radius, product float64) {
	x, err := vector.Unit(x, len(x))
	if err != nil {
		t.Fatal(err)
	}
	if u, err = vector.Unit(u, len(u)); err != nil {
		t.Fatal(err)
	}
	width := padded(len(x))
	row, q := make([]float32, width), make([]int8, width)
	copy(row, x)
	c := quantise(row, q)
	p := newProbe(u, width)
	mid, radius = p.bounds(ScanRows(p.q, q, 1)[0], c)
	return mid, radius, exact(p.unit, row)
}

// FrameEnds gives where the header of a log ends, and each whole frame.
func FrameEnds(log []byte) ([]int, error) {
	h, size, err := readHeader(bytes.NewReader(log))
	if err != nil {
		return nil, err
	}
	ends := []int{int(size)}
	tail := newTail(bytes.NewReader(log), size, int64(len(log)))
	for {
		if _, ok, err := tail.frame(h.salt); !ok || err != nil {
			return ends, err
		}
		ends = append(ends, int(tail.at))
	}
}

// Framed gives a log of that header and one frame.
func Framed(head, payload []byte) []byte {
	h, size, ok := parseHeader(head)
	if !ok {
		return nil
	}
	return appendFrame(append([]byte(nil), head[:size]...), h.salt, int64(size), payload)
}

// Residual gives the direction of what the int8 form of x leaves out.
func Residual(t *testing.T, x []float32) []float32 {
	x, err := vector.Unit(x, len(x))
	if err != nil {
		t.Fatal(err)
	}
	q, e := make([]int8, len(x)), make([]float32, len(x))
	c := quantise(x, q)
	for i := range x {
		e[i] = x[i] - c.scale*float32(q[i])
	}
	if e, err = vector.Unit(e, len(e)); err != nil {
		t.Fatal(err)
	}
	return e
}

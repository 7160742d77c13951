package flat

import "os"

// block gathers rows of one segment, to write each of their forms at once.
type block struct {
	shape
	first int // row
	n     int
	q     []int8
	x     []float32
}

func newBlock(s shape, first int) *block {
	return &block{shape: s, first: first, q: make([]int8, segmentRows*s.width), x: make([]float32, segmentRows*s.width)}
}

func (b *block) full() bool { return (b.first+b.n)%segmentRows == 0 }

func (b *block) add(r record) entry {
	x, q := b.x[b.n*b.width:][:b.width], b.q[b.n*b.width:][:b.width]
	clear(x[copy(x, r.vector):])
	b.n++
	c := quantise(x, q)
	return entry{op: opPut, id: r.id, code: c, sum8: sum(bytes8(q)), sum32: sum(bytes32(x)), meta: r.meta}
}

func (b *block) flush(f *os.File) error {
	if b.n == 0 {
		return nil
	}
	if err := grow(f, b.shape, b.first+b.n); err != nil {
		return err
	}
	if _, err := f.WriteAt(bytes8(b.q[:b.n*b.width]), b.at8(b.first)); err != nil {
		return err
	}
	if _, err := f.WriteAt(bytes32(b.x[:b.n*b.width]), b.at32(b.first)); err != nil {
		return err
	}
	b.first, b.n = b.first+b.n, 0
	return nil
}

// Package matrix holds the arithmetic of a small transformer in float32: a
// product with packed weights, softmax, GELU and layer normalisation.
//
// On amd64 with AVX2 and FMA the work is done in assembly; elsewhere, and when
// built with the tag purego, in portable Go. The two agree within the rounding
// of float32, not bit for bit.
package matrix

import "fmt"

// Rows is how many rows one tile of a product has. The buffers of a product are
// read and written in whole tiles, so they hold [Pad] (rows, Rows) rows.
const Rows = 6

// Cols is how many columns one tile of a product has.
const Cols = 16

// Pad rounds n up to a multiple of to.
func Pad(n, to int) int { return (n + to - 1) / to * to }

// depth is how many steps of a product are done before the next tile: a panel
// of depth × Cols floats (24 KB) stays in the first cache.
const depth = 384

// tall is how many rows are done before the next panel: tall × depth floats
// (387 KB) stay in the second cache.
const tall = 42 * Rows

// Weights are the right side of a product, laid out for the kernel: for each 16
// columns a panel with one row a step. Columns beyond Out hold anything.
type Weights struct {
	Out, In int // columns and steps
	panels  []float32
}

// Size is how many floats the panels of out columns and in steps take.
func Size(out, in int) int { return Pad(out, Cols) * in }

// Pack lays out w, which has out rows of in floats, each ld after the one before:
// the layout of a linear layer's weights. Every weight is multiplied by scale.
// The panels are kept in buf if it holds [Size] floats, else in a new slice.
func Pack(buf, w []float32, ld, out, in int, scale float32) Weights {
	p := panels(buf, out, in)
	for c := range out {
		row := w[c*ld : c*ld+in]
		to := p[c/Cols*in*Cols+c%Cols:]
		for k, x := range row {
			to[k*Cols] = x * scale
		}
	}
	return Weights{Out: out, In: in, panels: p}
}

// PackColumns lays out the transpose: w has in rows of out floats.
func PackColumns(buf, w []float32, ld, out, in int) Weights {
	p := panels(buf, out, in)
	for k := range in {
		row := w[k*ld : k*ld+out]
		for c := 0; c < out; c += Cols {
			copy(p[(c*in)+k*Cols:], row[c:min(c+Cols, out)])
		}
	}
	return Weights{Out: out, In: in, panels: p}
}

func panels(buf []float32, out, in int) []float32 {
	n := Size(out, in)
	if len(buf) < n {
		return make([]float32, n)
	}
	return buf[:n]
}

// Block is a matrix inside a slice: each row stands Stride floats after the one
// before.
type Block struct {
	Data   []float32
	Stride int
}

// check panics where a kernel would leave the slice: that is a fault of the
// caller's arithmetic, never of its input.
func (b Block) check(what string, rows, cols int) {
	if need := (Pad(rows, Rows)-1)*b.Stride + cols; len(b.Data) < need || b.Stride < cols {
		panic(fmt.Sprintf("matrix: %s has %d floats with stride %d, a product of %d × %d needs %d", what, len(b.Data), b.Stride, rows, cols, need))
	}
}

// Mul sets dst to a × w + bias for the first rows of a. bias has Pad(Out, Cols)
// floats, or is nil for none. Both blocks hold whole tiles; what dst holds beyond
// rows and Out is overwritten.
func (w Weights) Mul(dst, a Block, rows int, bias []float32) {
	if bias == nil {
		bias = make([]float32, Pad(w.Out, Cols))
	}
	w.run(dst, a, rows, Block{Data: bias})
}

// Add adds a × w to what dst holds.
func (w Weights) Add(dst, a Block, rows int) { w.run(dst, a, rows, dst) }

func (w Weights) run(dst, a Block, rows int, from Block) {
	if rows == 0 {
		return
	}
	width := Pad(w.Out, Cols)
	dst.check("the result", rows, width)
	a.check("the left side", rows, w.In)
	for r := 0; r < rows; r += tall {
		end := min(r+tall, rows)
		src := from
		for k := 0; k < w.In; k += depth {
			w.pass(dst, a, r, end, k, src)
			src = dst
		}
	}
}

// pass does the steps from k for the rows from r to end. A row of src is what the
// sum starts with.
func (w Weights) pass(dst, a Block, r, end, k int, src Block) {
	steps := min(depth, w.In-k)
	for c := 0; c < w.Out; c += Cols {
		b := w.panels[c*w.In+k*Cols:][:steps*Cols]
		for i := r; i < end; i += Rows {
			tile(steps, a.Data[i*a.Stride+k:], a.Stride, b, src.Data[i*src.Stride+c:], src.Stride, dst.Data[i*dst.Stride+c:], dst.Stride)
		}
	}
}

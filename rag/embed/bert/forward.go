package bert

import (
	"context"
	"fmt"
	"math"

	"github.com/repomind/repomind/rag/embed/matrix"
)

// strip is how many tokens look at the others at once: their scores stay in the
// second cache.
const strip = 8 * matrix.Rows

// run computes all layers for sequences of that many tokens together, and leaves
// the result in s.x.
func (s *Session) run(ctx context.Context, seqs []Sequence, rows int) error {
	if err := s.m.check(seqs); err != nil {
		return err
	}
	s.grow(rows, seqs)
	s.m.embed(s.x, s.zero, seqs)
	for i := range s.m.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.layer(&s.m.layers[i], seqs, rows)
	}
	return nil
}

// check refuses what would read beside the embeddings.
func (m *Model) check(seqs []Sequence) error {
	for _, seq := range seqs {
		if n := len(seq.IDs); n == 0 || n > m.Config.Positions {
			return fmt.Errorf("%w: a text of %d tokens, want 1 to %d", ErrModel, n, m.Config.Positions)
		}
		if seq.Second > 0 && m.Config.Types < 2 {
			return fmt.Errorf("%w: a pair of texts, but type_vocab_size is 1", ErrModel)
		}
		for _, id := range seq.IDs {
			if id < 0 || int(id) >= m.Config.Vocab {
				return fmt.Errorf("%w: token %d of %d", ErrModel, id, m.Config.Vocab)
			}
		}
	}
	return nil
}

func (s *Session) grow(rows int, seqs []Sequence) {
	longest := 0
	for _, seq := range seqs {
		longest = max(longest, len(seq.IDs))
	}
	c := s.m.Config
	dim := c.Hidden / c.Heads
	size(&s.x, rows, c.Hidden)
	size(&s.qkv, rows, 3*c.Hidden)
	size(&s.mixed, rows, c.Hidden)
	size(&s.inner, rows, matrix.Pad(c.Inner, matrix.Cols))
	size(&s.scores, strip, matrix.Pad(longest, matrix.Cols))
	size(&s.part, strip, matrix.Pad(dim, matrix.Cols))
	for _, panel := range []struct {
		of *[]float32
		n  int
	}{
		{&s.keys, matrix.Size(longest, dim)}, {&s.values, matrix.Size(dim, longest)},
		{&s.zero, matrix.Pad(max(longest, c.Hidden), matrix.Cols)},
	} {
		if panel.n > len(*panel.of) {
			*panel.of = make([]float32, panel.n)
		}
	}
}

// size gives b room for the rows, and for a tile that begins at the last of them.
func size(b *matrix.Block, rows, stride int) {
	if n := (rows + matrix.Rows) * stride; len(b.Data) < n {
		b.Data = make([]float32, n)
	}
	b.Stride = stride
}

// embed sums what a token is, where it stands and which text it is of.
func (m *Model) embed(x matrix.Block, zero []float32, seqs []Sequence) {
	n, at := m.Config.Hidden, 0
	for _, seq := range seqs {
		for i, id := range seq.IDs {
			kind := m.types[:n]
			if seq.Second > 0 && i >= seq.Second {
				kind = m.types[n : 2*n]
			}
			word, place := m.word[int(id)*n:][:n], m.place[i*n:][:n]
			row := x.Data[at*n : (at+1)*n]
			for j := range row {
				row[j] = word[j] + kind[j] + place[j]
			}
			matrix.Norm(row, zero, m.norm.gain, m.norm.shift, m.Config.Eps)
			at++
		}
	}
}

// layer is one layer: attention, then two products, each added to what came in and
// normalised. The bias of what is added waits for the normalisation.
func (s *Session) layer(l *layer, seqs []Sequence, rows int) {
	l.qkv.w.Mul(s.qkv, s.x, rows, l.qkv.bias)
	at := 0
	for _, seq := range seqs {
		s.attend(at, len(seq.IDs))
		at += len(seq.IDs)
	}
	s.add(l.out, s.mixed, l.afterOut, rows)
	l.up.w.Mul(s.inner, s.x, rows, l.up.bias)
	matrix.GELU(s.inner.Data[:rows*s.inner.Stride])
	s.add(l.down, s.inner, l.afterDown, rows)
}

func (s *Session) add(l linear, from matrix.Block, norm layerNorm, rows int) {
	l.w.Add(s.x, from, rows)
	n := s.m.Config.Hidden
	for r := range rows {
		matrix.Norm(s.x.Data[r*n:(r+1)*n], l.bias, norm.gain, norm.shift, s.m.Config.Eps)
	}
}

// attend mixes the n tokens from row at on, head by head.
func (s *Session) attend(at, n int) {
	hidden := s.m.Config.Hidden
	dim, ld := hidden/s.m.Config.Heads, s.qkv.Stride
	scale := float32(1 / math.Sqrt(float64(dim)))
	for h := 0; h < hidden; h += dim {
		keys := matrix.Pack(s.keys, s.qkv.Data[at*ld+hidden+h:], ld, n, dim, scale)
		values := matrix.PackColumns(s.values, s.qkv.Data[at*ld+2*hidden+h:], ld, dim, n)
		for r := 0; r < n; r += strip {
			rows := min(strip, n-r)
			q := matrix.Block{Data: s.qkv.Data[(at+r)*ld+h:], Stride: ld}
			s.mix(keys, values, q, rows, n)
			for i := range rows {
				copy(s.mixed.Data[(at+r+i)*hidden+h:][:dim], s.part.Data[i*s.part.Stride:])
			}
		}
	}
}

// mix sets s.part to softmax(q × keys) × values.
func (s *Session) mix(keys, values matrix.Weights, q matrix.Block, rows, n int) {
	width := matrix.Pad(n, matrix.Cols)
	scores := matrix.Block{Data: s.scores.Data, Stride: width}
	keys.Mul(scores, q, rows, s.zero)
	for i := range rows {
		row := scores.Data[i*width : (i+1)*width]
		for j := n; j < width; j++ {
			row[j] = float32(math.Inf(-1))
		}
		matrix.Softmax(row)
	}
	values.Mul(s.part, scores, rows, s.zero)
}

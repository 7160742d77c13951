package bert

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/repomind/repomind/rag/embed/matrix"
)

// ErrNotFinite says that a computation gave no number: the weights are broken.
var ErrNotFinite = errors.New("the model gave a value that is not finite")

// batch is how many tokens are computed together. Fewer would read the weights
// from memory more often, more would not fit into the caches.
const batch = 256

// Session is the memory of one computation. It belongs to one goroutine.
type Session struct {
	m *Model

	x, qkv, mixed, inner matrix.Block // a row for each token
	scores               matrix.Block // of some tokens to all, in one head
	part                 matrix.Block // what one head gives
	keys, values, zero   []float32
}

// Session makes a session. It takes 4 MB for a MiniLM, and more after long texts.
func (m *Model) Session() *Session { return &Session{m: m} }

// Embed gives a vector of length 1 for each sequence: the mean over its tokens,
// as sentence-transformers makes it. Each sequence is computed at its own length.
func (s *Session) Embed(ctx context.Context, seqs []Sequence) ([][]float32, error) {
	out := make([][]float32, 0, len(seqs))
	err := s.batches(ctx, seqs, func(rows []float32) error {
		v, err := mean(rows, s.m.Config.Hidden)
		out = append(out, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Score gives for each sequence what the model's head says of it, mostly between
// −12 and 12: the larger the better the two texts fit. It fails if the model has no
// head.
func (s *Session) Score(ctx context.Context, seqs []Sequence) ([]float32, error) {
	if s.m.head == nil {
		return nil, fmt.Errorf("%w: it has no classifier, so it cannot score", ErrModel)
	}
	out := make([]float32, 0, len(seqs))
	err := s.batches(ctx, seqs, func(rows []float32) error {
		x, err := s.m.head.run(rows[:s.m.Config.Hidden])
		out = append(out, x)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// batches computes the sequences, as many together as make a batch, and gives each
// one's rows to done, in order.
func (s *Session) batches(ctx context.Context, seqs []Sequence, done func(rows []float32) error) error {
	for len(seqs) > 0 {
		n, rows := 1, len(seqs[0].IDs)
		for n < len(seqs) && rows+len(seqs[n].IDs) <= batch {
			rows += len(seqs[n].IDs)
			n++
		}
		if err := s.run(ctx, seqs[:n], rows); err != nil {
			return err
		}
		at := 0
		for _, seq := range seqs[:n] {
			end := at + len(seq.IDs)*s.m.Config.Hidden
			if err := done(s.x.Data[at:end]); err != nil {
				return err
			}
			at = end
		}
		seqs = seqs[n:]
	}
	return nil
}

func mean(rows []float32, dim int) ([]float32, error) {
	sum := make([]float64, dim)
	for ; len(rows) > 0; rows = rows[dim:] {
		for i, x := range rows[:dim] {
			sum[i] += float64(x)
		}
	}
	var square float64
	for _, x := range sum {
		square += x * x
	}
	if !(square > 0) || math.IsInf(square, 0) {
		return nil, ErrNotFinite
	}
	v := make([]float32, dim)
	for i, x := range sum {
		v[i] = float32(x / math.Sqrt(square))
	}
	return v, nil
}

// run is the head on the row of [CLS].
func (h *head) run(row []float32) (float32, error) {
	n := len(row)
	a := matrix.Block{Data: make([]float32, matrix.Rows*n), Stride: n}
	copy(a.Data, row)
	width := matrix.Pad(n, matrix.Cols)
	pooled := matrix.Block{Data: make([]float32, matrix.Rows*width), Stride: width}
	h.pool.w.Mul(pooled, a, 1, h.pool.bias)
	for i := range n {
		pooled.Data[i] = float32(math.Tanh(float64(pooled.Data[i])))
	}
	out := matrix.Block{Data: make([]float32, matrix.Rows*matrix.Cols), Stride: matrix.Cols}
	h.score.w.Mul(out, pooled, 1, h.score.bias)
	if x := float64(out.Data[0]); math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, ErrNotFinite
	}
	return out.Data[0], nil
}

package bert

import (
	"fmt"

	"github.com/repomind/repomind/rag/embed/matrix"
	"github.com/repomind/repomind/rag/embed/safetensors"
)

// reader takes tensors out of a file; after the first error it does nothing.
type reader struct {
	f      *safetensors.File
	prefix string
	err    error
}

func (r *reader) tensor(name string, shape ...int) []float32 {
	if r.err != nil {
		return nil
	}
	var x []float32
	x, r.err = r.f.Float32(r.prefix+name, shape...)
	return x
}

func (r *reader) norm(name string, n int) layerNorm {
	return layerNorm{gain: r.tensor(name+".weight", n), shift: r.tensor(name+".bias", n)}
}

// linear reads a layer, or several that have the same input as one.
func (r *reader) linear(out, in int, names ...string) linear {
	var w, bias []float32
	for _, name := range names {
		w = append(w, r.tensor(name+".weight", out, in)...)
		bias = append(bias, r.tensor(name+".bias", out)...)
	}
	if r.err != nil {
		return linear{}
	}
	out *= len(names)
	padded := make([]float32, matrix.Pad(out, matrix.Cols))
	copy(padded, bias)
	return linear{w: matrix.Pack(nil, w, in, out, in, 1), bias: padded}
}

// read takes the weights from a file. A model for classes has its encoder under
// "bert."; a bare one has no prefix.
func (m *Model) read(f *safetensors.File) error {
	r := &reader{f: f}
	if _, ok := f.Tensors["bert.embeddings.word_embeddings.weight"]; ok {
		r.prefix = "bert."
	}
	c := m.Config
	m.word = r.tensor("embeddings.word_embeddings.weight", c.Vocab, c.Hidden)
	m.place = r.tensor("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	m.types = r.tensor("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	m.norm = r.norm("embeddings.LayerNorm", c.Hidden)
	for i := 0; i < c.Layers && r.err == nil; i++ {
		m.layers = append(m.layers, r.layer(fmt.Sprintf("encoder.layer.%d.", i), c))
	}
	if t, ok := f.Tensors["classifier.weight"]; ok && r.err == nil {
		if len(t.Shape) != 2 || t.Shape[0] != 1 {
			return fmt.Errorf("%w: its classifier has the shape %.80s, want one class", ErrModel, fmt.Sprint(t.Shape))
		}
		m.head = &head{pool: r.linear(c.Hidden, c.Hidden, "pooler.dense")}
		r.prefix = ""
		m.head.score = r.linear(1, c.Hidden, "classifier")
	}
	return r.err
}

func (r *reader) layer(at string, c Config) layer {
	return layer{
		qkv:       r.linear(c.Hidden, c.Hidden, at+"attention.self.query", at+"attention.self.key", at+"attention.self.value"),
		out:       r.linear(c.Hidden, c.Hidden, at+"attention.output.dense"),
		afterOut:  r.norm(at+"attention.output.LayerNorm", c.Hidden),
		up:        r.linear(c.Inner, c.Hidden, at+"intermediate.dense"),
		down:      r.linear(c.Hidden, c.Inner, at+"output.dense"),
		afterDown: r.norm(at+"output.LayerNorm", c.Hidden),
	}
}

// Package bert runs small models of BERT's shape on the processor, without cgo:
// all-MiniLM-L6-v2, which turns a text into a vector, and cross-encoders such as
// ms-marco-MiniLM-L-6-v2, which score a pair of texts.
//
// The first was held against sentence-transformers on real weights: see TestReal.
// The weights of the second could not be had; its head (pooler, tanh, one linear
// layer) was held against PyTorch on generated weights of the same shapes only, so
// its real file has not been checked.
//
// A [Model] is the weights, and does not change. A [Session] is the memory of one
// computation, for one goroutine.
package bert

import (
	"fmt"
	"path/filepath"

	"github.com/repomind/repomind/rag/embed/matrix"
	"github.com/repomind/repomind/rag/embed/safetensors"
	"github.com/repomind/repomind/rag/embed/wordpiece"
)

// The files of a model, as the hubs name them.
const (
	ConfigFile  = "config.json"
	VocabFile   = "vocab.txt"
	WeightsFile = "model.safetensors"
)

// Model is the weights of an encoder.
type Model struct {
	Config Config
	// MaxTokens is the longest text, [CLS] and [SEP] included; more is cut off.
	MaxTokens int

	words              *wordpiece.Tokenizer
	word, place, types []float32 // embeddings, one row of Hidden floats each
	norm               layerNorm
	layers             []layer
	head               *head
}

type layer struct {
	qkv, out, up, down  linear
	afterOut, afterDown layerNorm
}

// linear is weights and bias; the bias has whole tiles of columns.
type linear struct {
	w    matrix.Weights
	bias []float32
}

type layerNorm struct{ gain, shift []float32 }

// head is what a cross-encoder has above the layers.
type head struct{ pool, score linear }

// Load reads the model in dir: [ConfigFile], [VocabFile], [WeightsFile], and
// sentence_bert_config.json if it is there. A file that is at odds with the others
// gives an error that wraps [ErrModel], [wordpiece.ErrVocab] or
// [safetensors.ErrFormat].
func Load(dir string) (*Model, error) {
	c, err := readConfig(filepath.Join(dir, ConfigFile))
	if err != nil {
		return nil, err
	}
	m := &Model{Config: c}
	if m.MaxTokens, err = readLimit(dir, c.Positions); err != nil {
		return nil, err
	}
	if m.words, err = wordpiece.Load(filepath.Join(dir, VocabFile)); err != nil {
		return nil, err
	}
	if m.words.Size() > c.Vocab {
		return nil, fmt.Errorf("%w: the vocabulary has %d pieces, but vocab_size is %d", ErrModel, m.words.Size(), c.Vocab)
	}
	f, err := safetensors.Open(filepath.Join(dir, WeightsFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := m.read(f); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, WeightsFile), err)
	}
	return m, nil
}

// Dim is how long a vector is.
func (m *Model) Dim() int { return m.Config.Hidden }

// Scores says whether the model has the head that [Session.Score] needs.
func (m *Model) Scores() bool { return m.head != nil }

// Sequence is the tokens of one text, or of two.
type Sequence struct {
	IDs    []int32
	Second int // where the second text begins; 0 if there is only one
}

// Text gives the tokens of a text, cut to MaxTokens.
func (m *Model) Text(text string) Sequence {
	return Sequence{IDs: m.words.Encode(text, m.MaxTokens)}
}

// Pair gives the tokens of two texts, cut to MaxTokens together.
func (m *Model) Pair(a, b string) Sequence {
	ids, second := m.words.Pair(a, b, m.MaxTokens)
	return Sequence{IDs: ids, Second: second}
}

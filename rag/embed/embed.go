// Package embed turns texts into vectors, so that near ones mean alike, and scores
// how well texts fit a query.
//
// An [Encoder] is one of [Local] (a MiniLM on our own engine, without network),
// [OpenAI] (any endpoint of that shape) and [Ollama]. A [Reranker] is a cross-encoder on
// the same engine. Package weights fetches the files that Local and Reranker read.
package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Encoder turns texts into vectors. It can be used by many goroutines.
type Encoder interface {
	// Name tells the model apart from all others, down to its weights where they
	// are known: vectors of two names must not be compared.
	Name() string
	// Dim is how long a vector is; 0 if that is not known before the first answer.
	Dim() int
	// Encode gives a vector of length 1 for each text, in order. All of them, or
	// an error.
	Encode(ctx context.Context, texts []string) ([][]float32, error)
}

// ErrVector says that a model gave what is no vector: the wrong length, not finite,
// or zero.
var ErrVector = errors.New("not a usable vector")

// unit makes the length of v 1.
func unit(v []float32) error {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if !(square > 0) || math.IsInf(square, 0) {
		return fmt.Errorf("%w: its length is %g", ErrVector, math.Sqrt(square))
	}
	scale := 1 / math.Sqrt(square)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return nil
}

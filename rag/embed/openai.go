package embed

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
)

// endpoint is an encoder behind HTTP; ask is what differs between the kinds.
type endpoint struct {
	Remote
	name string
	dim  atomic.Int64
	ask  func(ctx context.Context, texts []string) ([][]float32, error)
}

// OpenAI gives an encoder behind an endpoint of OpenAI's shape: POST /embeddings
// below the URL, which mostly ends in /v1.
func OpenAI(r Remote) Encoder {
	return newEndpoint("openai", r, func(ctx context.Context, texts []string) ([][]float32, error) {
		ask := struct {
			Model  string   `json:"model"`
			Input  []string `json:"input"`
			Format string   `json:"encoding_format"`
		}{r.Model, texts, "float"}
		var answer struct {
			Data []struct {
				Index     int       `json:"index"`
				Embedding []float32 `json:"embedding"`
			} `json:"data"`
		}
		if err := r.post(ctx, "/embeddings", ask, &answer); err != nil {
			return nil, err
		}
		vectors := make([][]float32, len(texts))
		for _, d := range answer.Data {
			if d.Index < 0 || d.Index >= len(vectors) || vectors[d.Index] != nil {
				return nil, fmt.Errorf("%w: the endpoint numbers one %d for %d texts", ErrVector, d.Index, len(texts))
			}
			vectors[d.Index] = d.Embedding
		}
		return vectors, nil
	})
}

// Ollama gives an encoder behind an Ollama server: POST /api/embed below the URL.
func Ollama(r Remote) Encoder {
	return newEndpoint("ollama", r, func(ctx context.Context, texts []string) ([][]float32, error) {
		ask := struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}{r.Model, texts}
		var answer struct {
			Embeddings [][]float32 `json:"embeddings"`
		}
		if err := r.post(ctx, "/api/embed", ask, &answer); err != nil {
			return nil, err
		}
		if len(answer.Embeddings) != len(texts) {
			return nil, fmt.Errorf("%w: the endpoint gave %d for %d texts", ErrVector, len(answer.Embeddings), len(texts))
		}
		return answer.Embeddings, nil
	})
}

func newEndpoint(kind string, r Remote, ask func(context.Context, []string) ([][]float32, error)) *endpoint {
	e := &endpoint{Remote: r, name: kind + ":" + r.Model, ask: ask}
	e.dim.Store(int64(r.Dim))
	return e
}

// Name is the kind of endpoint and the model. What weights the endpoint has under
// that name cannot be known.
func (e *endpoint) Name() string { return e.name }

func (e *endpoint) Dim() int { return int(e.dim.Load()) }

func (e *endpoint) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), or(e.Batch, 64))
		vectors, err := e.ask(ctx, sendable(texts[:n]))
		if err != nil {
			return nil, fmt.Errorf("encode with %s: %w", e.name, err)
		}
		for _, v := range vectors {
			if err := e.check(v); err != nil {
				return nil, fmt.Errorf("encode with %s: %w", e.name, err)
			}
		}
		out, texts = append(out, vectors...), texts[n:]
	}
	return out, nil
}

// check makes v a unit vector of the one length that the endpoint gives.
func (e *endpoint) check(v []float32) error {
	e.dim.CompareAndSwap(0, int64(len(v)))
	if want := e.Dim(); len(v) != want || len(v) == 0 {
		return fmt.Errorf("%w: it has %d numbers, want %d", ErrVector, len(v), want)
	}
	return unit(v)
}

// sendable puts a space for each empty text, which endpoints refuse, and makes all
// valid UTF-8.
func sendable(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = or(strings.ToValidUTF8(t, "\uFFFD"), " ")
	}
	return out
}

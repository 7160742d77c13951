package embed

import (
	"context"
	"fmt"

	"github.com/repomind/repomind/rag/embed/bert"
)

// Reranker scores texts against a query with a cross-encoder, which reads both
// together: better than vectors, and as slow for each query as encoding all texts
// anew.
type Reranker struct {
	name  string
	model *bert.Model
	crew  crew
}

// OpenReranker loads the cross-encoder in dir. A model without a classifier of one
// class is refused with [bert.ErrModel].
func OpenReranker(dir string, c Config) (*Reranker, error) {
	m, name, err := load(dir)
	if err != nil {
		return nil, err
	}
	if !m.Scores() {
		return nil, fmt.Errorf("%w: %s has no classifier; it encodes, but cannot rerank", bert.ErrModel, name)
	}
	return &Reranker{name: name, model: m, crew: newCrew(m, c)}, nil
}

// Name is the folder's name and what its files hash to.
func (r *Reranker) Name() string { return r.name }

// Scores gives a score for each text, in order: the larger the better it answers
// the query. They can be compared within one call only. What exceeds the model's
// length is cut off, from the longer of query and text.
func (r *Reranker) Scores(ctx context.Context, query string, texts []string) ([]float32, error) {
	out := make([]float32, len(texts))
	pair := func(i int) bert.Sequence { return r.model.Pair(query, texts[i]) }
	err := r.crew.run(ctx, len(texts), pair, func(ctx context.Context, s *bert.Session, from int, seqs []bert.Sequence) error {
		scores, err := s.Score(ctx, seqs)
		copy(out[from:], scores)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rerank with %s: %w", r.name, err)
	}
	return out, nil
}

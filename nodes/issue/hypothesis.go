package issue

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/rag"
)

// hypothesis has a model write code that would hold the fault, to search with.
func (n nodes) hypothesis(ctx context.Context, x *rag.Index, q rag.Query, m llm.Model) (string, update, error) {
	first, err := x.Search(ctx, q, rag.Options{Files: 10, Symbols: -1, Chunks: -1})
	if err != nil {
		return "", nil, err
	}
	var names []string
	for _, f := range first.Files {
		names = append(names, f.Path)
	}
	f, err := n.fence(ctx)
	if err != nil {
		return "", nil, err
	}
	got, err := paid.Once(ctx, "hyde", func(ctx context.Context) (string, llm.Usage, error) {
		asker := rag.Asker{Model: &keyed{model: m, key: graph.Info(ctx).IdempotencyKey("hyde")}, Fence: f}
		return asker.Hypothesis(ctx, q, names)
	})
	if err != nil {
		u, err := off(ctx, "gather rag", err)
		return "", u, err
	}
	return got.Value, append(spent("gather rag", got.Usage), unused("gather rag", got.Fault)...), nil
}

// keyed gives calls that have no key one of the task, and each its own.
type keyed struct {
	model llm.Model
	key   string
	calls atomic.Int32
}

// Generate implements llm.Model.
func (k *keyed) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	req.Key = fmt.Sprintf("%s.%d", k.key, k.calls.Add(1))
	return k.model.Generate(ctx, req)
}

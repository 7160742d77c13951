package chroma

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/vector"
)

type question struct {
	Embeddings [][]float32 `json:"query_embeddings"`
	Results    int         `json:"n_results"`
	Where      *clause     `json:"where,omitempty"`
	Include    []string    `json:"include"`
}

type answers struct {
	IDs       [][]string  `json:"ids"`
	Distances [][]float64 `json:"distances"`
	Metadatas [][]meta    `json:"metadatas"`
}

// Query implements vector.Collection. The server gives equal scores in any order
// and cuts them anywhere: it is asked for more, until the last it gives is worse
// than the last that is wanted.
func (c *collection) Query(ctx context.Context, q vector.Query) ([]vector.Match, error) {
	err := c.open()
	if err == nil {
		q, err = q.Prepare(c.dim)
	}
	var found []vector.Match
	for n := q.K + 8; err == nil; n *= 4 {
		found, err = c.ask(ctx, q, n)
		if len(found) < n || n > 4*vector.MaxK || found[n-1].Score < found[q.K-1].Score {
			break
		}
	}
	if err != nil {
		return nil, c.failed("query", err)
	}
	return found[:min(q.K, len(found))], nil
}

func (c *collection) ask(ctx context.Context, q vector.Query, n int) ([]vector.Match, error) {
	var a answers
	body := question{[][]float32{q.Vector}, n, where(q.Where), []string{"distances", "metadatas"}}
	if err := c.client.post(ctx, c.url+"/query", body, &a); err != nil {
		return nil, err
	}
	if len(a.IDs) != 1 || len(a.Distances) != 1 || len(a.Metadatas) != 1 ||
		len(a.IDs[0]) > n || len(a.Distances[0]) != len(a.IDs[0]) || len(a.Metadatas[0]) != len(a.IDs[0]) {
		return nil, fmt.Errorf("the Chroma server's answer does not fit the question: %w", vector.ErrBroken)
	}
	var found []vector.Match
	for i, id := range a.IDs[0] {
		m, err := a.Metadatas[0][i].decode()
		if err != nil {
			return nil, err
		}
		found = append(found, vector.Match{ID: id, Score: min(max(1-a.Distances[0][i], -1), 1), Meta: m})
	}
	slices.SortFunc(found, func(a, b vector.Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return found, nil
}

package chroma

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/repomind/repomind/internal/vector"
)

// collection is a collection of the server, which is asked each time.
type collection struct {
	client client
	url    string
	key    vector.Key
	dim    int
	closed atomic.Bool
}

// batch is how many items a request carries: the server takes some thousands, and
// of the largest vectors a thousand make a body of 50 MB.
const batch = 1000

func (c *collection) open() error {
	if c.closed.Load() {
		return vector.ErrClosed
	}
	return nil
}

// Close implements vector.Collection.
func (c *collection) Close() error {
	c.closed.Store(true)
	return nil
}

type upsert struct {
	IDs        []string    `json:"ids"`
	Embeddings [][]float32 `json:"embeddings"`
	Metadatas  []meta      `json:"metadatas"`
}

// Upsert implements vector.Collection.
func (c *collection) Upsert(ctx context.Context, items []vector.Item) error {
	err := c.open()
	if err == nil {
		items, err = vector.Prepare(items, c.dim)
	}
	for part := range slices.Chunk(items, batch) {
		if err == nil {
			err = c.upsert(ctx, part)
		}
	}
	if err == nil && len(items) == 0 {
		_, err = c.count(ctx)
	}
	return c.failed("upsert to", err)
}

func (c *collection) upsert(ctx context.Context, items []vector.Item) error {
	var u upsert
	for _, it := range items {
		u.IDs = append(u.IDs, it.ID)
		u.Embeddings = append(u.Embeddings, it.Vector)
	}
	var there records
	if err := c.client.post(ctx, c.url+"/get", selection{u.IDs, []string{"metadatas"}}, &there); err != nil {
		return err
	}
	if there.IDs == nil || len(there.Metadatas) != len(there.IDs) {
		return fmt.Errorf("the Chroma server gave %d IDs and %d metadata: %w", len(there.IDs), len(there.Metadatas), vector.ErrBroken)
	}
	old := map[string]meta{}
	for i, id := range there.IDs {
		old[id] = there.Metadatas[i]
	}
	for _, it := range items {
		u.Metadatas = append(u.Metadatas, encodeMeta(it.Meta, old[it.ID]))
	}
	return c.client.post(ctx, c.url+"/upsert", u, nil)
}

type selection struct {
	IDs     []string `json:"ids"`
	Include []string `json:"include,omitempty"`
}

type records struct {
	IDs        []string    `json:"ids"`
	Embeddings [][]float32 `json:"embeddings"`
	Metadatas  []meta      `json:"metadatas"`
}

// Get implements vector.Collection.
func (c *collection) Get(ctx context.Context, ids ...string) ([]vector.Item, error) {
	err := c.open()
	known := map[string]vector.Item{}
	for part := range slices.Chunk(valid(ids), batch) {
		if err == nil {
			err = c.get(ctx, part, known)
		}
	}
	if err != nil {
		return nil, c.failed("get from", err)
	}
	var items []vector.Item
	for _, id := range ids {
		if it, ok := known[id]; ok {
			items = append(items, it)
		}
	}
	return items, nil
}

func (c *collection) get(ctx context.Context, ids []string, known map[string]vector.Item) error {
	var r records
	if err := c.client.post(ctx, c.url+"/get", selection{ids, []string{"embeddings", "metadatas"}}, &r); err != nil {
		return err
	}
	if r.IDs == nil || len(r.Embeddings) != len(r.IDs) || len(r.Metadatas) != len(r.IDs) {
		return fmt.Errorf("the Chroma server gave %d IDs, %d vectors and %d metadata: %w", len(r.IDs), len(r.Embeddings), len(r.Metadatas), vector.ErrBroken)
	}
	for i, id := range r.IDs {
		m, err := r.Metadatas[i].decode()
		if err != nil {
			return err
		}
		if _, err := vector.Unit(r.Embeddings[i], c.dim); err != nil {
			return fmt.Errorf("the Chroma server gave %w: %w", err, vector.ErrBroken)
		}
		known[id] = vector.Item{ID: id, Vector: r.Embeddings[i], Meta: m}
	}
	return nil
}

// valid leaves out what cannot be there, and what comes twice.
func valid(ids []string) []string {
	var good []string
	seen := map[string]bool{}
	for _, id := range ids {
		if vector.CheckID(id) == nil && !seen[id] {
			seen[id] = true
			good = append(good, id)
		}
	}
	return good
}

// Delete implements vector.Collection.
func (c *collection) Delete(ctx context.Context, ids ...string) error {
	err := c.open()
	for part := range slices.Chunk(valid(ids), batch) {
		if err == nil {
			err = c.client.post(ctx, c.url+"/delete", selection{IDs: part}, nil)
		}
	}
	return c.failed("delete from", err)
}

// Count implements vector.Collection.
func (c *collection) Count(ctx context.Context) (int, error) {
	err := c.open()
	n := 0
	if err == nil {
		n, err = c.count(ctx)
	}
	return n, c.failed("count", err)
}

func (c *collection) count(ctx context.Context) (int, error) {
	var answer *int
	if err := c.client.get(ctx, c.url+"/count", &answer); err != nil {
		return 0, err
	}
	if answer == nil || *answer < 0 {
		return 0, fmt.Errorf("the Chroma server does not count: %w", vector.ErrBroken)
	}
	return *answer, nil
}

func (c *collection) failed(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s collection %s: %w", what, c.key, err)
	}
	return nil
}

// Package vectortest is what every vector.Store must do.
package vectortest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/repomind/repomind/internal/vector"
)

// Place makes an empty place for a store, and gives what opens a store there. It
// may be called again: stores of one place have the same collections.
type Place func(t *testing.T) func() vector.Store

// Run runs the suite, each test in a place of its own.
func Run(t *testing.T, place Place) {
	for _, list := range []tests{scoreTests, filterTests, itemTests, refusalTests, storeTests, concurrentTests} {
		for _, tt := range list {
			t.Run(tt.name, func(t *testing.T) {
				open := place(t)
				tt.run(&env{T: t, open: open, store: open()})
			})
		}
	}
}

type tests []struct {
	name string
	run  func(*env)
}

type env struct {
	*testing.T
	open  func() vector.Store
	store vector.Store
}

var key = vector.Key{Repo: "github.com/o/r", Model: "minilm"}

// collection opens the one that most tests need.
func (e *env) collection(dim int) vector.Collection {
	e.Helper()
	return e.openKey(e.store, key, dim)
}

func (e *env) openKey(s vector.Store, k vector.Key, dim int) vector.Collection {
	e.Helper()
	c, err := s.Open(e.Context(), k, dim)
	e.must(err)
	e.Cleanup(func() { c.Close() })
	return c
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

func (e *env) refused(err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Fatalf("got error %v, want %v", err, want)
	}
}

// near is the precision that scores and vectors are promised with.
var near = cmp.Options{cmpopts.EquateApprox(0, 1e-6), cmpopts.EquateEmpty()}

func (e *env) equal(got, want any) {
	e.Helper()
	if diff := cmp.Diff(want, got, near); diff != "" {
		e.Fatalf("(-want +got):\n%s", diff)
	}
}

func (e *env) upsert(c vector.Collection, items ...vector.Item) {
	e.Helper()
	e.must(c.Upsert(e.Context(), items))
}

func (e *env) query(c vector.Collection, q vector.Query) []vector.Match {
	e.Helper()
	found, err := c.Query(e.Context(), q)
	e.must(err)
	return found
}

func (e *env) ids(c vector.Collection, q vector.Query) []string {
	e.Helper()
	var ids []string
	for _, m := range e.query(c, q) {
		ids = append(ids, m.ID)
	}
	return ids
}

func (e *env) get(c vector.Collection, ids ...string) []vector.Item {
	e.Helper()
	items, err := c.Get(e.Context(), ids...)
	e.must(err)
	return items
}

func (e *env) count(c vector.Collection) int {
	e.Helper()
	n, err := c.Count(e.Context())
	e.must(err)
	return n
}

func ended(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

func item(id string, v ...float32) vector.Item { return vector.Item{ID: id, Vector: v} }

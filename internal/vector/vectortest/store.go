package vectortest

import (
	"context"
	"strings"

	"github.com/repomind/repomind/internal/vector"
)

var storeTests = tests{
	{"what was put is there after it is opened again", reopen},
	{"two views of a collection see the same", views},
	{"collections do not meet", apart},
	{"List gives the collections in order", list},
	{"Open keeps the dimension", openDimension},
	{"Remove ends a collection for all who have it open", removal},
	{"a collection may be made again after it was removed", again},
	{"a closed collection is closed", closed},
	{"a context that has ended ends the call", canceled},
}

func reopen(e *env) {
	c := e.collection(2)
	a := vector.Item{ID: "a", Vector: []float32{1, 0}, Meta: vector.Meta{"n": vector.Int(1)}}
	e.upsert(c, a, item("b", 0, 1))
	e.must(c.Delete(e.Context(), "b"))
	e.must(c.Close())

	c = e.openKey(e.open(), key, 2)
	e.equal(e.count(c), 1)
	e.equal(e.get(c, "a", "b"), []vector.Item{a})
	e.upsert(c, item("b", 0, -1))
	e.must(c.Close())

	c = e.openKey(e.open(), key, 2)
	e.equal(e.query(c, vector.Query{Vector: []float32{1, 0}}), []vector.Match{{ID: "a", Score: 1, Meta: a.Meta}, {ID: "b", Score: 0}})
}

func views(e *env) {
	one, two := e.collection(1), e.openKey(e.open(), key, 1)
	e.upsert(one, item("a", 1))
	e.equal(e.get(two, "a"), []vector.Item{item("a", 1)})
	e.upsert(two, item("b", 1))
	e.must(one.Delete(e.Context(), "a"))
	e.equal(e.ids(one, vector.Query{Vector: []float32{1}}), []string{"b"})
	e.equal(e.ids(two, vector.Query{Vector: []float32{1}}), []string{"b"})
}

func apart(e *env) {
	keys := []vector.Key{{Repo: "r", Model: "m"}, {Repo: "r", Model: "n"}, {Repo: "R", Model: "m"}, {Repo: "r by m", Model: "x"}, {Repo: "r", Model: "m by x"}}
	var all []vector.Collection
	for i, k := range keys {
		c := e.openKey(e.store, k, i+1)
		v := make([]float32, i+1)
		v[i] = 1
		e.upsert(c, item("id", v...))
		all = append(all, c)
	}
	for i, c := range all {
		e.equal(e.count(c), 1)
		e.equal(len(e.get(c, "id")[0].Vector), i+1)
	}
}

func list(e *env) {
	infos := func() []vector.Info {
		l, err := e.open().List(e.Context())
		e.must(err)
		return l
	}
	e.equal(infos(), []vector.Info(nil))
	long := strings.Repeat("é", 128)
	e.openKey(e.store, vector.Key{Repo: "b", Model: "m"}, 3)
	e.openKey(e.store, vector.Key{Repo: "a", Model: "n"}, 2)
	e.openKey(e.store, vector.Key{Repo: "a", Model: "m"}, 1)
	e.openKey(e.store, vector.Key{Repo: long, Model: long}, 4)
	e.equal(infos(), []vector.Info{
		{Key: vector.Key{Repo: "a", Model: "m"}, Dim: 1},
		{Key: vector.Key{Repo: "a", Model: "n"}, Dim: 2},
		{Key: vector.Key{Repo: "b", Model: "m"}, Dim: 3},
		{Key: vector.Key{Repo: long, Model: long}, Dim: 4},
	})
	e.must(e.store.Remove(e.Context(), vector.Key{Repo: "a", Model: "n"}))
	e.equal(len(infos()), 3)
}

func openDimension(e *env) {
	e.collection(3)
	_, err := e.store.Open(e.Context(), key, 4)
	e.refused(err, vector.ErrDimension)
	c := e.collection(3)
	e.upsert(c, item("a", 1, 0, 0))
	_, err = e.open().Open(e.Context(), key, 2)
	e.refused(err, vector.ErrDimension)
}

func removal(e *env) {
	e.refused(e.store.Remove(e.Context(), key), vector.ErrNotFound)
	c, other := e.collection(1), e.openKey(e.open(), key, 1)
	e.upsert(c, item("a", 1))
	e.must(e.store.Remove(e.Context(), key))
	e.refused(e.store.Remove(e.Context(), key), vector.ErrNotFound)
	for _, c := range []vector.Collection{c, other} {
		e.failAll(e.Context(), c, vector.ErrNotFound)
	}
}

// failAll expects that error of every method.
func (e *env) failAll(ctx context.Context, c vector.Collection, want error) {
	e.Helper()
	e.refused(c.Upsert(ctx, []vector.Item{item("b", 1)}), want)
	e.refused(c.Delete(ctx, "a"), want)
	_, err := c.Query(ctx, vector.Query{Vector: []float32{1}})
	e.refused(err, want)
	_, err = c.Get(ctx, "a")
	e.refused(err, want)
	_, err = c.Count(ctx)
	e.refused(err, want)
}

func again(e *env) {
	c := e.collection(1)
	e.upsert(c, item("a", 1))
	e.must(e.store.Remove(e.Context(), key))
	c = e.collection(2)
	e.equal(e.count(c), 0)
	e.upsert(c, item("a", 0, 1))
	e.equal(e.get(c, "a"), []vector.Item{item("a", 0, 1)})
}

func closed(e *env) {
	c := e.collection(1)
	e.upsert(c, item("a", 1))
	e.must(c.Close())
	e.must(c.Close())
	e.failAll(e.Context(), c, vector.ErrClosed)
	e.equal(e.count(e.collection(1)), 1)
}

func canceled(e *env) {
	c := e.collection(1)
	ctx := ended(e.Context())
	e.failAll(ctx, c, context.Canceled)
	_, err := e.store.Open(ctx, vector.Key{Repo: "new", Model: "m"}, 1)
	e.refused(err, context.Canceled)
	e.refused(e.store.Remove(ctx, key), context.Canceled)
	_, err = e.store.List(ctx)
	e.refused(err, context.Canceled)
	e.equal(e.count(c), 0)
}

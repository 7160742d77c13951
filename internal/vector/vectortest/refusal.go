package vectortest

import (
	"math"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/vector"
)

var refusalTests = tests{
	{"vectors of another length are refused", dimension},
	{"vectors without a direction are refused", direction},
	{"IDs that are none are refused", badIDs},
	{"metadata that is none is refused", badMeta},
	{"queries that ask for nothing are refused", badQuery},
	{"a refused item takes the whole call with it", whole},
	{"keys and dimensions that are none are refused", badKeys},
}

func dimension(e *env) {
	c := e.collection(3)
	for _, v := range [][]float32{nil, {1}, {1, 2}, {1, 2, 3, 4}} {
		e.refused(c.Upsert(e.Context(), []vector.Item{item("a", v...)}), vector.ErrDimension)
		_, err := c.Query(e.Context(), vector.Query{Vector: v})
		e.refused(err, vector.ErrDimension)
	}
	e.equal(e.count(c), 0)
}

func direction(e *env) {
	c := e.collection(2)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, v := range [][]float32{{0, 0}, {nan, 1}, {1, nan}, {inf, 0}, {-inf, inf}} {
		e.refused(c.Upsert(e.Context(), []vector.Item{item("a", v...)}), vector.ErrInvalid)
		_, err := c.Query(e.Context(), vector.Query{Vector: v})
		e.refused(err, vector.ErrInvalid)
	}
	e.equal(e.count(c), 0)
}

func badIDs(e *env) {
	c := e.collection(1)
	for _, id := range []string{"", "a\x00b", "\xff", strings.Repeat("x", vector.MaxID+1), strings.Repeat("x", 1<<20)} {
		e.refused(c.Upsert(e.Context(), []vector.Item{item(id, 1)}), vector.ErrInvalid)
		e.equal(e.get(c, id), []vector.Item(nil))
		e.must(c.Delete(e.Context(), id))
	}
	e.equal(e.count(c), 0)
}

func badMeta(e *env) {
	c := e.collection(1)
	many := vector.Meta{}
	for i := range vector.MaxPairs + 1 {
		many["n"+strconv.Itoa(i)] = vector.Int(1)
	}
	for _, m := range []vector.Meta{
		{"": vector.Int(1)}, {"a b": vector.Int(1)}, {"$and": vector.Int(1)}, {"chroma:x": vector.Int(1)}, {"_x": vector.Int(1)},
		{strings.Repeat("n", vector.MaxName+1): vector.Int(1)},
		{"s": vector.Text("a\x00b")}, {"s": vector.Text("\xff")}, {"s": vector.Text(strings.Repeat("x", vector.MaxText+1))},
		many,
	} {
		e.refused(c.Upsert(e.Context(), []vector.Item{{ID: "a", Vector: []float32{1}, Meta: m}}), vector.ErrInvalid)
		_, err := c.Query(e.Context(), vector.Query{Vector: []float32{1}, Where: m})
		e.refused(err, vector.ErrInvalid)
	}
	e.equal(e.count(c), 0)
}

func badQuery(e *env) {
	c := e.collection(1)
	for _, k := range []int{-1, vector.MaxK + 1, math.MaxInt} {
		_, err := c.Query(e.Context(), vector.Query{Vector: []float32{1}, K: k})
		e.refused(err, vector.ErrInvalid)
	}
}

func whole(e *env) {
	c := e.collection(2)
	e.refused(c.Upsert(e.Context(), []vector.Item{item("a", 1, 0), item("b", 1)}), vector.ErrDimension)
	e.refused(c.Upsert(e.Context(), []vector.Item{item("a", 1, 0), item("", 1, 0)}), vector.ErrInvalid)
	e.equal(e.count(c), 0)
}

func badKeys(e *env) {
	for _, k := range []vector.Key{{}, {Repo: "r"}, {Model: "m"}, {Repo: "a\x00", Model: "m"}, {Repo: "r", Model: strings.Repeat("m", 257)}} {
		_, err := e.store.Open(e.Context(), k, 1)
		e.refused(err, vector.ErrInvalid)
		e.refused(e.store.Remove(e.Context(), k), vector.ErrInvalid)
	}
	for _, dim := range []int{0, -1, vector.MaxDim + 1} {
		_, err := e.store.Open(e.Context(), key, dim)
		e.refused(err, vector.ErrInvalid)
	}
}

package vectortest

import (
	"fmt"
	"math"

	"github.com/repomind/repomind/internal/vector"
)

var scoreTests = tests{
	{"Query scores by cosine, the nearest first", cosine},
	{"Query gives ten unless K says otherwise", limit},
	{"equal scores come in the order of IDs", ties},
	{"equal scores are cut in the order of IDs", tiesCut},
	{"length does not matter, of items or of queries", lengths},
	{"a collection without items answers", empty},
}

func cosine(e *env) {
	c := e.collection(2)
	e.upsert(c, item("south", 0, -1), item("north", 0, 1), item("west", -1, 0), item("east", 1, 0), item("northeast", 1, 1))
	e.equal(e.query(c, vector.Query{Vector: []float32{0.6, 0.8}}), []vector.Match{
		{ID: "northeast", Score: 1.4 / math.Sqrt2},
		{ID: "north", Score: 0.8},
		{ID: "east", Score: 0.6},
		{ID: "west", Score: -0.6},
		{ID: "south", Score: -0.8},
	})
}

func limit(e *env) {
	c := e.collection(2)
	var items []vector.Item
	var want []string
	for i := range 30 {
		a := float64(i) / 20
		id := fmt.Sprintf("%02d", i)
		items = append(items, item(id, float32(math.Cos(a)), float32(math.Sin(a))))
		want = append(want, id)
	}
	e.upsert(c, items...)
	q := []float32{1, 0}
	e.equal(e.ids(c, vector.Query{Vector: q}), want[:10])
	e.equal(e.ids(c, vector.Query{Vector: q, K: 1}), want[:1])
	e.equal(e.ids(c, vector.Query{Vector: q, K: 17}), want[:17])
	e.equal(e.ids(c, vector.Query{Vector: q, K: vector.MaxK}), want)
}

func ties(e *env) {
	c := e.collection(3)
	e.upsert(c, item("c", 1, 0, 0), item("a", 1, 0, 0), item("B", 2, 0, 0))
	e.upsert(c, item("b", 1, 0, 0), item("é", 0.5, 0, 0), item("far", 0, 1, 0))
	e.equal(e.ids(c, vector.Query{Vector: []float32{1, 0, 0}}), []string{"B", "a", "b", "c", "é", "far"})
}

func tiesCut(e *env) {
	c := e.collection(2)
	var items []vector.Item
	for i := range 60 {
		items = append(items, item(fmt.Sprintf("%02d", 59-i), 0, 1))
	}
	e.upsert(c, items...)
	e.upsert(c, item("zz", 1, 1))
	e.equal(e.ids(c, vector.Query{Vector: []float32{0, 1}, K: 3}), []string{"00", "01", "02"})
	e.equal(e.ids(c, vector.Query{Vector: []float32{1, 1}, K: 3}), []string{"zz", "00", "01"})
}

func lengths(e *env) {
	c := e.collection(2)
	e.upsert(c, item("large", 3e30, 4e30), item("small", 4e-30, 3e-30))
	e.equal(e.query(c, vector.Query{Vector: []float32{1e-20, 0}}), []vector.Match{
		{ID: "small", Score: 0.8}, {ID: "large", Score: 0.6},
	})
}

func empty(e *env) {
	c := e.collection(2)
	e.equal(e.count(c), 0)
	e.equal(e.query(c, vector.Query{Vector: []float32{1, 0}}), []vector.Match(nil))
	e.equal(e.get(c, "a"), []vector.Item(nil))
	e.must(c.Delete(e.Context(), "a"))
	e.must(c.Delete(e.Context()))
	e.must(c.Upsert(e.Context(), nil))
	e.equal(e.count(c), 0)
}

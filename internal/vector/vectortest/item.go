package vectortest

import (
	"math"
	"strings"

	"github.com/repomind/repomind/internal/vector"
)

var itemTests = tests{
	{"Get gives what was put, scaled to length one", getBack},
	{"Get gives items in the order of the IDs and leaves out the unknown", getOrder},
	{"Upsert replaces vector and metadata", replace},
	{"of two items with one ID in one call the later stays", twice},
	{"Delete removes, and what is removed may come again", remove},
	{"IDs and texts are kept to the byte", hostile},
	{"the largest that is allowed is kept", largest},
}

func getBack(e *env) {
	c := e.collection(3)
	m := vector.Meta{
		"path": vector.Text("internal/a b.go"), "start": vector.Int(1), "end": vector.Int(-7), "empty": vector.Text(""),
		"most": vector.Int(math.MaxInt64), "least": vector.Int(math.MinInt64), "zero": vector.Int(0),
	}
	e.upsert(c, vector.Item{ID: "a", Vector: []float32{2, -1, 2}, Meta: m})
	want := []float32{2.0 / 3, -1.0 / 3, 2.0 / 3}
	e.equal(e.get(c, "a"), []vector.Item{{ID: "a", Vector: want, Meta: m}})
	e.equal(e.query(c, vector.Query{Vector: want}), []vector.Match{{ID: "a", Score: 1, Meta: m}})
}

func getOrder(e *env) {
	c := e.collection(1)
	e.upsert(c, item("a", 1), item("b", -1), item("c", 1))
	e.equal(e.get(c, "c", "nothing", "a"), []vector.Item{item("c", 1), item("a", 1)})
	e.equal(e.get(c, "b", "b"), []vector.Item{item("b", -1), item("b", -1)})
	e.equal(e.get(c), []vector.Item(nil))
}

func replace(e *env) {
	c := e.collection(2)
	old := vector.Item{ID: "a", Vector: []float32{1, 0}, Meta: vector.Meta{"x": vector.Int(1), "y": vector.Text("y")}}
	e.upsert(c, old, item("b", 0, 1))
	next := vector.Item{ID: "a", Vector: []float32{0, -1}, Meta: vector.Meta{"y": vector.Int(2)}}
	e.upsert(c, next)
	e.equal(e.count(c), 2)
	e.equal(e.get(c, "a"), []vector.Item{next})
	e.equal(e.query(c, vector.Query{Vector: []float32{0, 1}}), []vector.Match{
		{ID: "b", Score: 1}, {ID: "a", Score: -1, Meta: next.Meta},
	})
	e.upsert(c, item("a", 0, -1))
	e.equal(e.get(c, "a"), []vector.Item{item("a", 0, -1)})
}

func twice(e *env) {
	c := e.collection(1)
	e.upsert(c, item("a", 1), item("b", 1), item("a", -1))
	e.equal(e.count(c), 2)
	e.equal(e.get(c, "a", "b"), []vector.Item{item("a", -1), item("b", 1)})
}

func remove(e *env) {
	c := e.collection(1)
	e.upsert(c, item("a", 1), item("b", 1), item("c", 1))
	e.must(c.Delete(e.Context(), "b", "unknown", "b"))
	e.equal(e.count(c), 2)
	e.equal(e.get(c, "b"), []vector.Item(nil))
	e.equal(e.ids(c, vector.Query{Vector: []float32{1}}), []string{"a", "c"})
	e.upsert(c, item("b", 1))
	e.equal(e.ids(c, vector.Query{Vector: []float32{1}}), []string{"a", "b", "c"})
	e.must(c.Delete(e.Context(), "a", "b", "c"))
	e.equal(e.count(c), 0)
}

func hostile(e *env) {
	c := e.collection(1)
	ids := []string{
		"line\nbreak", "\r\n", "\t", " ", " a ", "日本語", "e\u0301", "é", "\u202egnp.exe", "../../etc/passwd",
		`"`, `\`, `{"$ne":1}`, "'; DROP TABLE embeddings; --", "%00", "a/b#c?d", "\x01\x7f", "\uFFFD", "\U0010FFFF",
	}
	for _, id := range ids {
		e.upsert(c, vector.Item{ID: id, Vector: []float32{1}, Meta: vector.Meta{"text": vector.Text(id)}})
	}
	e.equal(e.count(c), len(ids))
	for _, id := range ids {
		e.equal(e.get(c, id), []vector.Item{{ID: id, Vector: []float32{1}, Meta: vector.Meta{"text": vector.Text(id)}}})
	}
	e.must(c.Delete(e.Context(), ids...))
	e.equal(e.count(c), 0)
}

func largest(e *env) {
	c := e.collection(vector.MaxDim)
	it := vector.Item{ID: strings.Repeat("i", vector.MaxID), Vector: make([]float32, vector.MaxDim), Meta: vector.Meta{}}
	for i := range it.Vector {
		it.Vector[i] = 1.0 / 64
	}
	for i := range vector.MaxPairs {
		name := strings.Repeat("n", vector.MaxName-1) + string(rune('A'+i%26))
		it.Meta[name[i/26:]] = vector.Text(strings.Repeat("é", vector.MaxText/2))
	}
	e.equal(len(it.Meta), vector.MaxPairs)
	e.upsert(c, it)
	e.equal(e.get(c, it.ID), []vector.Item{it})
	e.equal(e.query(c, vector.Query{Vector: it.Vector}), []vector.Match{{ID: it.ID, Score: 1, Meta: it.Meta}})
}

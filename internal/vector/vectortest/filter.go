package vectortest

import (
	"math"

	"github.com/repomind/repomind/internal/vector"
)

var filterTests = tests{
	{"Where takes the items that have all of its pairs", where},
	{"Where tells texts from numbers", whereTypes},
	{"Where looks at metadata as it is now", whereNow},
	{"Where takes any text as it is", whereHostile},
}

func where(e *env) {
	c := e.collection(2)
	meta := func(path string, line int64) vector.Meta {
		return vector.Meta{"path": vector.Text(path), "line": vector.Int(line)}
	}
	e.upsert(c,
		vector.Item{ID: "a1", Vector: []float32{0, 1}, Meta: meta("a.go", 1)},
		vector.Item{ID: "a2", Vector: []float32{1, 2}, Meta: meta("a.go", 2)},
		vector.Item{ID: "b1", Vector: []float32{1, 0}, Meta: meta("b.go", 1)},
		vector.Item{ID: "none", Vector: []float32{1, 0}},
	)
	ask := func(m vector.Meta) []string { return e.ids(c, vector.Query{Vector: []float32{1, 0}, K: 2, Where: m}) }
	e.equal(ask(vector.Meta{"path": vector.Text("a.go")}), []string{"a2", "a1"})
	e.equal(ask(vector.Meta{"line": vector.Int(1)}), []string{"b1", "a1"})
	e.equal(ask(meta("a.go", 1)), []string{"a1"})
	e.equal(ask(meta("b.go", 2)), []string(nil))
	e.equal(ask(vector.Meta{"absent": vector.Int(0)}), []string(nil))
	e.equal(ask(vector.Meta{}), []string{"b1", "none"})
}

func whereTypes(e *env) {
	c := e.collection(1)
	e.upsert(c,
		vector.Item{ID: "number", Vector: []float32{1}, Meta: vector.Meta{"v": vector.Int(1)}},
		vector.Item{ID: "text", Vector: []float32{1}, Meta: vector.Meta{"v": vector.Text("1")}},
		vector.Item{ID: "large", Vector: []float32{1}, Meta: vector.Meta{"v": vector.Int(math.MaxInt64)}},
		vector.Item{ID: "near", Vector: []float32{1}, Meta: vector.Meta{"v": vector.Int(math.MaxInt64 - 1)}},
	)
	ask := func(v vector.Value) []string {
		return e.ids(c, vector.Query{Vector: []float32{1}, Where: vector.Meta{"v": v}})
	}
	e.equal(ask(vector.Int(1)), []string{"number"})
	e.equal(ask(vector.Text("1")), []string{"text"})
	e.equal(ask(vector.Int(math.MaxInt64)), []string{"large"})
}

func whereNow(e *env) {
	c := e.collection(1)
	at := func(name string, n int64) vector.Item {
		return vector.Item{ID: "a", Vector: []float32{1}, Meta: vector.Meta{name: vector.Int(n)}}
	}
	ask := func(name string, n int64) []string {
		return e.ids(c, vector.Query{Vector: []float32{1}, Where: vector.Meta{name: vector.Int(n)}})
	}
	e.upsert(c, at("old", 1))
	e.equal(ask("old", 1), []string{"a"})
	e.upsert(c, at("old", 2))
	e.equal(ask("old", 1), []string(nil))
	e.equal(ask("old", 2), []string{"a"})
	e.upsert(c, at("new", 2))
	e.equal(ask("old", 2), []string(nil))
	e.equal(ask("new", 2), []string{"a"})
}

func whereHostile(e *env) {
	c := e.collection(1)
	for _, s := range []string{"", "$ne", `{"$ne":""}`, "a\nb", "'; DROP TABLE x; --", "%", "日本", "\u202e"} {
		m := vector.Meta{"s": vector.Text(s)}
		e.upsert(c, vector.Item{ID: "id " + s, Vector: []float32{1}, Meta: m})
		e.equal(e.ids(c, vector.Query{Vector: []float32{1}, Where: m}), []string{"id " + s})
	}
}

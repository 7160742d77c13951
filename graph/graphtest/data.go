package graphtest

import (
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/graph"
)

var dataTests = tests{
	{"JSON is kept byte by byte", dataBytes},
	{"values of every size are kept", dataSizes},
	{"empty data is kept as empty", dataEmpty},
	{"names of threads may hold anything printable", dataThreads},
	{"names of fields and keys may hold anything", dataNames},
	{"times are kept to the nanosecond, whatever their zone", dataTimes},
	{"what was written stays when the writer changes it afterwards", dataGiven},
	{"what was read is the reader's own", dataTaken},
}

// text is a JSON string of about n bytes.
func text(r rune, n int) string { return `"` + strings.Repeat(string(r), n) + `"` }

// everywhere puts data wherever a thread keeps some and reads it back.
func (e *env) everywhere(thread, data string) *graph.Loaded {
	e.Helper()
	b := []byte(data)
	c := checkpoint(0, whole("f", 0, data))
	c.Frontier = b
	l, err := e.store.Begin(e.Context(), thread, claim(elsewhere), c)
	e.must(err)
	c = checkpoint(1, delta("f", 1, data))
	c.Frontier = b
	e.commit(l, thread, c)
	e.putTasks(l, thread, 1, done(0, data))
	e.must(e.store.PutEffect(e.Context(), l, thread, 1, effect(0, "k", data)))
	e.must(e.store.PutAnswers(e.Context(), thread, []graph.AnswerRow{answer("a", data, "alice")}))

	got := e.load(thread, -1)
	e.equal(got.Checkpoint.Fields, []graph.FieldRow{whole("f", 0, data), delta("f", 1, data)})
	e.equal(got.Checkpoint.Frontier, b)
	e.equal(got.Tasks, []graph.TaskRow{done(0, data)})
	e.equal(got.Effects, []graph.EffectRow{effect(0, "k", data)})
	e.equal(got.Answers, []graph.AnswerRow{answer("a", data, "alice")})
	return got
}

func dataBytes(e *env) {
	e.everywhere("space", " {\"b\" : 1.0,\n\t\"a\":1e3, \"a\":0.10} ")
	e.everywhere("escape", `{"a":"<&>\u003c\u0000\ud83d\ude00🙂`+"\u2028"+`"}`)
	e.everywhere("number", `[12345678901234567890123, -0, 1E400]`)
}

func dataSizes(e *env) {
	for _, n := range []int{1, 509, 510, 511, 512, 4096, 1 << 20, 3 << 20} {
		e.everywhere(fmt.Sprint("n", n), text('x', n))
	}
	e.everywhere("wide", text('日', 100_000))
}

func dataEmpty(e *env) { e.everywhere("t", "") }

func dataThreads(e *env) {
	names := []string{
		"日本語", "Ünïcödé", "🙂", "it's", `say "hi"`, `back\slash`, "per%cent_", "a*b?[c]", "a;b--c", "a/b/../c",
		"a:b", "a}", "a{", "{", "}", "~", " ", "null", "0", strings.Repeat("ä", 128),
	}
	for _, name := range names {
		l := e.begin(name, whole("n", 0, text('x', len(name))))
		e.commit(l, name+"|0.0", checkpoint(0))
	}
	for _, name := range names {
		e.equal(e.load(name, -1).Thread, name)
		e.equal(e.load(name, -1).Checkpoint.Fields, []graph.FieldRow{whole("n", 0, text('x', len(name)))})
		e.load(name+"|0.0", -1)
	}
	e.clock.pass(ttl)
	for i, name := range names {
		e.must(e.store.Delete(e.Context(), name))
		e.gone(name, -1)
		e.gone(name+"|0.0", -1)
		e.equal(len(e.names()), len(names)-1-i)
	}
}

func dataNames(e *env) {
	names := []string{" ", "a", "A", "a\x00", "a\x00b", "\xff\xfe", "ä", "日本", "'; DROP TABLE thread; --", "%", "🙂"}
	var rows []graph.FieldRow
	var effects []graph.EffectRow
	for i, name := range names {
		rows = append(rows, whole(name, 0, text('x', i)))
		effects = append(effects, effect(i, name, text('y', i)))
	}
	l := e.begin("t", rows...)
	e.equal(e.load("t", 0).Checkpoint.Fields, byField(rows))
	e.equal(e.history("t")[0].Fields, byField(rows))
	for i, name := range names {
		e.must(e.store.PutEffect(e.Context(), l, "t", 0, effects[i]))
		a := answer(strings.Repeat("i", i+1), `1`, "Ünï "+name)
		a.Key, a.Node = name, "日本"
		e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{a}))
		e.equal(e.load("t", -1).Answers[i], a)
	}
	e.equal(e.load("t", -1).Effects, effects)
	e.commit(l, "t", checkpoint(1, delta("a", 1, `[1]`), delta("a\x00", 1, `[2]`)))
	for _, row := range e.load("t", 1).Checkpoint.Fields {
		if row.Delta != (row.Step == 1) || row.Delta && row.Field != "a" && row.Field != "a\x00" {
			e.Errorf("row %+v", row)
		}
	}
	e.equal(len(e.load("t", 1).Checkpoint.Fields), len(names)+2)
}

func dataTimes(e *env) {
	at := time.Date(2026, 3, 29, 3, 30, 0, 999999999, time.FixedZone("", 5*3600+1800))
	c := checkpoint(0)
	c.At = at
	_, err := e.store.Begin(e.Context(), "t", claim(elsewhere), c)
	e.must(err)
	a := answer("a", `1`, "alice")
	a.At = at.Add(1)
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{a}))
	got := e.load("t", -1)
	e.equal(got.Checkpoint.At, at)
	e.equal(got.Updated, at)
	e.equal(got.Answers[0].At, at.Add(1))
	e.equal(e.history("t")[0].At, at)
}

func dataGiven(e *env) {
	c := checkpoint(0, first()...)
	l, err := e.store.Begin(e.Context(), "t", claim(elsewhere), c)
	e.must(err)
	next := step(1)
	e.commit(l, "t", next)
	task, effect, answer := []graph.TaskRow{done(0, `1`)}, effect(0, "k", `1`), []graph.AnswerRow{answer("a", `1`, "alice")}
	e.putTasks(l, "t", 1, task...)
	e.must(e.store.PutEffect(e.Context(), l, "t", 1, effect))
	e.must(e.store.PutAnswers(e.Context(), "t", answer))
	before := e.dump("t")

	for _, rows := range [][]graph.FieldRow{c.Fields, next.Fields} {
		for i := range rows {
			rows[i].Field = "changed"
		}
	}
	task[0].Index, answer[0].ID = 7, "changed"
	e.equal(e.dump("t"), before)
}

func dataTaken(e *env) {
	e.midway()
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}))
	before := e.dump("t")
	for _, n := range []int{-1, 0, 1} {
		l, err := e.store.Load(e.Context(), "t", n)
		e.must(err)
		for i := range l.Checkpoint.Fields {
			l.Checkpoint.Fields[i].Field = "changed"
		}
		if n < 0 {
			l.Tasks[0].Index, l.Effects[0].Key, l.Answers[0].ID = 7, "changed", "changed"
		}
		e.equal(e.dump("t"), before)
	}
	for c, err := range e.store.History(e.Context(), "t") {
		e.must(err)
		for i := range c.Fields {
			c.Fields[i].Field = "changed" // as a migration does that renames a field
		}
	}
	e.equal(e.dump("t"), before)
}

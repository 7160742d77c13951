package graphtest

import (
	"github.com/repomind/repomind/graph"
)

var loadTests = tests{
	{"Load gives the newest whole row of each field and the deltas after it", loadSteps},
	{"Load at a negative step is Load at the newest", loadNewest},
	{"Load at an older step has no tasks, effects or answers", loadOlder},
	{"a field that is first written in a later step is loaded", loadLateField},
	{"rows that are older than their checkpoint keep their step", loadForked},
	{"Load refuses a thread or step that does not exist", loadNothing},
}

// story begins "t" with fields that are written in different ways; rows[n] are
// those that make up the state after step n.
func (e *env) story() (l graph.Lease, rows [][]graph.FieldRow) {
	log0, n0, text0 := whole("log", 0, `["s0"]`), whole("n", 0, `0`), whole("text", 0, `"constant"`)
	log1, log2, log4 := delta("log", 1, `["s1"]`), delta("log", 2, `["s2","s2b"]`), whole("log", 4, `["again"]`)
	log5, n2, n5 := delta("log", 5, `["s5"]`), whole("n", 2, `2`), whole("n", 5, `5`)
	l = e.begin("t", text0, log0, n0)
	e.commit(l, "t", checkpoint(1, log1))
	e.commit(l, "t", checkpoint(2, n2, log2))
	e.commit(l, "t", checkpoint(3))
	e.commit(l, "t", checkpoint(4, log4))
	e.commit(l, "t", checkpoint(5, log5, n5))
	return l, [][]graph.FieldRow{
		{log0, n0, text0},
		{log0, log1, n0, text0},
		{log0, log1, log2, n2, text0},
		{log0, log1, log2, n2, text0},
		{log4, n2, text0},
		{log4, log5, n5, text0},
	}
}

func loadSteps(e *env) {
	l, rows := e.story()
	for n, want := range rows {
		got := e.load("t", n)
		e.equal(got.Checkpoint, checkpoint(n, want...))
		e.equal(got.ThreadInfo, graph.ThreadInfo{
			Thread: "t", Run: l.Run, Status: graph.StatusRunning, Step: 5,
			Updated: checkpoint(5).At, Owner: elsewhere, Until: epoch.Add(ttl),
		})
	}
}

func loadNewest(e *env) {
	e.midway()
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}))
	got := e.load("t", -1)
	e.equal(got.Checkpoint, checkpoint(1, whole0log1()...))
	e.equal([]int{len(got.Tasks), len(got.Effects), len(got.Answers)}, []int{1, 1, 1})
	e.equal(e.load("t", 1), got)
	e.equal(e.load("t", -7), got)
}

// whole0log1 are the rows of first after step(1).
func whole0log1() []graph.FieldRow {
	return []graph.FieldRow{whole("log", 0, `["s0"]`), delta("log", 1, `["s1"]`), whole("n", 1, `1`)}
}

func loadOlder(e *env) {
	e.midway()
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}))
	got := e.load("t", 0)
	e.equal(got.Checkpoint, checkpoint(0, byField(first())...))
	e.equal([]int{len(got.Tasks), len(got.Effects), len(got.Answers)}, []int{0, 0, 0})
}

func loadLateField(e *env) {
	l := e.begin("t", whole("n", 0, `0`))
	e.commit(l, "t", checkpoint(1, whole("late", 1, `[1]`)))
	e.commit(l, "t", checkpoint(2, delta("late", 2, `[2]`)))
	e.equal(e.load("t", 0).Checkpoint.Fields, []graph.FieldRow{whole("n", 0, `0`)})
	e.equal(e.load("t", 1).Checkpoint.Fields, []graph.FieldRow{whole("late", 1, `[1]`), whole("n", 0, `0`)})
	e.equal(e.load("t", 2).Checkpoint.Fields,
		[]graph.FieldRow{whole("late", 1, `[1]`), delta("late", 2, `[2]`), whole("n", 0, `0`)})
}

func loadForked(e *env) {
	rows := []graph.FieldRow{whole("log", 2, `["s2"]`), delta("log", 3, `["s3"]`), delta("log", 6, `["s6"]`), whole("n", 0, `0`)}
	l, err := e.store.Begin(e.Context(), "t", claim(elsewhere), checkpoint(7, rows...))
	e.must(err)
	e.equal(e.load("t", -1).Checkpoint, checkpoint(7, rows...))
	e.equal(e.load("t", -1).Step, 7)
	e.equal(e.history("t"), []graph.Checkpoint{checkpoint(7, rows...)})
	e.gone("t", 6)

	e.steps(l, "t", 8, 8)
	want := []graph.FieldRow{rows[0], rows[1], rows[2], delta("log", 8, `["s8"]`), whole("n", 8, `8`)}
	e.equal(e.load("t", -1).Checkpoint.Fields, want)
	e.equal(e.load("t", 7).Checkpoint.Fields, rows)
}

func loadNothing(e *env) {
	e.gone("t", -1)
	l := e.begin("t", first()...)
	e.steps(l, "t", 1, 2)
	e.gone("t", 3)
	e.gone("tt", -1)
	e.gone("t|0.0", -1)
	e.gone("t|", 0)
}

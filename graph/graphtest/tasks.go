package graphtest

import (
	"sync"

	"github.com/repomind/repomind/graph"
)

var taskTests = tests{
	{"PutTasks keeps the rows of the open step", putTasks},
	{"PutTasks replaces older rows and leaves the others", putTasksReplaces},
	{"PutTasks is refused for a step that is not open", putTasksClosed},
	{"PutEffect keeps effects by task and key", putEffects},
	{"PutEffect is refused for a step that is not open", putEffectClosed},
	{"tasks and effects of a missing sub-thread are refused", putNowhere},
	{"tasks, effects and answers of one index do not meet", putApart},
	{"1,000 tasks and effects that come at once are all kept", putMany},
}

func (e *env) putTasks(l graph.Lease, thread string, step int, rows ...graph.TaskRow) {
	e.Helper()
	e.must(e.store.PutTasks(e.Context(), l, thread, step, rows))
}

func putTasks(e *env) {
	l := e.begin("t", first()...)
	rows := []graph.TaskRow{
		{Index: 0, State: graph.TaskStarted, Attempt: 2, Data: []byte(`{}`)},
		{Index: 1, State: graph.TaskDone, Attempt: 1, Data: []byte(`{"writes":[]}`)},
		{Index: 7, State: graph.TaskPaused, Attempt: 1, Data: []byte(`{"pauses":[{"id":"x"}]}`)},
		{Index: 12, State: graph.TaskFailed, Attempt: 3, Data: []byte(`{"error":"no"}`)},
	}
	e.putTasks(l, "t", 0, rows[2], rows[0])
	e.putTasks(l, "t", 0, rows[3])
	e.putTasks(l, "t", 0)
	e.putTasks(l, "t", 0, rows[1])
	e.equal(e.load("t", -1).Tasks, rows)
	e.equal(e.load("t", 0).Tasks, rows)
	e.equal(e.load("t", -1).Step, 0)
}

func putTasksReplaces(e *env) {
	l := e.begin("t", first()...)
	e.putTasks(l, "t", 0, graph.TaskRow{Index: 1, State: graph.TaskStarted, Attempt: 1, Data: []byte(`{}`)}, done(2, `"two"`))
	e.putTasks(l, "t", 0, graph.TaskRow{Index: 1, State: graph.TaskStarted, Attempt: 2, Data: []byte(`{}`)})
	e.putTasks(l, "t", 0, done(3, `"three"`), graph.TaskRow{Index: 1, State: graph.TaskDone, Attempt: 2, Data: []byte(`"one"`)})
	e.equal(e.load("t", -1).Tasks, []graph.TaskRow{
		{Index: 1, State: graph.TaskDone, Attempt: 2, Data: []byte(`"one"`)}, done(2, `"two"`), done(3, `"three"`),
	})
}

func putTasksClosed(e *env) {
	l := e.begin("t", first()...)
	e.steps(l, "t", 1, 2)
	e.putTasks(l, "t", 2, done(0, `"kept"`))
	for _, n := range []int{0, 1, 3} {
		e.refused(e.store.PutTasks(e.Context(), l, "t", n, []graph.TaskRow{done(0, `"lost"`), done(1, `"lost"`)}), graph.ErrSuperseded)
	}
	e.equal(e.load("t", -1).Tasks, []graph.TaskRow{done(0, `"kept"`)})
}

func putEffects(e *env) {
	l := e.begin("t", first()...)
	rows := []graph.EffectRow{effect(0, "a", `1`), effect(0, "b", `{"x":null}`), effect(1, "a", `"other"`), effect(10, "", `null`)}
	for _, i := range []int{2, 0, 3, 1} {
		e.must(e.store.PutEffect(e.Context(), l, "t", 0, rows[i]))
	}
	e.equal(e.load("t", -1).Effects, rows)
	e.equal(e.load("t", 0).Effects, rows)
}

func putEffectClosed(e *env) {
	l := e.begin("t", first()...)
	e.steps(l, "t", 1, 1)
	for _, n := range []int{0, 2} {
		e.refused(e.store.PutEffect(e.Context(), l, "t", n, effect(0, "k", `1`)), graph.ErrSuperseded)
	}
	e.equal(e.load("t", -1).Effects, []graph.EffectRow{})
}

func putNowhere(e *env) {
	l := e.begin("t", first()...)
	e.refused(e.store.PutTasks(e.Context(), l, "t|0.0", 0, []graph.TaskRow{done(0, `1`)}), graph.ErrNoThread)
	e.refused(e.store.PutEffect(e.Context(), l, "t|0.0", 0, effect(0, "k", `1`)), graph.ErrNoThread)
	e.gone("t|0.0", -1)
}

func putApart(e *env) {
	l := e.begin("t", first()...)
	e.putTasks(l, "t", 0, done(0, `"task"`))
	e.must(e.store.PutEffect(e.Context(), l, "t", 0, effect(0, "0", `"effect"`)))
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("0", `"answer"`, "alice")}))
	got := e.load("t", -1)
	e.equal(got.Tasks, []graph.TaskRow{done(0, `"task"`)})
	e.equal(got.Effects, []graph.EffectRow{effect(0, "0", `"effect"`)})
	e.equal(got.Answers, []graph.AnswerRow{answer("0", `"answer"`, "alice")})
}

func putMany(e *env) {
	const n = 1000
	l := e.begin("t", first()...)
	var wg sync.WaitGroup
	errs := make([]error, 2*n)
	for i := range n {
		wg.Go(func() { errs[i] = e.store.PutTasks(e.Context(), l, "t", 0, []graph.TaskRow{done(i, `1`)}) })
		wg.Go(func() { errs[n+i] = e.store.PutEffect(e.Context(), l, "t", 0, effect(i, "k", `2`)) })
	}
	wg.Wait()
	e.equal(e.count(errs, nil), 2*n)
	got := e.load("t", -1)
	e.equal([]int{len(got.Tasks), len(got.Effects)}, []int{n, n})
	for i := range min(len(got.Tasks), len(got.Effects)) {
		e.equal(got.Tasks[i], done(i, `1`))
		e.equal(got.Effects[i], effect(i, "k", `2`))
	}
}

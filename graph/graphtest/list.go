package graphtest

import (
	"time"

	"github.com/repomind/repomind/graph"
)

var listTests = tests{
	{"History gives the first checkpoint whole and of the others what they wrote", historyRows},
	{"History folded up to a step is Load at that step", historyFolds},
	{"History can be left early", historyLeft},
	{"History of a thread that does not exist is an error", historyNothing},
	{"History is complete or ends with an error when checkpoints are pruned meanwhile", historyPruned},
	{"Threads is empty at first", threadsEmpty},
	{"Threads lists by name, byte by byte, and without sub-threads", threadsOrder},
	{"Threads says how each thread stands", threadsInfo},
	{"Threads can be left early", threadsLeft},
}

func historyRows(e *env) {
	e.story()
	e.equal(e.history("t"), []graph.Checkpoint{
		checkpoint(0, whole("log", 0, `["s0"]`), whole("n", 0, `0`), whole("text", 0, `"constant"`)),
		checkpoint(1, delta("log", 1, `["s1"]`)),
		checkpoint(2, delta("log", 2, `["s2","s2b"]`), whole("n", 2, `2`)),
		checkpoint(3),
		checkpoint(4, whole("log", 4, `["again"]`)),
		checkpoint(5, delta("log", 5, `["s5"]`), whole("n", 5, `5`)),
	})
}

// folds checks that History tells the same as Load.
func (e *env) folds(thread string, steps int) {
	e.Helper()
	state := map[string][]graph.FieldRow{}
	history := e.history(thread)
	e.equal(len(history), steps)
	for _, c := range history {
		for _, row := range c.Fields {
			if !row.Delta {
				state[row.Field] = nil
			}
			state[row.Field] = append(state[row.Field], row)
		}
		var rows []graph.FieldRow
		for _, field := range state {
			rows = append(rows, field...)
		}
		got := c
		got.Fields = byField(rows)
		e.equal(got, e.load(thread, c.Step).Checkpoint)
	}
}

func historyFolds(e *env) {
	l, _ := e.story()
	e.folds("t", 6)
	e.commit(l, "t|5.0", checkpoint(0, first()...))
	e.steps(l, "t|5.0", 1, 3)
	e.folds("t|5.0", 4)
}

func historyLeft(e *env) {
	l, _ := e.story()
	for c, err := range e.store.History(e.Context(), "t") {
		e.must(err)
		if c.Step == 2 {
			break
		}
	}
	e.commit(l, "t", checkpoint(6)) // nothing is held
	e.equal(len(e.history("t")), 7)
}

func historyNothing(e *env) {
	n := 0
	for _, err := range e.store.History(e.Context(), "t") {
		e.refused(err, graph.ErrNoThread)
		n++
	}
	e.equal(n, 1)
}

func historyPruned(e *env) {
	e.story()
	var steps []int
	var failed error
	for c, err := range e.store.History(e.Context(), "t") {
		if failed = err; err != nil {
			break
		}
		if steps = append(steps, c.Step); c.Step == 1 {
			_, err := e.store.Prune(e.Context(), graph.Retention{Steps: 1})
			e.must(err)
		}
	}
	if failed == nil {
		e.equal(steps, []int{0, 1, 2, 3, 4, 5})
	}
	e.equal(len(e.history("t")), 1)
}

func threadsEmpty(e *env) { e.equal(e.names(), []string{}) }

func threadsOrder(e *env) {
	for _, name := range []string{"b", "ä", "a", "a b", "Z", "a10", "a2", "a~", "日本"} {
		l := e.begin(name, first()...)
		e.commit(l, name+"|0.0", checkpoint(0))
		e.commit(l, name+"|0.0|0.0", checkpoint(0))
	}
	e.equal(e.names(), []string{"Z", "a", "a b", "a10", "a2", "a~", "b", "ä", "日本"})
}

func threadsInfo(e *env) {
	running := e.begin("running", first()...)
	e.steps(running, "running", 1, 3)
	paused := e.begin("paused", first()...)
	e.clock.pass(time.Second)
	e.release(paused, graph.StatusPaused)
	e.equal(e.threads(), []graph.ThreadInfo{
		{Thread: "paused", Run: paused.Run, Status: graph.StatusPaused, Updated: epoch.Add(time.Second)},
		{Thread: "running", Run: running.Run, Status: graph.StatusRunning, Step: 3, Updated: step(3).At,
			Owner: elsewhere, Until: epoch.Add(ttl)},
	})
	e.equal(e.threads()[1], e.load("running", 1).ThreadInfo)
}

func threadsLeft(e *env) {
	e.begin("a")
	e.begin("b")
	for i, err := range e.store.Threads(e.Context()) {
		e.must(err)
		e.equal(i.Thread, "a")
		break
	}
	e.begin("c")
	e.equal(e.names(), []string{"a", "b", "c"})
}

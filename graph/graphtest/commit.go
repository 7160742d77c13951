package graphtest

import (
	"fmt"

	"github.com/repomind/repomind/graph"
)

var commitTests = tests{
	{"Commit adds the next step and no other", commitOrder},
	{"a refused Commit leaves tasks, effects and sub-threads", commitRefused},
	{"Commit drops the tasks and effects of the step it closes", commitDrops},
	{"Commit to one thread leaves the tasks and effects of others", commitDropsOwn},
	{"Commit drops the ended sub-threads and what is below them", commitEnds},
	{"Commit does not drop sub-threads whose names begin like an ended one", commitEndsOnly},
	{"Commit keeps answers", commitKeepsAnswers},
	{"a sub-thread begins with its first Commit", commitSub},
	{"Commit sets when the thread was updated", commitUpdates},
}

func commitOrder(e *env) {
	l := e.begin("t", first()...)
	e.commit(l, "t|0.0", checkpoint(0, first()...))
	for _, thread := range []string{"t", "t|0.0"} {
		e.steps(l, thread, 1, 3)
		before := e.dump("t", "t|0.0")
		for _, n := range []int{0, 1, 2, 3, 5, 6} {
			e.refused(e.store.Commit(e.Context(), l, thread, step(n)), graph.ErrSuperseded)
			e.equal(e.dump("t", "t|0.0"), before)
		}
		e.steps(l, thread, 4, 4)
	}
	e.equal(e.load("t", -1).Step, 4)
}

func commitRefused(e *env) {
	l := e.midway()
	before := e.dump("t", "t|1.0")
	again := step(1)
	again.Ended = []string{"t|1.0"}
	e.refused(e.store.Commit(e.Context(), l, "t", again), graph.ErrSuperseded)
	e.equal(e.dump("t", "t|1.0"), before)
}

func commitDrops(e *env) {
	l := e.midway()
	e.equal(len(e.load("t", -1).Tasks)+len(e.load("t", -1).Effects), 2)
	e.steps(l, "t", 2, 2)
	for _, n := range []int{-1, 2, 1} {
		got := e.load("t", n)
		e.equal(got.Tasks, []graph.TaskRow{})
		e.equal(got.Effects, []graph.EffectRow{})
	}
}

func commitDropsOwn(e *env) {
	l := e.midway()
	e.must(e.store.PutTasks(e.Context(), l, "t|1.0", 0, []graph.TaskRow{done(0, `"sub"`)}))
	e.must(e.store.PutEffect(e.Context(), l, "t|1.0", 0, effect(0, "sub", `2`)))
	other := e.begin("other", first()...)
	e.must(e.store.PutTasks(e.Context(), other, "other", 0, []graph.TaskRow{done(5, `"other"`)}))

	root := e.load("t", -1)
	e.commit(l, "t|1.1", checkpoint(0, first()...))
	e.steps(l, "t|1.1", 1, 2)
	e.equal(e.load("t", -1), root)

	e.steps(l, "t", 2, 2)
	sub := e.load("t|1.0", -1)
	e.equal(sub.Tasks, []graph.TaskRow{done(0, `"sub"`)})
	e.equal(sub.Effects, []graph.EffectRow{effect(0, "sub", `2`)})
	e.equal(e.load("other", -1).Tasks, []graph.TaskRow{done(5, `"other"`)})
}

// family begins "t" with sub-threads whose names are prefixes of one another.
func (e *env) family() graph.Lease {
	l := e.begin("t", first()...)
	for _, sub := range []string{"t|0.1", "t|0.10", "t|0.1|2.0", "t|0.1|2.0|1.3", "t|0.10|2.0", "t|0.2"} {
		e.commit(l, sub, checkpoint(0, whole("n", 0, fmt.Sprintf("%q", sub))))
		e.must(e.store.PutTasks(e.Context(), l, sub, 0, []graph.TaskRow{done(0, `1`)}))
		e.must(e.store.PutEffect(e.Context(), l, sub, 0, effect(0, "k", `1`)))
	}
	return l
}

func commitEnds(e *env) {
	l := e.family()
	c := step(1)
	c.Ended = []string{"t|0.1", "t|0.9"} // a fan that sent to a node which never began a sub-thread
	e.commit(l, "t", c)
	for _, sub := range []string{"t|0.1", "t|0.1|2.0", "t|0.1|2.0|1.3", "t|0.9"} {
		e.gone(sub, -1)
	}
	// A sub-thread that begins under such a name finds nothing of the old one.
	e.commit(l, "t|0.1", checkpoint(0, whole("other", 0, `1`)))
	got := e.load("t|0.1", -1)
	e.equal(got.Checkpoint, checkpoint(0, whole("other", 0, `1`)))
	e.equal(len(got.Tasks)+len(got.Effects), 0)
}

func commitEndsOnly(e *env) {
	l := e.family()
	kept := []string{"t|0.10", "t|0.10|2.0", "t|0.2"}
	before := e.dump(kept...)
	c := step(1)
	c.Ended = []string{"t|0.1"}
	e.commit(l, "t", c)
	e.equal(e.dump(kept...), before)
}

func commitKeepsAnswers(e *env) {
	l := e.begin("t", first()...)
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `true`, "alice")}))
	e.steps(l, "t", 1, 2)
	e.equal(e.load("t", -1).Answers, []graph.AnswerRow{answer("a", `true`, "alice")})
}

func commitSub(e *env) {
	l := e.begin("t", first()...)
	e.commit(l, "t|0.0", checkpoint(0, whole("n", 0, `5`)))
	got := e.load("t|0.0", -1)
	e.equal(got.Run, l.Run)
	e.equal(got.Checkpoint, checkpoint(0, whole("n", 0, `5`)))
	e.steps(l, "t|0.0", 1, 2)
	e.equal(e.load("t|0.0", -1).Step, 2)
	e.equal(e.load("t", -1).Step, 0)
}

func commitUpdates(e *env) {
	l := e.begin("t", first()...)
	e.steps(l, "t", 1, 2)
	got := e.load("t", -1)
	e.equal(got.Updated, step(2).At)
	e.equal(got.Status, graph.StatusRunning)
	e.equal(e.load("t", 1).Checkpoint.At, step(1).At)
}

package graphtest

import (
	"time"

	"github.com/repomind/repomind/graph"
)

var pruneTests = tests{
	{"Prune with nothing to retain by keeps all", pruneZero},
	{"Prune keeps the newest steps and what they stand on", pruneSteps},
	{"Prune keeps tasks, effects, answers and the lease", pruneKeepsOpen},
	{"Prune cuts sub-threads too", pruneSub},
	{"Prune of one thread leaves the others", pruneOne},
	{"a thread goes on after Prune", pruneGoesOn},
	{"Prune deletes what ended before a time, with all that belongs to it", pruneBefore},
	{"Prune deletes no thread that is held, nor one that waits or runs", pruneHeld},
	{"Prune by steps and time does both", pruneBoth},
	{"Prune refuses a negative number of steps", pruneNegative},
	{"Prune of a thread that does not exist is an error", pruneNothing},
}

// prune checks what Prune says it removed.
func (e *env) prune(r graph.Retention, threads, checkpoints int) {
	e.Helper()
	p, err := e.store.Prune(e.Context(), r)
	e.must(err)
	e.equal(p, graph.Pruned{Threads: threads, Checkpoints: checkpoints})
}

func pruneZero(e *env) {
	l := e.midway()
	e.release(l, graph.StatusDone)
	e.clock.pass(1000 * time.Hour)
	before := e.dump("t", "t|1.0")
	e.prune(graph.Retention{}, 0, 0)
	e.prune(graph.Retention{Thread: "t"}, 0, 0)
	e.equal(e.dump("t", "t|1.0"), before)
}

func pruneSteps(e *env) {
	_, rows := e.story()
	for keep := 9; keep >= 1; keep-- {
		dropped := 0
		if keep < 6 {
			dropped = 1 // as each round keeps one step less
		}
		e.prune(graph.Retention{Steps: keep}, 0, dropped)
		oldest := max(0, 6-keep)
		for n, want := range rows {
			if n < oldest {
				e.gone("t", n)
				continue
			}
			e.equal(e.load("t", n).Checkpoint, checkpoint(n, want...))
		}
		e.equal(e.load("t", -1).Step, 5)
		e.equal(e.history("t")[0], checkpoint(oldest, rows[oldest]...))
		e.folds("t", 6-oldest)
	}
}

func pruneKeepsOpen(e *env) {
	l := e.midway()
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}))
	before := e.load("t", -1)
	e.prune(graph.Retention{Steps: 1}, 0, 1)
	e.equal(e.load("t", -1), before)
	e.steps(l, "t", 2, 2)
}

func pruneSub(e *env) {
	l := e.midway()
	e.steps(l, "t|1.0", 1, 4)
	e.commit(l, "t|1.0|4.0", checkpoint(0, first()...))
	e.steps(l, "t|1.0|4.0", 1, 2)
	e.prune(graph.Retention{Steps: 2}, 0, 3+1) // 2 of t, 5 of t|1.0, 3 of t|1.0|4.0
	e.equal([]int{len(e.history("t")), len(e.history("t|1.0")), len(e.history("t|1.0|4.0"))}, []int{2, 2, 2})
	e.folds("t|1.0", 2)
}

func pruneOne(e *env) {
	for _, name := range []string{"a", "aa", "a}", "b"} {
		l := e.begin(name, first()...)
		e.commit(l, name+"|0.0", checkpoint(0, first()...))
		e.steps(l, name+"|0.0", 1, 1)
		e.steps(l, name, 1, 3)
	}
	others := e.dump("aa", "aa|0.0", "a}", "a}|0.0", "b", "b|0.0")
	e.prune(graph.Retention{Thread: "a", Steps: 1}, 0, 3+1)
	e.equal(e.dump("aa", "aa|0.0", "a}", "a}|0.0", "b", "b|0.0"), others)
	e.equal(len(e.history("a")), 1)
	e.prune(graph.Retention{Steps: 1}, 0, 3*(3+1))
}

func pruneGoesOn(e *env) {
	l := e.begin("t", first()...)
	e.steps(l, "t", 1, 5)
	for n := 6; n < 12; n++ {
		e.prune(graph.Retention{Steps: 2}, 0, map[bool]int{true: 4, false: 1}[n == 6])
		e.steps(l, "t", n, n)
	}
	got := e.load("t", -1).Checkpoint
	e.equal(got.Fields[len(got.Fields)-1], whole("n", 11, `11`))
	e.equal(len(got.Fields), 1+12) // the deltas to log reach back to its only whole row
	e.release(l, graph.StatusPaused)
	e.steps(e.acquire("t", elsewhere), "t", 12, 12)
}

func pruneBefore(e *env) {
	ends := []graph.Status{graph.StatusDone, graph.StatusFailed, graph.StatusCancelled}
	for _, s := range ends {
		l := e.begin(string(s), first()...)
		e.commit(l, string(s)+"|0.0", checkpoint(0, first()...))
		e.must(e.store.PutAnswers(e.Context(), string(s), []graph.AnswerRow{answer("a", `1`, "alice")}))
		e.release(l, s)
		e.clock.pass(time.Hour)
	}
	e.prune(graph.Retention{Before: epoch}, 0, 0)
	e.prune(graph.Retention{Before: epoch.Add(1)}, 1, 0)
	e.equal(e.names(), []string{"cancelled", "failed"})
	e.gone("done", -1)
	e.gone("done|0.0", -1)
	e.prune(graph.Retention{Thread: "cancelled", Before: epoch.Add(2 * time.Hour)}, 0, 0)
	e.prune(graph.Retention{Thread: "cancelled", Before: epoch.Add(3 * time.Hour)}, 1, 0)
	e.equal(e.names(), []string{"failed"})
	e.prune(graph.Retention{Before: epoch.Add(3 * time.Hour)}, 1, 0)
	e.equal(e.names(), []string{})
}

func pruneHeld(e *env) {
	e.begin("begun", first()...)
	e.release(e.begin("running", first()...), graph.StatusRunning)
	e.release(e.begin("paused", first()...), graph.StatusPaused)
	e.release(e.begin("held", first()...), graph.StatusFailed)
	e.acquire("held", elsewhere)
	e.clock.pass(ttl - 1)
	late := e.clock.now().Add(time.Hour)
	e.prune(graph.Retention{Before: late}, 0, 0)
	e.equal(e.names(), []string{"begun", "held", "paused", "running"})
}

func pruneBoth(e *env) {
	old := e.begin("old", first()...)
	e.steps(old, "old", 1, 3)
	e.release(old, graph.StatusDone)
	e.clock.pass(time.Hour)
	young := e.begin("young", first()...)
	e.steps(young, "young", 1, 3)
	e.release(young, graph.StatusDone)
	e.prune(graph.Retention{Steps: 3, Before: epoch.Add(time.Hour)}, 1, 1)
	e.equal(e.names(), []string{"young"})
	e.equal(len(e.history("young")), 3)
}

func pruneNegative(e *env) {
	e.midway()
	before := e.dump("t", "t|1.0")
	if p, err := e.store.Prune(e.Context(), graph.Retention{Steps: -1}); err == nil {
		e.Errorf("got %+v, want an error", p)
	}
	e.equal(e.dump("t", "t|1.0"), before)
}

func pruneNothing(e *env) {
	e.begin("t", first()...)
	_, err := e.store.Prune(e.Context(), graph.Retention{Thread: "x", Steps: 1})
	e.refused(err, graph.ErrNoThread)
}

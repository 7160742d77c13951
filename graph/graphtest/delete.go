package graphtest

import "github.com/repomind/repomind/graph"

var deleteTests = tests{
	{"Delete removes the thread, its sub-threads and its answers, and nothing else", deletes},
	{"Delete refuses a thread with a live owner", deleteHeld},
	{"Delete takes a thread whose owner is dead", deleteDead},
	{"Delete refuses a thread that does not exist", deleteNothing},
	{"a reused name starts clean, with a run of its own", deleteReuse},
	{"threads that share values with a deleted one keep them", deleteShared},
}

func deletes(e *env) {
	others := []string{"tt", "tt|1.0", "t2", "t2|1.0", "T", "t{", "t}", "t}|1.0", "t~"}
	for _, name := range []string{"tt", "t2", "T", "t{", "t}", "t~"} {
		l := e.begin(name, first()...)
		e.commit(l, name+"|1.0", checkpoint(0, first()...))
		e.must(e.store.PutAnswers(e.Context(), name, []graph.AnswerRow{answer("a", `1`, "alice")}))
	}
	l := e.midway()
	e.commit(l, "t|1.0|0.0", checkpoint(0, first()...))
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}))
	e.release(l, graph.StatusDone)
	before := e.dump(others...)

	e.must(e.store.Delete(e.Context(), "t"))
	e.equal(e.dump(others...), before)
	e.equal(e.names(), []string{"T", "t2", "tt", "t{", "t}", "t~"})
	for _, name := range []string{"t", "t|1.0", "t|1.0|0.0"} {
		e.gone(name, -1)
		e.gone(name, 0)
	}
}

func deleteHeld(e *env) {
	e.midway()
	e.clock.pass(ttl - 1)
	before := e.dump("t", "t|1.0")
	e.refused(e.store.Delete(e.Context(), "t"), graph.ErrBusy)
	e.equal(e.dump("t", "t|1.0"), before)
	e.clock.pass(1)
	e.acquire("t", self(e.T))
	e.refused(e.store.Delete(e.Context(), "t"), graph.ErrBusy)
	e.clock.pass(ttl)
	e.must(e.store.Delete(e.Context(), "t"))
	e.equal(e.names(), []string{})
}

func deleteDead(e *env) {
	_, err := e.store.Begin(e.Context(), "t", claim(dead(e.T)), checkpoint(0))
	e.must(err)
	e.must(e.store.Delete(e.Context(), "t"))
	e.gone("t", -1)
}

func deleteNothing(e *env) {
	e.refused(e.store.Delete(e.Context(), "t"), graph.ErrNoThread)
}

func deleteReuse(e *env) {
	old := e.midway()
	e.commit(old, "t|1.0|0.0", checkpoint(0, first()...))
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}))
	e.release(old, graph.StatusFailed)
	e.must(e.store.Delete(e.Context(), "t"))

	l := e.begin("t", whole("other", 0, `1`))
	if l.Run == old.Run {
		e.Errorf("the new thread has the old run %q", l.Run)
	}
	e.equal(*e.load("t", -1), graph.Loaded{
		ThreadInfo: graph.ThreadInfo{
			Thread: "t", Run: l.Run, Status: graph.StatusRunning, Updated: epoch, Owner: elsewhere, Until: epoch.Add(ttl),
		},
		Checkpoint: checkpoint(0, whole("other", 0, `1`)),
	})
	e.gone("t|1.0", -1)
	e.gone("t|1.0|0.0", -1)
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `2`, "bob")}))
}

func deleteShared(e *env) {
	big := text('x', 100<<10)
	for _, name := range []string{"a", "b", "c"} {
		c := checkpoint(0, whole("big", 0, big))
		c.Frontier = []byte(big)
		l, err := e.store.Begin(e.Context(), name, claim(elsewhere), c)
		e.must(err)
		e.release(l, graph.StatusDone)
	}
	before := e.dump("b")
	e.must(e.store.Delete(e.Context(), "a"))
	e.must(e.store.Delete(e.Context(), "c"))
	e.equal(e.dump("b"), before)
}

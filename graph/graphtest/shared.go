package graphtest

import (
	"fmt"
	"sync"

	"github.com/repomind/repomind/graph"
)

var sharedTests = tests{
	{"what one handle wrote another one reads at once", sharedReads},
	{"a lease holds against another handle", sharedLease},
	{"a thread that another handle took over is fenced", sharedFence},
	{"two handles write different threads at the same time", sharedWrites},
	{"a reader sees whole checkpoints while another handle writes", sharedWhole},
	{"a lease made by one handle is good for another", sharedPasses},
}

func sharedReads(e *env) {
	other := e.again()
	l := e.midway()
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}))
	e.equal(other.dump("t", "t|1.0"), e.dump("t", "t|1.0"))
	e.steps(l, "t", 2, 2)
	e.equal(other.load("t", -1).Step, 2)
	e.equal(e.again().dump("t", "t|1.0"), e.dump("t", "t|1.0"))
	e.release(l, graph.StatusDone)
	e.must(other.store.Delete(e.Context(), "t"))
	e.gone("t", -1)
}

func sharedLease(e *env) {
	other := e.again()
	l := e.begin("t", first()...)
	other.busy("t", self(e.T))
	e.refused(other.store.Delete(e.Context(), "t"), graph.ErrBusy)
	_, err := other.store.Begin(e.Context(), "t", claim(elsewhere), checkpoint(0))
	e.refused(err, graph.ErrThreadExists)
	e.release(l, graph.StatusPaused)
	other.acquire("t", self(e.T))
	e.busy("t", elsewhere)
}

func sharedFence(e *env) {
	other := e.again()
	old := e.midway()
	e.clock.pass(ttl)
	l := other.acquire("t", self(e.T))
	e.fenced(old)
	other.steps(l, "t", 2, 2)
	e.fenced(old)
}

func sharedWrites(e *env) {
	const steps = 30
	var wg sync.WaitGroup
	errs := make([]error, 3)
	handles := []*env{e, e.again(), e.again()}
	for i, h := range handles {
		l := h.begin(fmt.Sprint("t", i), first()...)
		wg.Go(func() {
			for n := 1; n <= steps && errs[i] == nil; n++ {
				errs[i] = h.store.PutTasks(h.Context(), l, l.Thread, n-1, []graph.TaskRow{done(0, `1`)})
				if errs[i] == nil {
					errs[i] = h.store.Commit(h.Context(), l, l.Thread, step(n))
				}
			}
		})
	}
	wg.Wait()
	e.equal(e.count(errs, nil), len(handles))
	for i := range handles {
		e.folds(fmt.Sprint("t", i), steps+1)
	}
}

func sharedWhole(e *env) {
	const steps = 100
	l, other := e.begin("t", first()...), e.again()
	written := make(chan struct{})
	go func() {
		defer close(written)
		for n := 1; n <= steps; n++ {
			if err := e.store.Commit(e.Context(), l, "t", step(n)); err != nil {
				e.Error(err)
				return
			}
		}
	}()
	for open := true; open; {
		select {
		case <-written:
			open = false
		default:
		}
		got := other.load("t", -1)
		e.equal(got.Checkpoint.Step, got.Step)
		rows := []graph.FieldRow{whole("log", 0, `["s0"]`)}
		for n := 1; n <= got.Step; n++ {
			rows = append(rows, step(n).Fields[1])
		}
		rows = append(rows, whole("n", got.Step, fmt.Sprint(got.Step)))
		e.equal(got.Checkpoint.Fields, rows)
	}
	e.equal(e.load("t", -1).Step, steps)
}

func sharedPasses(e *env) {
	l := e.begin("t", first()...)
	e.again().steps(l, "t", 1, 1)
	e.steps(l, "t", 2, 2)
	e.again().release(l, graph.StatusDone)
	e.equal(e.load("t", -1).Status, graph.StatusDone)
}

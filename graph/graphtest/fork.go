package graphtest

import (
	"context"
	"fmt"

	"github.com/repomind/repomind/graph"
)

var forkTests = tests{
	{"a fork at any step goes on as the thread did, which stays as it was", forkEverywhere},
	{"a fork asks again what its thread was asked", forkAsksAgain},
	{"a fork takes a changed state along", forkUpdate},
	{"forks stay whole when their thread is deleted", forkDelete},
	{"a pruned thread can be forked at what is left", forkPruned},
}

// journey is a graph with every kind of step.
func journey(c *calls) *graph.Graph[work] {
	child := newGraph("child")
	child.Node("in1", c.logs("in1"))
	child.Node("in2", c.logs("in2"))
	line(child, "in1", "in2")

	g := newGraph("journey")
	g.Node("plan", func(context.Context, work) (update, error) {
		return update{note.Set(text('p', 3000)), log.Set([]string{"plan", text('l', 600)})}, nil
	})
	read := graph.Task(g, "read", func(_ context.Context, i int) (update, error) {
		return update{number.Set(i), log.Set([]string{fmt.Sprint("read", i)})}, nil
	})
	g.Node("merge", func(_ context.Context, s work) (update, error) {
		return update{log.Reset([]string{fmt.Sprint("merged ", len(s.Log))})}, nil
	})
	g.Node("count", func(_ context.Context, s work) (update, error) {
		return update{number.Set(10), log.Set([]string{fmt.Sprint("count ", s.N)})}, nil
	}, graph.MaxVisits(3))
	graph.Sub(g, "sub", child, toNote, toLogOnly)
	g.Node("gate", c.asks("gate"))
	g.Node("report", c.logs("report"))

	g.Edge(graph.Begin, "plan")
	g.Fan("plan", func(work) []graph.Send[work] { return []graph.Send[work]{read.Send(1), read.Send(2), read.Send(3)} }, "merge", read)
	g.Edge("merge", "count")
	g.Branch("count", func(s work) string {
		if s.N < 36 {
			return "count"
		}
		return "sub"
	}, "count", "sub")
	g.Edge("sub", "gate")
	g.Edge("gate", "report")
	g.Edge("report", graph.End)
	return g
}

var journeyEnd = work{
	N: 36, OK: true, Note: text('p', 3000),
	Log: []string{"merged 5", "count 6", "count 16", "count 26", "in1", "in2", "gate true", "report"},
}

const journeySteps = 9 // plan, read, merge, 3 x count, sub, gate, report

// trail is what a thread went through from a step on.
type trail struct {
	Step  int
	State work
	Next  []string
}

func (e *env) trail(app *graph.App[work], thread string, from int) (all []trail) {
	e.Helper()
	for s, err := range app.History(e.Context(), thread) {
		e.must(err)
		if s.Step >= from {
			all = append(all, trail{s.Step, s.State, s.Next})
		}
	}
	return all
}

// recorded runs the journey to its end.
func (e *env) recorded() *graph.App[work] {
	e.Helper()
	app := compile(e, journey(&calls{}))
	e.equal(finish(e, app, "t", graph.Start(work{})), journeyEnd)
	e.equal(state(e, app, "t").Step, journeySteps)
	return app
}

func forkEverywhere(e *env) {
	app := e.recorded()
	before := e.dump("t")
	for n := range journeySteps + 1 {
		to := fmt.Sprint("fork", n)
		e.must(app.Fork(e.Context(), "t", n, to, nil))
		want := e.trail(app, "t", n)
		e.equal(e.trail(app, to, 0), want[:1])
		e.equal(finish(e, app, to, graph.Continue[work]()), journeyEnd)
		e.equal(e.trail(app, to, 0), want)
		if state(e, app, to).Run == state(e, app, "t").Run {
			e.Errorf("%s has the run of its thread", to)
		}
	}
	e.equal(e.dump("t"), before)
}

func forkAsksAgain(e *env) {
	app := e.recorded()
	e.must(app.Fork(e.Context(), "t", 7, "fork", nil))
	e.equal(state(e, app, "fork").Answers, []graph.AnswerRow{})
	p := pauses(e, app, "fork", graph.Continue[work]())
	answers := state(e, app, "t").Answers
	if len(answers) != 1 {
		e.Fatalf("the thread has %d answers, want 1", len(answers))
	}
	_, err := app.Run(e.Context(), "fork", yes(graph.Pause{ID: answers[0].ID}))
	e.refused(err, graph.ErrUnknownInterrupt)
	s, err := app.Run(e.Context(), "fork", graph.Resume[work](graph.AnswerTo(p[0].ID, false, "bob")))
	e.must(err)
	e.equal(s.OK, false)
	e.equal(state(e, app, "t").State.OK, true)
}

func forkUpdate(e *env) {
	app := e.recorded()
	before := e.dump("t")
	u := update{note.Set("changed"), log.Reset([]string{"begun anew"}), number.Reset(36)}
	e.must(app.Fork(e.Context(), "t", 3, "fork", u)) // count is next
	s := finish(e, app, "fork", graph.Continue[work]())
	e.equal(s, work{N: 46, OK: true, Note: "changed", Log: []string{"begun anew", "count 36", "in1", "in2", "gate true", "report"}})
	e.equal(e.dump("t"), before)
	e.refused(app.Fork(e.Context(), "t", 3, "fork", nil), graph.ErrThreadExists)
	e.refused(app.Fork(e.Context(), "t", 99, "other", nil), graph.ErrNoThread)
}

func forkDelete(e *env) {
	app := e.recorded()
	for n := range journeySteps + 1 {
		e.must(app.Fork(e.Context(), "t", n, fmt.Sprint("fork", n), nil))
	}
	finish(e, app, "fork9", graph.Continue[work]())
	before := e.dump("fork0", "fork1", "fork5", "fork9")
	e.must(e.store.Delete(e.Context(), "t"))
	e.gone("t", -1)
	e.equal(e.dump("fork0", "fork1", "fork5", "fork9"), before)
	for n := range journeySteps + 1 {
		e.equal(finish(e, app, fmt.Sprint("fork", n), graph.Continue[work]()), journeyEnd)
	}
}

func forkPruned(e *env) {
	app := e.recorded()
	e.prune(graph.Retention{Thread: "t", Steps: 4}, 0, journeySteps+1-4)
	for n := journeySteps - 3; n <= journeySteps; n++ {
		to := fmt.Sprint("fork", n)
		e.must(app.Fork(e.Context(), "t", n, to, nil))
		e.equal(finish(e, app, to, graph.Continue[work]()), journeyEnd)
	}
	e.refused(app.Fork(e.Context(), "t", 2, "gone", nil), graph.ErrNoThread)
}

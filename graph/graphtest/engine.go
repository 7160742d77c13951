package graphtest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/repomind/repomind/graph"
)

var engineTests = tests{
	{"a paused run goes on with the answer, on another handle", enginePause},
	{"branches wait each for its own answer", engineBranches},
	{"branches that had finished are not run again after one failed", engineFailure},
	{"what Once returned is kept over a pause", engineOnce},
	{"1,000 branches are all kept and joined once", engineFan},
	{"a run that lost its lease ends and leaves no trace", engineSuperseded},
	{"a reused thread does not know the questions of the old one", engineReuse},
	{"a run that goes on is running", engineRunning},
	{"attempts that end the process are counted, in a run that goes on too", engineAttempts},
}

func enginePause(e *env) {
	var c calls
	g := newGraph("pause")
	g.Node("plan", c.logs("plan"))
	g.Node("gate", c.asks("gate"))
	g.Node("report", c.logs("report"))
	line(g, "plan", "gate", "report")
	app := compile(e, g)
	p := pauses(e, app, "t", graph.Start(work{Note: text('x', 2000)}))
	e.equal(state(e, app, "t").Pauses, p)
	e.equal(state(e, app, "t").Status, graph.StatusPaused)

	app = compile(e.again(), g)
	e.equal(pauses(e, app, "t", graph.Continue[work]()), p)
	e.must(app.Answer(e.Context(), "t", graph.AnswerTo(p[0].ID, true, "alice")))
	s, err := app.Run(e.Context(), "t", graph.Continue[work]())
	e.must(err)
	e.equal(s, work{Note: text('x', 2000), OK: true, Log: []string{"plan", "gate true", "report"}})
	e.equal(c.String(), "gate=2 plan=1 report=1")
	got := state(e, app, "t")
	e.equal(got.State, s)
	e.equal(got.Status, graph.StatusDone)
	e.equal(got.Answers, []graph.AnswerRow{{
		ID: p[0].ID, Node: "gate", Key: "approve", Value: []byte(`true`), Who: "alice", At: epoch, Shown: p[0].Shown,
	}})
	_, err = app.Run(e.Context(), "t", graph.Resume[work](graph.AnswerTo(p[0].ID, true, "alice")))
	e.refused(err, graph.ErrAlreadyAnswered)
}

// fanned is a graph whose node "plan" sends tasks for 0 to n-1, with the join "merge".
func fanned(c *calls, n int, fn func(context.Context, int) (update, error)) *graph.Graph[work] {
	g := newGraph("fan")
	g.Node("plan", c.logs("plan"))
	g.Node("merge", c.logs("merge"))
	read := graph.Task(g, "read", fn)
	g.Edge(graph.Begin, "plan")
	g.Fan("plan", func(work) (sends []graph.Send[work]) {
		for i := range n {
			sends = append(sends, read.Send(i))
		}
		return sends
	}, "merge", read)
	g.Edge("merge", graph.End)
	return g
}

func engineBranches(e *env) {
	var c calls
	g := fanned(&c, 3, func(ctx context.Context, i int) (update, error) {
		c.add(fmt.Sprint("read", i))
		yes, err := graph.Interrupt[bool](ctx, "approve", i)
		return update{log.Set([]string{fmt.Sprint(i, " ", yes)})}, err
	})
	p := pauses(e, compile(e, g), "t", graph.Start(work{}))
	e.equal(len(p), 3)
	e.equal(pauses(e, compile(e.again(), g), "t", yes(p[1])), []graph.Pause{p[0], p[2]})
	e.equal(c.String(), "plan=1 read0=1 read1=2 read2=1")
	e.equal(pauses(e, compile(e.again(), g), "t", yes(p[2])), []graph.Pause{p[0]})
	s, err := compile(e.again(), g).Run(e.Context(), "t", yes(p[0]))
	e.must(err)
	e.equal(s.Log, []string{"plan", "0 true", "1 true", "2 true", "merge"})
	e.equal(c.String(), "merge=1 plan=1 read0=2 read1=2 read2=2")
}

func engineFailure(e *env) {
	var c calls
	g := fanned(&c, 5, func(_ context.Context, i int) (update, error) {
		if c.add(fmt.Sprint("read", i)) == 1 && i == 2 {
			return nil, errors.New("no answer")
		}
		return update{log.Set([]string{fmt.Sprint(i)})}, nil
	})
	_, err := compile(e, g).Run(e.Context(), "t", graph.Start(work{}), graph.Concurrency(1))
	if err == nil || !strings.Contains(err.Error(), "read[2] (step 1): no answer") {
		e.Fatalf("got error %v", err)
	}
	got := state(e, compile(e, g), "t")
	e.equal(got.Status, graph.StatusFailed)
	e.equal(got.Failed, []string{"read[2] (step 1): no answer"})
	e.equal(c.String(), "plan=1 read0=1 read1=1 read2=1")

	s, err := compile(e.again(), g).Run(e.Context(), "t", graph.Continue[work]())
	e.must(err)
	e.equal(s.Log, []string{"plan", "0", "1", "2", "3", "4", "merge"})
	e.equal(c.String(), "merge=1 plan=1 read0=1 read1=1 read2=2 read3=1 read4=1")
}

func engineOnce(e *env) {
	var c calls
	g := newGraph("once")
	g.Node("gate", func(ctx context.Context, _ work) (update, error) {
		n, err := graph.Once(ctx, "draw", func(context.Context) (int, error) { return 100 + c.add("draw"), nil })
		if err != nil {
			return nil, err
		}
		c.add("gate")
		yes, err := graph.Interrupt[bool](ctx, "approve", n)
		return update{number.Set(n), ok.Set(yes)}, err
	})
	line(g, "gate")
	p := pauses(e, compile(e, g), "t", graph.Start(work{}))
	e.equal(string(p[0].Payload), "101")
	s, err := compile(e.again(), g).Run(e.Context(), "t", yes(p[0]))
	e.must(err)
	e.equal(s, work{N: 101, OK: true})
	e.equal(c.String(), "draw=1 gate=2")
}

func engineFan(e *env) {
	var c calls
	want := []string{"plan"}
	for i := range 1000 {
		want = append(want, fmt.Sprint(i))
	}
	g := fanned(&c, 1000, func(ctx context.Context, i int) (update, error) {
		return update{log.Set([]string{fmt.Sprint(i)}), number.Set(1)}, nil
	})
	s, err := compile(e, g).Run(e.Context(), "t", graph.Start(work{}), graph.Concurrency(64))
	e.must(err)
	e.equal(s, work{N: 1000, Log: append(want, "merge")})
	e.equal(c.String(), "merge=1 plan=1")
	e.equal(state(e, compile(e.again(), g), "t").State, s)
}

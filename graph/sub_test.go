package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/repomind/repomind/graph"
)

// deep is a graph in a graph in a graph; each node counts, logs, and may ask.
func deep(ran *tally, ask bool) *graph.Graph[plan] {
	node := func(name string) graph.Node[plan] {
		return func(ctx context.Context, _ plan) (planUpdate, error) {
			if ask {
				if _, err := graph.Interrupt[bool](ctx, name, name); err != nil {
					return nil, err
				}
			}
			ran.add(name)
			return logs(name), nil
		}
	}
	inner := lineOf(node("x"), node("y"))
	middle := newPlan()
	sub := graph.SubTask(middle, "inner", inner, func(i int) plan { ran.add("in"); return plan{Text: fmt.Sprint(i)} },
		func(s plan) planUpdate { return logs(s.Text+s.Log[0], s.Text+s.Log[1]) })
	middle.Node("m", node("m"))
	middle.Edge(graph.Begin, "m")
	middle.Fan("m", numbered(2, sub.Send), graph.End, sub)
	g := newPlan()
	g.Node("a", node("a"))
	graph.Sub(g, "middle", middle, func(plan) plan { ran.add("in"); return plan{} }, func(s plan) planUpdate { return logs(s.Log...) })
	g.Node("b", node("b"))
	g.Edge(graph.Begin, "a")
	g.Edge("a", "middle")
	g.Edge("middle", "b")
	g.Edge("b", graph.End)
	return g
}

var deepLog = []string{"a", "m", "0x", "0y", "1x", "1y", "b"}

// Of https://github.com/langchain-ai/langgraph/issues/4796 and
// https://github.com/langchain-ai/langgraphjs/issues/1552: a resumed sub-graph
// began anew.
func TestSubGraphGoesOnWhereItPaused(t *testing.T) {
	var ran tally
	store := graph.NewMemory()
	s, err := ready(t, deep(&ran, true), graph.Config{Store: store}).Run(t.Context(), "t", graph.Start(plan{}))
	var asked []string
	for err != nil {
		open := questions(t, err)
		for _, p := range open {
			asked = append(asked, p.Key)
		}
		last := open[len(open)-1]
		s, err = ready(t, deep(&ran, true), graph.Config{Store: store}).Run(t.Context(), "t", graph.Resume[plan](answer(true, "alice", last.ID)...))
	}
	same(t, "log", s.Log, deepLog)
	// of the two inner graphs, the last question is answered first
	same(t, "asked", asked, []string{"a", "m", "x", "x", "x", "y", "x", "y", "b"})
	ran.want(t, map[string]int{"a": 1, "m": 1, "x": 2, "y": 2, "b": 1, "in": 3})
}

func TestSubGraphKilledAtAnyCallGoesOn(t *testing.T) {
	for kill := 1; ; kill++ {
		for _, made := range []bool{false, true} {
			var ran tally
			h := newHost()
			s, err := ready(t, deep(&ran, false), graph.Config{Store: h.process(kill, made), Concurrency: 1}).Run(t.Context(), "t", graph.Start(plan{}))
			if err == nil {
				if same(t, "log", s.Log, deepLog); kill < 16 {
					t.Errorf("only %d calls were hit", kill)
				}
				return
			}
			wantErr(t, err, errKilled)
			in := graph.Continue[plan]()
			if kill == 1 && !made {
				in = graph.Start(plan{})
			}
			s, err = ready(t, deep(&ran, false), graph.Config{Store: h.process(immortal, false)}).Run(t.Context(), "t", in)
			wantErr(t, err, nil)
			same(t, "log", s.Log, deepLog)
			again := 0
			for name, n := range ran.seen() {
				again += n - map[string]int{"a": 1, "m": 1, "x": 2, "y": 2, "b": 1, "in": 3}[name]
			}
			if again > 1 { // the node or the in at whose record the process was killed
				t.Errorf("killed at call %d, %d functions ran again: %v", kill, again, ran.seen())
			}
		}
	}
}

func TestSubGraphGoesOnWhereItFailed(t *testing.T) {
	for _, retried := range []bool{false, true} {
		var ran tally
		inner := lineOf(
			func(context.Context, plan) (planUpdate, error) { ran.add("a"); return logs("a"), nil },
			func(context.Context, plan) (planUpdate, error) {
				if ran.add("b") == 1 {
					return nil, errors.New("down")
				}
				return logs("b"), nil
			})
		g := newPlan()
		var o []graph.NodeOption
		if retried {
			o = append(o, graph.Retry(graph.Policy{BackOff: noWait}))
		}
		graph.Sub(g, "sub", inner, func(plan) plan { ran.add("in"); return plan{} },
			func(s plan) planUpdate { ran.add("out"); return logs(s.Log...) }, o...)
		g.Edge(graph.Begin, "sub")
		g.Edge("sub", graph.End)
		app := ready(t, g, graph.Config{Store: graph.NewMemory()})
		s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		if !retried {
			failure, _ := errors.AsType[*graph.NodeError](err)
			same(t, "failed", failure.Task, "sub")
			wantText(t, err, "sub (step 0): b (step 1): down")
			s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
		}
		wantErr(t, err, nil)
		same(t, "log", s.Log, []string{"a", "b"})
		ran.want(t, map[string]int{"in": 1, "a": 1, "b": 2, "out": 1})
	}
}

func TestFinishedSubThreadsAreRemoved(t *testing.T) {
	var ran tally
	store := graph.NewMemory()
	_, err := ready(t, deep(&ran, false), graph.Config{Store: store}).Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	for _, thread := range []string{"t|1.0", "t|1.0|1.0", "t|1.0|1.1"} {
		_, err := store.Load(t.Context(), thread, -1)
		wantErr(t, err, graph.ErrNoThread)
	}
}

func TestSubGraphInALoopBeginsAnewEachTime(t *testing.T) {
	for _, store := range []graph.Checkpointer{nil, graph.NewMemory()} {
		g := newPlan()
		graph.Sub(g, "sub", loop(3, graph.MaxVisits(3)), func(s plan) plan { return plan{} },
			func(s plan) planUpdate { return planUpdate{planTotal.Set(s.Total)} }, graph.MaxVisits(4))
		g.Edge(graph.Begin, "sub")
		g.Branch("sub", func(s plan) string { return map[bool]string{true: "sub", false: graph.End}[s.Total < 12] }, "sub", graph.End)
		s, err := ready(t, g, graph.Config{Store: store, MaxSteps: 4}).Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, nil)
		same(t, "total", s.Total, 12)
	}
}

func TestStepLimitOfASubGraphCanBeRaised(t *testing.T) {
	app := ready(t, inSub(lineOf(logNode("1"), logNode("2"), logNode("3"))), graph.Config{Store: graph.NewMemory(), MaxSteps: 2})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, graph.ErrStepLimit)
	wantText(t, err, `thread "t|0.0" made 2 steps`)
	s, err := app.Run(t.Context(), "t", graph.Continue[plan](), graph.MaxSteps(3))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"1", "2", "3"})
}

// A question stays open, and can be answered, when a sibling fails.
func TestQuestionBesideAFailureCanBeAnswered(t *testing.T) {
	for _, nested := range []bool{false, true} {
		t.Run(fmt.Sprint("nested ", nested), func(t *testing.T) {
			down := true
			g := fanOf(2, func(ctx context.Context, i int) (planUpdate, error) {
				if i == 0 {
					return asks("q", "?")(ctx, plan{})
				}
				if down {
					return nil, errors.New("down")
				}
				return logPart(1), nil
			})
			if nested {
				g = inSub(g)
			}
			app := ready(t, g, graph.Config{Store: graph.NewMemory(), Concurrency: 1})
			_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
			wantText(t, err, "part[1] (step 0): down")
			s := wantStatus(t, app, "t", graph.StatusFailed)
			if len(s.Pauses) != 1 {
				t.Fatalf("open are %v", s.Pauses)
			}
			wantErr(t, app.Answer(t.Context(), "t", answer("yes", "alice", s.Pauses[0].ID)...), nil)
			down = false
			last, err := app.Run(t.Context(), "t", graph.Continue[plan]())
			wantErr(t, err, nil)
			same(t, "log", last.Log, []string{"q: yes", "part 1"})
		})
	}
}

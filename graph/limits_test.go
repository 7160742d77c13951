package graph_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/repomind/repomind/graph"
)

// loop runs a node until the total is n.
func loop(n int, o ...graph.NodeOption) *graph.Graph[plan] {
	g := newPlan()
	g.Node("turn", func(context.Context, plan) (planUpdate, error) { return planUpdate{planTotal.Set(1)}, nil }, o...)
	g.Edge(graph.Begin, "turn")
	g.Branch("turn", func(s plan) string {
		if s.Total < n {
			return "turn"
		}
		return graph.End
	}, "turn", graph.End)
	return g
}

// https://github.com/snap-stanford/Biomni/pull/329 and
// https://github.com/langchain-ai/langgraph/issues/5548: a limit of steps was off
// by one, and threw the work away.
func TestStepLimitAllowsExactlyThatMany(t *testing.T) {
	app := ready(t, loop(10, graph.MaxVisits(1000)), graph.Config{Store: graph.NewMemory(), MaxSteps: 10})
	s, err := app.Run(t.Context(), "enough", graph.Start(plan{}))
	wantErr(t, err, nil)
	same(t, "total", s.Total, 10)

	s, err = app.Run(t.Context(), "t", graph.Start(plan{}), graph.MaxSteps(9))
	wantErr(t, err, graph.ErrStepLimit)
	wantText(t, err, `thread "t" made 9 steps; Continue with a higher MaxSteps`)
	same(t, "total", s.Total, 9)
	same(t, "stored", wantStatus(t, app, "t", graph.StatusFailed).State.Total, 9)
	s, err = app.Run(t.Context(), "t", graph.Continue[plan](), graph.MaxSteps(9))
	wantErr(t, err, graph.ErrStepLimit)
	same(t, "total", s.Total, 9)
	s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
	wantErr(t, err, nil)
	same(t, "total", s.Total, 10)
}

func TestStepLimitIsAHundredUnlessSaid(t *testing.T) {
	app := ready(t, loop(101, graph.MaxVisits(1000)), graph.Config{})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, graph.ErrStepLimit)
	same(t, "total", s.Total, 100)
	for _, o := range []graph.RunOption{graph.MaxSteps(-1), graph.Concurrency(-1)} {
		if _, err := app.Run(t.Context(), "t", graph.Start(plan{}), o); err == nil {
			t.Error("a negative limit is taken")
		}
	}
}

func TestVisitLimitAllowsExactlyThatMany(t *testing.T) {
	for _, nested := range []bool{false, true} {
		t.Run(fmt.Sprint("nested ", nested), func(t *testing.T) {
			g := loop(5, graph.MaxVisits(3))
			if nested {
				outer := newPlan()
				graph.Sub(outer, "sub", g, func(s plan) plan { return s }, func(s plan) planUpdate { return planUpdate{planTotal.Set(s.Total)} })
				outer.Edge(graph.Begin, "sub")
				outer.Edge("sub", graph.End)
				g = outer
			}
			app := ready(t, g, graph.Config{Store: graph.NewMemory()})
			_, err := app.Run(t.Context(), "enough", graph.Start(plan{}), graph.VisitLimit("turn", 5))
			wantErr(t, err, nil)
			for _, in := range []graph.Input[plan]{graph.Start(plan{}), graph.Continue[plan]()} {
				_, err = app.Run(t.Context(), "t", in)
				wantErr(t, err, graph.ErrVisitLimit)
				wantText(t, err, `ran "turn" 3 times; Continue with a higher VisitLimit`)
			}
			_, err = app.Run(t.Context(), "t", graph.Continue[plan](), graph.VisitLimit("turn", 4))
			wantErr(t, err, graph.ErrVisitLimit)
			s, err := app.Run(t.Context(), "t", graph.Continue[plan](), graph.VisitLimit("turn", 5))
			wantErr(t, err, nil)
			same(t, "total", s.Total, 5)
		})
	}
	app := ready(t, loop(5, graph.MaxVisits(3)), graph.Config{})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}), graph.VisitLimit("trun", 4))
	wantText(t, err, `VisitLimit("trun", 4)`, "turn")
}

func TestManySendsAreOneVisit(t *testing.T) {
	app := ready(t, fanOf(50, func(_ context.Context, i int) (planUpdate, error) { return logPart(i), nil }, graph.MaxVisits(1)), graph.Config{})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	same(t, "log", s.Log, partsLog(50))
}

// https://github.com/langchain-ai/langgraph/issues/7094 and
// https://github.com/langchain-ai/langgraph/issues/3898: memory grew with steps.
func TestLongLoopTakesNoMemory(t *testing.T) {
	const steps = 100_000
	var heaps []uint64
	g := newPlan()
	g.Node("turn", func(_ context.Context, s plan) (planUpdate, error) {
		if s.Total%(steps/10) == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heaps = append(heaps, m.HeapAlloc)
		}
		return planUpdate{planTotal.Set(1), planText.Set(fmt.Sprint("turn ", s.Total))}, nil
	}, graph.MaxVisits(steps))
	g.Edge(graph.Begin, "turn")
	g.Branch("turn", func(s plan) string {
		if s.Total < steps {
			return "turn"
		}
		return graph.End
	}, "turn", graph.End)
	s, err := ready(t, g, graph.Config{MaxSteps: steps}).Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	same(t, "total", s.Total, steps)
	for i, heap := range heaps {
		if heap > heaps[0]+10<<20 {
			t.Errorf("heap after %d steps is %d, at first %d", i*steps/10, heap, heaps[0])
		}
	}
	if len(heaps) != 10 {
		t.Errorf("%d measurements", len(heaps))
	}
}

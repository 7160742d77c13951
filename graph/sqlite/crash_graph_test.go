//go:build linux

package sqlite_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/cenkalti/backoff/v4"

	"github.com/repomind/repomind/graph"
)

// trip is the state of the graph that is killed. It holds nothing that may differ
// from run to run.
type trip struct {
	Count  int
	Found  []string
	Joined int
	Seen   []int // what each join found
	Said   string
}

var (
	tripCount  = graph.Reduce("count", func(s *trip) *int { return &s.Count }, sum)
	tripFound  = graph.Append("found", func(s *trip) *[]string { return &s.Found })
	tripJoined = graph.Reduce("joined", func(s *trip) *int { return &s.Joined }, sum)
	tripSeen   = graph.Append("seen", func(s *trip) *[]int { return &s.Seen })
	tripSaid   = graph.Last("said", func(s *trip) *string { return &s.Said })
)

func sum(a, b int) int { return a + b }

// arrived is the state at the end of every trip, however often it was killed.
var arrived = trip{Count: 2, Found: []string{"leaf 0", "leaf 1", "leaf 2: yes", "leaf 3", "dug 2: yes"},
	Joined: 1, Seen: []int{5}, Said: "yes"}

// tripEffects are the effects that a trip has in the world, each once.
var tripEffects = []string{"ask", "dig 1", "dig 2", "flaky", "leaf 0", "leaf 1", "leaf 2", "leaf 3"}

// tripGraph is a loop, a fan with a question in a branch and another in a
// sub-graph with a loop of its own, a join, a question, and a node that fails at
// first. All but the loop and the join have effects.
func tripGraph(w *world) *graph.Graph[trip] {
	g := graph.New("trip", tripCount, tripFound, tripJoined, tripSeen, tripSaid)
	g.Node("count", func(ctx context.Context, _ trip) (graph.Update[trip], error) {
		w.enter(ctx, "count")
		return graph.Update[trip]{tripCount.Set(1)}, nil
	}, graph.MaxVisits(2))
	leaf := graph.Task(g, "leaf", func(ctx context.Context, i int) (graph.Update[trip], error) {
		name := fmt.Sprint("leaf ", i)
		w.enter(ctx, name)
		if err := w.effect(ctx, name); err != nil || i != 2 {
			return graph.Update[trip]{tripFound.Set([]string{name})}, err
		}
		yes, err := graph.Interrupt[string](ctx, "sure", name)
		return graph.Update[trip]{tripFound.Set([]string{name + ": " + yes})}, err
	})
	deep := graph.SubTask(g, "deep", digGraph(w), func(depth int) dig { return dig{Goal: depth} },
		func(d dig) graph.Update[trip] {
			return graph.Update[trip]{tripFound.Set([]string{fmt.Sprintf("dug %d: %s", d.Depth, d.Said)})}
		})
	g.Node("join", func(ctx context.Context, s trip) (graph.Update[trip], error) {
		w.enter(ctx, "join")
		return graph.Update[trip]{tripJoined.Set(1), tripSeen.Set([]int{len(s.Found)})}, nil
	})
	g.Node("ask", func(ctx context.Context, s trip) (graph.Update[trip], error) {
		w.enter(ctx, "ask")
		if err := w.effect(ctx, "ask"); err != nil {
			return nil, err
		}
		yes, err := graph.Interrupt[string](ctx, "go on", s.Found)
		return graph.Update[trip]{tripSaid.Set(yes)}, err
	})
	g.Node("flaky", func(ctx context.Context, _ trip) (graph.Update[trip], error) {
		w.enter(ctx, "flaky")
		if err := w.effect(ctx, "flaky"); err != nil || graph.Info(ctx).Attempt > 1 {
			return nil, err
		}
		return nil, errors.New("not at the first attempt")
	}, graph.Retry(graph.Policy{Attempts: 1000, BackOff: func() backoff.BackOff { return &backoff.ZeroBackOff{} }}))

	g.Edge(graph.Begin, "count")
	g.Branch("count", func(s trip) string {
		if s.Count < 2 {
			return "count"
		}
		return "plan"
	}, "count", "plan")
	g.Node("plan", func(context.Context, trip) (graph.Update[trip], error) { return nil, nil })
	g.Fan("plan", func(trip) []graph.Send[trip] {
		return []graph.Send[trip]{leaf.Send(0), leaf.Send(1), leaf.Send(2), leaf.Send(3), deep.Send(2)}
	}, "join", leaf, deep)
	g.Edge("join", "ask")
	g.Edge("ask", "flaky")
	g.Edge("flaky", graph.End)
	return g
}

// dig is the state of the sub-graph.
type dig struct {
	Goal, Depth int
	Said        string
}

var (
	digGoal  = graph.Last("goal", func(s *dig) *int { return &s.Goal })
	digDepth = graph.Reduce("depth", func(s *dig) *int { return &s.Depth }, sum)
	digSaid  = graph.Last("said", func(s *dig) *string { return &s.Said })
)

func digGraph(w *world) *graph.Graph[dig] {
	g := graph.New("dig", digGoal, digDepth, digSaid)
	g.Node("dig", func(ctx context.Context, s dig) (graph.Update[dig], error) {
		name := fmt.Sprint("dig ", s.Depth+1)
		w.enter(ctx, name)
		return graph.Update[dig]{digDepth.Set(1)}, w.effect(ctx, name)
	}, graph.MaxVisits(2))
	g.Node("show", func(ctx context.Context, s dig) (graph.Update[dig], error) {
		w.enter(ctx, "show")
		yes, err := graph.Interrupt[string](ctx, "enough", s.Depth)
		return graph.Update[dig]{digSaid.Set(yes)}, err
	})
	g.Edge(graph.Begin, "dig")
	g.Branch("dig", func(s dig) string {
		if s.Depth < s.Goal {
			return "dig"
		}
		return "show"
	}, "dig", "show")
	g.Edge("show", graph.End)
	return g
}

// travel runs a thread to its end: it begins it or goes on with it, and answers
// one question at a time.
func travel(ctx context.Context, app *graph.App[trip], thread string) (trip, error) {
	in := graph.Continue[trip]()
	for {
		s, err := app.Run(ctx, thread, in)
		var p *graph.Paused
		switch {
		case errors.Is(err, graph.ErrNoThread):
			in = graph.Start(trip{})
		case errors.As(err, &p):
			in = graph.Resume[trip](graph.AnswerTo(p.Pauses[0].ID, "yes", "alice"))
		default:
			return s, err
		}
	}
}

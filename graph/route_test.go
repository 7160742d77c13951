package graph_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/repomind/repomind/graph"
)

// Of https://github.com/langchain-ai/langgraph/issues/6005 and
// https://github.com/langchain-ai/langgraph/issues/5979: branches of unequal
// length ran what follows them once for each length.
func TestJoinRunsOnceAfterTheLongestBranch(t *testing.T) {
	var joins tally
	g := newPlan()
	short := graph.Task(g, "short", func(context.Context, int) (planUpdate, error) { return logs("short"), nil })
	long := graph.SubTask(g, "long", lineOf(logNode("1"), logNode("2"), logNode("3")),
		func(int) plan { return plan{} }, func(s plan) planUpdate { return logs(s.Log...) })
	g.Node("join", func(_ context.Context, s plan) (planUpdate, error) {
		joins.add(fmt.Sprint(s.Log))
		return nil, nil
	})
	g.Fan(graph.Begin, func(plan) []graph.Send[plan] { return []graph.Send[plan]{long.Send(0), short.Send(0)} }, "join", short, long)
	g.Edge("join", graph.End)
	_, err := ready(t, g, graph.Config{}).Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	joins.want(t, map[string]int{"[1 2 3 short]": 1})
}

// https://github.com/langchain-ai/langgraphjs/issues/2666: a join with a branch
// that was skipped never ran.
func TestJoinWaitsForWhatWasSentOnly(t *testing.T) {
	for sent := range 4 {
		var joins tally
		g := newPlan()
		var tasks []graph.TaskRef[plan, string]
		for _, name := range []string{"grep", "rag", "git"} {
			tasks = append(tasks, graph.Task(g, name, func(_ context.Context, w string) (planUpdate, error) { return logs(name + " " + w), nil }))
		}
		g.Node("join", func(_ context.Context, s plan) (planUpdate, error) {
			joins.add(fmt.Sprint(s.Log))
			return nil, nil
		})
		g.Fan(graph.Begin, func(plan) (sends []graph.Send[plan]) {
			for _, task := range tasks[:sent] {
				sends = append(sends, task.Send("it"))
			}
			return sends
		}, "join", tasks[0], tasks[1], tasks[2])
		g.Edge("join", graph.End)
		_, err := ready(t, g, graph.Config{}).Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, nil)
		joins.want(t, map[string]int{fmt.Sprint([]string{"grep it", "rag it", "git it"}[:sent]): 1})
	}
}

// https://github.com/langchain-ai/langgraph/issues/5829 and
// https://github.com/langchain-ai/langgraph/issues/6166: an edge and a choice of
// one node both led on.
func TestNodeHasOneWayOut(t *testing.T) {
	g := lineOf(logNode("a"), logNode("b"))
	g.Branch("a", func(plan) string { return graph.End }, graph.End)
	_, err := g.Compile(graph.Config{})
	wantText(t, err, `two ways out of "a"; let one Branch or Fan decide`)
}

func TestUndeclaredTargetIsRefusedAndTheNodeNotRunAgain(t *testing.T) {
	var ran tally
	to := "elsewhere"
	g := newPlan()
	g.Node("a", func(context.Context, plan) (planUpdate, error) { ran.add("a"); return logs("a"), nil })
	declared := graph.Task(g, "declared", func(_ context.Context, i int) (planUpdate, error) { return logPart(i), nil })
	other := graph.Task(g, "other", func(_ context.Context, i int) (planUpdate, error) { return logPart(i), nil })
	g.Node("b", logNode("b"))
	g.Edge(graph.Begin, "a")
	g.Branch("a", func(plan) string { return to }, "b", graph.End)
	g.Fan("b", func(s plan) []graph.Send[plan] {
		if to == "b" {
			return []graph.Send[plan]{declared.Send(0), other.Send(1)}
		}
		return []graph.Send[plan]{declared.Send(0)}
	}, "c", declared)
	g.Node("c", logNode("c"))
	g.Fan("c", func(plan) []graph.Send[plan] { return []graph.Send[plan]{other.Send(1)} }, graph.End, other)
	app := ready(t, g, graph.Config{Store: graph.NewMemory()})

	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, graph.ErrNoTarget)
	wantText(t, err, `branch of "a"`, `it chose "elsewhere" of ["b" "(end)"]`)
	same(t, "state", s, plan{})
	to = "b"
	s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
	wantErr(t, err, graph.ErrNoTarget)
	wantText(t, err, `fan of "b"`, `it sent to "other", declared are ["declared"]`)
	same(t, "log", s.Log, []string{"a"})
	to = "there"
	s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"a", "b", "part 0", "c", "part 1"})
	ran.want(t, map[string]int{"a": 1})
}

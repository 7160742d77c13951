package graph_test

import (
	"context"
	"slices"
	"testing"

	"github.com/repomind/repomind/graph"
)

// https://github.com/langchain-ai/langgraph/issues/8314: a node changed the state
// it was given; siblings saw it, and a restored thread did not.
func TestNodeThatChangesItsInputIsFound(t *testing.T) {
	g := lineOf(logNode("a"), func(_ context.Context, s plan) (planUpdate, error) {
		s.Tags["seen"] = "b"
		return logs("b"), nil
	})
	for _, store := range []graph.Checkpointer{nil, graph.NewMemory()} {
		app := ready(t, g, graph.Config{Store: store, DetectMutation: true})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{Tags: map[string]string{"k": "v"}}))
		wantErr(t, err, graph.ErrMutated)
		wantText(t, err, `field "tags" in step 1, by b; copy it before changing it`)
		if store == nil {
			continue
		}
		s := wantStatus(t, app, "t", graph.StatusFailed)
		same(t, "stored", s.State, plan{Log: []string{"a"}, Tags: map[string]string{"k": "v"}})
		same(t, "next", s.Next, []string{"b"})
		_, err = app.Run(t.Context(), "t", graph.Continue[plan]())
		wantErr(t, err, graph.ErrMutated)
	}
}

func TestBranchThatChangesTheStateIsFound(t *testing.T) {
	for _, nested := range []bool{false, true} {
		g := newPlan()
		task := graph.Task(g, "part", func(_ context.Context, tags map[string]string) (planUpdate, error) {
			tags["seen"] = "part"
			return logs("part"), nil
		})
		g.Fan(graph.Begin, func(s plan) []graph.Send[plan] { return []graph.Send[plan]{task.Send(s.Tags)} }, graph.End, task)
		if nested {
			g = inSub(g)
		}
		app := ready(t, g, graph.Config{DetectMutation: true})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{Tags: map[string]string{"k": "v"}}))
		wantErr(t, err, graph.ErrMutated)
	}
}

func TestNodeThatOnlyReadsOrAppendsIsFine(t *testing.T) {
	g := lineOf(func(_ context.Context, s plan) (planUpdate, error) {
		s.Text, s.Log = "mine", append(s.Log, "mine")
		tags := map[string]string{"new": s.Tags["k"]}
		return planUpdate{planTags.Set(tags), planLog.Set([]string{"a"})}, nil
	}, func(_ context.Context, s plan) (planUpdate, error) {
		return logs(append(slices.Clone(s.Log), s.Tags["new"])...), nil
	})
	in := plan{Log: append(make([]string, 0, 8), "old"), Tags: map[string]string{"k": "v"}}
	s, err := ready(t, g, graph.Config{DetectMutation: true}).Run(t.Context(), "t", graph.Start(in))
	wantErr(t, err, nil)
	same(t, "state", s, plan{Log: []string{"old", "a", "old", "a", "v"}, Tags: map[string]string{"new": "v"}})
	same(t, "input", in, plan{Log: []string{"old"}, Tags: map[string]string{"k": "v"}})
	same(t, "room behind it", in.Log[:2][1], "")
}

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/repomind/repomind/graph"
)

// https://github.com/langchain-ai/langgraph/issues/2336: the work that led to the
// conflict was lost.
func TestConflictNamesBothTasksAndKeepsTheirWork(t *testing.T) {
	type board struct{ Best []string }
	best := graph.Last("best", func(s *board) *[]string { return &s.Best })
	every := graph.Append("best", func(s *board) *[]string { return &s.Best })
	var ran tally
	build := func(f *graph.Field[board, []string]) *graph.Graph[board] {
		g := graph.New("board", f)
		task := graph.Task(g, "try", func(_ context.Context, word string) (graph.Update[board], error) {
			ran.add(word)
			if word == "none" {
				return nil, nil
			}
			return graph.Update[board]{f.Set([]string{word})}, nil
		})
		g.Fan(graph.Begin, func(board) (sends []graph.Send[board]) {
			for _, word := range []string{"none", "x", "y"} {
				sends = append(sends, task.Send(word))
			}
			return sends
		}, graph.End, task)
		return g
	}
	for _, store := range []graph.Checkpointer{nil, graph.NewMemory()} {
		app := ready(t, build(best), graph.Config{Store: store})
		s, err := app.Run(t.Context(), "t", graph.Start(board{}))
		wantErr(t, err, graph.ErrConcurrentWrite)
		conflict, _ := errors.AsType[*graph.ConflictError](err)
		same(t, "conflict", *conflict, graph.ConflictError{Field: "best", Tasks: [2]string{"try[1]", "try[2]"}})
		wantText(t, err, `field "best" is written by try[1] and try[2]: `)
		same(t, "state", s, board{})
		if store == nil {
			continue
		}
		_, err = app.Run(t.Context(), "t", graph.Continue[board]())
		wantErr(t, err, graph.ErrConcurrentWrite)
		mended := build(every)
		mended.Migrate(app.Hash(), nil)
		s, err = ready(t, mended, graph.Config{Store: store}).Run(t.Context(), "t", graph.Continue[board]())
		wantErr(t, err, nil)
		same(t, "state", s, board{[]string{"x", "y"}})
	}
	ran.want(t, map[string]int{"none": 2, "x": 2, "y": 2}) // once in each of two runs
}

func TestLastIsWrittenOnceAStep(t *testing.T) {
	app := ready(t, lineOf(func(context.Context, plan) (planUpdate, error) {
		return planUpdate{planText.Set("x"), planText.Set("y")}, nil
	}), graph.Config{})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, graph.ErrConcurrentWrite)
	wantText(t, err, "written by a and a: write it once")
}

// https://github.com/langchain-ai/langgraph/issues/6446: a sub-graph gave back
// members that it had not changed, and two of them collided.
func TestSubGraphWritesOnlyWhatItsOutSays(t *testing.T) {
	g := newPlan()
	sub := graph.SubTask(g, "sub", lineOf(logNode("a")), func(i int) plan { return plan{Text: "kept", Log: []string{fmt.Sprint(i)}} },
		func(s plan) planUpdate { return logs(s.Log...) })
	g.Fan(graph.Begin, numbered(2, sub.Send), graph.End, sub)
	s, err := ready(t, g, graph.Config{}).Run(t.Context(), "t", graph.Start(plan{Text: "kept"}))
	wantErr(t, err, nil)
	same(t, "state", s, plan{Text: "kept", Log: []string{"0", "a", "1", "a"}})
}

// A retry that fans out anew starts from nothing, although the field appends.
func TestResetDropsTheFirstRound(t *testing.T) {
	for _, store := range []graph.Checkpointer{nil, graph.NewMemory()} {
		g := newPlan()
		g.Node("prepare", func(_ context.Context, s plan) (planUpdate, error) {
			return planUpdate{planLog.Reset(nil), planTotal.Set(1)}, nil
		})
		type review struct{ Round, Of int }
		task := graph.Task(g, "review", func(_ context.Context, r review) (planUpdate, error) {
			return logs(fmt.Sprint("round ", r.Round, " by ", r.Of)), nil
		})
		g.Node("judge", func(context.Context, plan) (planUpdate, error) { return nil, nil }, graph.MaxVisits(3))
		g.Edge(graph.Begin, "prepare")
		g.Fan("prepare", func(s plan) []graph.Send[plan] {
			return []graph.Send[plan]{task.Send(review{s.Total, 0}), task.Send(review{s.Total, 1})}
		}, "judge", task)
		g.Branch("judge", func(s plan) string {
			if s.Total < 3 {
				return "prepare"
			}
			return graph.End
		}, "prepare", graph.End)
		app := ready(t, g, graph.Config{Store: store})
		s, err := app.Run(t.Context(), "t", graph.Start(plan{Log: []string{"old"}}))
		wantErr(t, err, nil)
		want := plan{Total: 3, Log: []string{"round 3 by 0", "round 3 by 1"}}
		same(t, "state", s, want)
		if store != nil {
			same(t, "stored state", wantStatus(t, app, "t", graph.StatusDone).State, want)
		}
	}
}

func TestResetIsTheOnlyWriteOfItsStep(t *testing.T) {
	for _, reset := range []int{0, 1} {
		app := ready(t, fanOf(2, func(_ context.Context, i int) (planUpdate, error) {
			if i == reset {
				return planUpdate{planLog.Reset([]string{"new"}), planLog.Set([]string{"more"})}, nil
			}
			return logPart(i), nil
		}), graph.Config{})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		conflict, _ := errors.AsType[*graph.ConflictError](err)
		if conflict == nil {
			t.Fatal(err)
		}
		same(t, "conflict", *conflict, graph.ConflictError{Field: "log", Tasks: [2]string{"part[0]", "part[1]"}, Reset: true})
	}
	app := ready(t, lineOf(func(context.Context, plan) (planUpdate, error) {
		return planUpdate{planLog.Set([]string{"gone"}), planLog.Reset([]string{"new"}), planLog.Set([]string{"more"})}, nil
	}), graph.Config{Store: graph.NewMemory()})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{Log: []string{"old"}}))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"new", "more"})
	same(t, "stored log", wantStatus(t, app, "t", graph.StatusDone).State.Log, s.Log)
}

func TestListsOfRunsShareNoMemory(t *testing.T) {
	app := ready(t, fanOf(2, func(_ context.Context, i int) (planUpdate, error) { return logPart(i), nil }), graph.Config{})
	room := append(make([]string, 0, 10), "old")
	states := make([]plan, 2)
	for i := range states {
		var err error
		states[i], err = app.Run(t.Context(), "t", graph.Start(plan{Log: room}))
		wantErr(t, err, nil)
		states[i].Log = append(states[i].Log, fmt.Sprint("added to ", i))
	}
	for i := range states {
		same(t, "log", states[i].Log, []string{"old", "part 0", "part 1", fmt.Sprint("added to ", i)})
	}
	same(t, "room", room[:3], []string{"old", "", ""})
}

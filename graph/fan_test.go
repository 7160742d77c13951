package graph_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/repomind/repomind/graph"
)

// https://github.com/langchain-ai/langgraphjs/issues/2656 dropped all sends at a
// limit of 1.
func TestEverySendRunsOnceAndInOrder(t *testing.T) {
	for _, limit := range []int{1, 2, 64} {
		for _, store := range []graph.Checkpointer{nil, graph.NewMemory()} {
			t.Run(fmt.Sprintf("%d/%T", limit, store), func(t *testing.T) {
				var ran tally
				var atWork gauge
				g := fanOf(1000, func(_ context.Context, i int) (planUpdate, error) {
					defer atWork.enter()()
					for range i * 7 % 5 {
						runtime.Gosched()
					}
					ran.add(fmt.Sprint(i))
					return logPart(i), nil
				})
				app := ready(t, g, graph.Config{Store: store, Concurrency: limit})
				s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
				if err != nil {
					t.Fatal(err)
				}
				same(t, "state", s, plan{Text: "joined 1000;", Log: partsLog(1000)})
				once := map[string]int{}
				for i := range 1000 {
					once[fmt.Sprint(i)] = 1
				}
				ran.want(t, once)
				if most := atWork.most.Load(); most > int64(limit) {
					t.Errorf("%d nodes were at work at once", most)
				}
			})
		}
	}
}

// https://github.com/langchain-ai/langgraph/issues/8115 dropped the writes of
// tasks that finished together.
func TestBranchesThatFinishTogetherAreAllKept(t *testing.T) {
	memory := graph.NewMemory()
	failed := false
	store := &hooked{Checkpointer: memory, around: func(call string, do func() error) error {
		if call == "Commit" && !failed {
			failed = true
			return errKilled
		}
		return do()
	}}
	app := ready(t, fanOf(1000, func(_ context.Context, i int) (planUpdate, error) { return logPart(i), nil }),
		graph.Config{Store: store, Concurrency: 64})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, errKilled)
	rows := dump(t, memory, "t")[0].Tasks
	if len(rows) != 1000 {
		t.Fatalf("%d rows are kept", len(rows))
	}
	for i, row := range rows {
		if row.Index != i || row.State != graph.TaskDone {
			t.Fatalf("row %d is of task %d: %s", i, row.Index, row.State)
		}
	}
}

func TestNodesOfSubGraphsCountAgainstTheLimit(t *testing.T) {
	for _, limit := range []int{1, 2, 64} {
		synctest.Test(t, func(t *testing.T) {
			var atWork gauge
			g := newPlan()
			sub := graph.SubTask(g, "sub", fanOf(9, func(context.Context, int) (planUpdate, error) {
				defer atWork.enter()()
				time.Sleep(time.Second) // so that as many come together as may
				return nil, nil
			}), func(int) plan { return plan{} }, func(s plan) planUpdate { return logs(s.Text) })
			g.Fan(graph.Begin, numbered(10, sub.Send), graph.End, sub)
			app := ready(t, g, graph.Config{Store: graph.NewMemory(), Concurrency: limit})
			s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "log", s.Log, slices.Repeat([]string{"joined 0;"}, 10))
			if most := atWork.most.Load(); most != int64(limit) {
				t.Errorf("limit %d: %d nodes were at work at once", limit, most)
			}
		})
	}
}

func TestResultsAreMergedInTheOrderOfTheSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := ready(t, fanOf(20, func(_ context.Context, i int) (planUpdate, error) {
			time.Sleep(time.Duration(i*7%20) * time.Second)
			return logPart(i), nil
		}), graph.Config{Concurrency: 20})
		s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		same(t, "log", s.Log, partsLog(20))
		wantErr(t, err, nil)
	})
}

// https://github.com/langchain-ai/langgraph/pull/976
func TestFinishedBranchIsNotRunAgain(t *testing.T) {
	var ran tally
	down := true
	g := fanOf(2, func(_ context.Context, i int) (planUpdate, error) {
		ran.add(string(rune('a' + i)))
		if i == 1 && down {
			return nil, errors.New("down")
		}
		return logPart(i), nil
	})
	app := ready(t, g, graph.Config{Store: graph.NewMemory(), Concurrency: 1})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	failure, ok := errors.AsType[*graph.NodeError](err)
	if !ok {
		t.Fatal(err)
	}
	same(t, "failure", *failure, graph.NodeError{Thread: "t", Step: 0, Task: "part[1]", Attempt: 1, Err: failure.Err})
	same(t, "message", failure.Error(), "part[1] (step 0): down")
	same(t, "state", s, plan{})
	down = false
	s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
	wantErr(t, err, nil)
	same(t, "state", s, plan{Text: "joined 2;", Log: partsLog(2)})
	ran.want(t, map[string]int{"a": 1, "b": 2})
}

func TestNothingIsBegunAfterAFailure(t *testing.T) {
	var ran tally
	app := ready(t, fanOf(5, func(_ context.Context, i int) (planUpdate, error) {
		if ran.add(fmt.Sprint(i)); i == 2 {
			return nil, errors.New("down")
		}
		return logPart(i), nil
	}), graph.Config{Concurrency: 1})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantText(t, err, "part[2] (step 0): down")
	ran.want(t, map[string]int{"0": 1, "1": 1, "2": 1})
}

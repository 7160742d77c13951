package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/repomind/repomind/graph"
)

var errStop = errors.New("the user pressed stop")

// Of https://github.com/langchain-ai/langgraph/issues/5682,
// https://github.com/langchain-ai/langgraph/issues/8302 and
// https://github.com/langchain-ai/langgraph/issues/5672: sub-graphs went on after
// a cancellation, and finished work was lost. A goroutine that is left behind
// fails the bubble.
func TestCancelEndsEveryNodeAndKeepsWhatIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var atWork gauge
		var ran tally
		slow := true
		work := func(ctx context.Context, i int) (planUpdate, error) {
			defer atWork.enter()()
			ran.add(fmt.Sprintf("%s|%d", graph.Info(ctx).Thread, i))
			if i > 0 && slow {
				<-ctx.Done()
				wantErr(t, context.Cause(ctx), errStop)
				return nil, ctx.Err()
			}
			return logPart(i), nil
		}
		g := newPlan()
		task := graph.Task(g, "part", work)
		sub := graph.SubTask(g, "sub", fanOf(2, work), func(int) plan { return plan{} }, func(s plan) planUpdate { return logs(s.Log...) })
		g.Fan(graph.Begin, func(plan) []graph.Send[plan] {
			return []graph.Send[plan]{task.Send(0), task.Send(1), sub.Send(0), task.Send(2)}
		}, graph.End, task, sub)
		app := ready(t, g, graph.Config{Store: graph.NewMemory()})

		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Hour, func() { cancel(errStop) })
		start := time.Now()
		s, err := app.Run(ctx, "t", graph.Start(plan{Text: "first"}))
		wantErr(t, err, errStop)
		wantText(t, err, `thread "t" was cancelled at step 0`)
		same(t, "state", s, plan{Text: "first"})
		same(t, "took", time.Since(start), time.Hour)
		same(t, "at work", atWork.now.Load(), 0)
		same(t, "failed", len(wantStatus(t, app, "t", graph.StatusCancelled).Failed), 0)

		slow = false
		s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
		wantErr(t, err, nil)
		same(t, "log", s.Log, []string{"part 0", "part 1", "part 0", "part 1", "part 2"})
		ran.want(t, map[string]int{"t|0": 1, "t|1": 2, "t|2": 2, "t|0.2|0": 1, "t|0.2|1": 2})
	})
}

func TestCancelBetweenStepsKeepsTheStep(t *testing.T) {
	for _, n := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		app := ready(t, fanOf(n, func(_ context.Context, i int) (planUpdate, error) {
			if i == n-1 {
				cancel()
			}
			return logPart(i), nil
		}), graph.Config{Store: graph.NewMemory(), Concurrency: 1})
		s, err := app.Run(ctx, "t", graph.Start(plan{}))
		wantErr(t, err, context.Canceled)
		same(t, "text", s.Text, "")
		same(t, "kept", len(wantStatus(t, app, "t", graph.StatusCancelled).Failed), 0)
		s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
		wantErr(t, err, nil)
		same(t, "log", s.Log, partsLog(n))
	}
	ctx, cancel := context.WithCancel(t.Context())
	app := ready(t, lineOf(func(context.Context, plan) (planUpdate, error) {
		cancel()
		return logs("a"), nil
	}, logNode("b")), graph.Config{Store: graph.NewMemory()})
	s, err := app.Run(ctx, "t", graph.Start(plan{}))
	wantErr(t, err, context.Canceled)
	same(t, "log", s.Log, []string{"a"})
	same(t, "next", wantStatus(t, app, "t", graph.StatusCancelled).Next, []string{"b"})
}

func TestRunThatIsOverWhenCancelledIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	app := ready(t, lineOf(func(context.Context, plan) (planUpdate, error) { cancel(); return logs("a"), nil }),
		graph.Config{Store: graph.NewMemory()})
	s, err := app.Run(ctx, "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"a"})
	wantStatus(t, app, "t", graph.StatusDone)
}

func TestRunWithACancelledContextRecordsNothing(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStop)
	app := ready(t, lineOf(logNode("a")), graph.Config{Store: graph.NewMemory()})
	_, err := app.Run(ctx, "t", graph.Start(plan{}))
	wantErr(t, err, errStop)
	_, err = app.State(t.Context(), "t")
	wantErr(t, err, graph.ErrNoThread)
}

func TestDeadlineCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
			<-ctx.Done()
			return nil, errors.New("interrupted")
		}), graph.Config{Store: graph.NewMemory()})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := app.Run(ctx, "t", graph.Start(plan{}))
		wantErr(t, err, context.DeadlineExceeded)
		wantStatus(t, app, "t", graph.StatusCancelled)
	})
}

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/repomind/repomind/graph"
)

func TestLeavingTheStreamCancelsAndWaits(t *testing.T) {
	errConsumer := errors.New("consumer")
	for name, leave := range map[string]func(*testing.T, func(func())){
		"break": func(_ *testing.T, consume func(func())) { consume(nil) },
		"panic": func(t *testing.T, consume func(func())) {
			defer func() { same(t, "panic", recover(), any(errConsumer)) }()
			consume(func() { panic(errConsumer) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var atWork gauge
				app := ready(t, inSub(fanOf(8, func(ctx context.Context, i int) (planUpdate, error) {
					defer atWork.enter()()
					if i == 0 {
						return logPart(0), nil
					}
					for ctx.Err() == nil { // more than the channel of events holds
						graph.Emit(ctx, i)
					}
					time.Sleep(time.Minute)
					return nil, ctx.Err()
				})), graph.Config{Store: graph.NewMemory()})
				leave(t, func(then func()) {
					n := 0
					for range app.Stream(t.Context(), "t", graph.Start(plan{})) {
						if n++; n == 200 {
							if then != nil {
								then()
							}
							break
						}
					}
				})
				same(t, "at work", atWork.now.Load(), 0)
				wantStatus(t, app, "t", graph.StatusCancelled)
			})
		})
	}
}

func TestSlowConsumerOnlySlows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := ready(t, fanOf(100, func(ctx context.Context, i int) (planUpdate, error) {
			graph.Emit(ctx, i)
			return logPart(i), nil
		}), graph.Config{Store: graph.NewMemory()})
		var last graph.Event
		counts := map[graph.EventKind]int{}
		for e, err := range app.Stream(t.Context(), "t", graph.Start(plan{})) {
			wantErr(t, err, nil)
			time.Sleep(time.Second)
			counts[e.Kind]++
			last = e
		}
		same(t, "counts", counts, map[graph.EventKind]int{graph.EventRunStart: 1, graph.EventStepStart: 2, graph.EventTaskStart: 101,
			graph.EventCustom: 100, graph.EventTaskDone: 101, graph.EventCheckpoint: 2, graph.EventRunDone: 1})
		same(t, "last", told(last), "308 run.done t/2 done")
		same(t, "log", wantStatus(t, app, "t", graph.StatusDone).State.Log, partsLog(100))
	})
}

func TestRefusedRunTellsOnlyWhy(t *testing.T) {
	app := ready(t, lineOf(logNode("a")), graph.Config{Store: graph.NewMemory()})
	for _, want := range []error{nil, graph.ErrThreadExists} {
		pairs := 0
		var last error
		for _, err := range app.Stream(t.Context(), "t", graph.Start(plan{})) {
			pairs++
			last = err
		}
		wantErr(t, last, want)
		same(t, "pairs", pairs, map[bool]int{true: 6, false: 1}[want == nil])
	}
}

func TestEmitOutsideOfARunDoesNothing(t *testing.T) {
	graph.Emit(t.Context(), "nobody hears this")
	var inside context.Context
	app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) { inside = ctx; return nil, nil }), graph.Config{})
	for range app.Stream(t.Context(), "t", graph.Start(plan{})) {
	}
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("Emit after the run panics: %v", p)
		}
	}()
	graph.Emit(inside, "nobody hears this")
}

func TestAppServesManyThreadsAtOnce(t *testing.T) {
	app := ready(t, inSub(fanOf(5, func(ctx context.Context, i int) (planUpdate, error) {
		return logs(graph.Info(ctx).Thread), nil
	})), graph.Config{Store: graph.NewMemory(), Concurrency: 2})
	var wg sync.WaitGroup
	var done atomic.Int64
	for i := range 50 {
		wg.Go(func() {
			thread := fmt.Sprint("thread ", i)
			s, err := app.Run(t.Context(), thread, graph.Start(plan{}))
			if want := fmt.Sprint(thread, "|0.0"); err == nil && reflect.DeepEqual(s.Log, []string{want, want, want, want, want}) {
				done.Add(1)
			}
		})
	}
	wg.Wait()
	same(t, "done", done.Load(), 50)
}

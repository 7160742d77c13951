package graph_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
)

// https://github.com/langchain-ai/docs/pull/6603: what stands above a question is
// run again when it is answered.
func TestOnceGivesTheKeptValueAfterEachPause(t *testing.T) {
	type stamp struct {
		At time.Time
		Of map[string][]float64
	}
	var ran tally
	var got []stamp
	app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		ran.add("node")
		v, err := graph.Once(ctx, "stamp", func(context.Context) (stamp, error) {
			ran.add("effect")
			return stamp{time.Now(), map[string][]float64{"<a & b>": {0.1, 1e300}}}, nil
		})
		if err != nil {
			return nil, err
		}
		got = append(got, v)
		for _, key := range []string{"first", "second"} {
			if _, err := graph.Interrupt[bool](ctx, key, "?"); err != nil {
				return nil, err
			}
		}
		return logs("done"), nil
	}), graph.Config{Store: graph.NewMemory()})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	for range 2 {
		yes := graph.AnswerTo(questions(t, err)[0].ID, true, "alice")
		_, err = app.Run(t.Context(), "t", graph.Resume[plan](yes))
	}
	wantErr(t, err, nil)
	ran.want(t, map[string]int{"node": 3, "effect": 1})
	same(t, "values", got, []stamp{got[0], got[0], got[0]})
	if first, kept := got[0].At.String(), got[1].At.String(); first != kept {
		t.Errorf("the first value is %s, the kept one %s", first, kept)
	}
}

func TestOnceRunsOneCallForAKey(t *testing.T) {
	for _, store := range []graph.Checkpointer{nil, graph.NewMemory()} {
		var calls, results tally
		app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
			var wg sync.WaitGroup
			for range 50 {
				wg.Go(func() {
					v, err := graph.Once(ctx, "key", func(context.Context) (int, error) {
						runtime.Gosched()
						return 41 + calls.add("fn"), nil
					})
					results.add(fmt.Sprint(v, " ", errors.Is(err, graph.ErrKeyReused)))
				})
			}
			wg.Wait()
			return nil, nil
		}), graph.Config{Store: store})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, nil)
		calls.want(t, map[string]int{"fn": 1})
		results.want(t, map[string]int{"42 false": 1, "0 true": 49})
	}
}

func TestOnceKeepsNoError(t *testing.T) {
	var calls tally
	app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		down := errors.New("down")
		fn := func(context.Context) (int, error) {
			if calls.add("fn") < 3 {
				return 0, down
			}
			return 42, nil
		}
		_, err := graph.Once(ctx, "key", fn)
		for range 2 { // the node may try again itself
			wantErr(t, err, down)
			var v int
			if v, err = graph.Once(ctx, "key", fn); err == nil {
				return planUpdate{planTotal.Set(v)}, nil
			}
		}
		return nil, err
	}), graph.Config{Store: graph.NewMemory()})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	same(t, "total", s.Total, 42)
	calls.want(t, map[string]int{"fn": 3})
}

func TestOnceKeepsNoPanic(t *testing.T) {
	for name, end := range map[string]func(){"panic": explode, "goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			var calls tally
			app := ready(t, fanOf(1, func(ctx context.Context, _ int) (planUpdate, error) {
				v, err := graph.Once(ctx, "key", func(context.Context) (int, error) {
					if calls.add("fn") == 1 {
						end()
					}
					return 42, nil
				})
				return planUpdate{planTotal.Set(v)}, err
			}), graph.Config{Store: graph.NewMemory()})
			_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
			wantText(t, err, "part[0] (step 0): ", name[1:])
			s, err := app.Run(t.Context(), "t", graph.Continue[plan]())
			wantErr(t, err, nil)
			same(t, "total", s.Total, 42)
			calls.want(t, map[string]int{"fn": 2})
		})
	}
}

func TestOnceIsKeptOverRetriesWithoutAStore(t *testing.T) {
	var calls tally
	app := ready(t, fanOf(1, func(ctx context.Context, _ int) (planUpdate, error) {
		v, err := graph.Once(ctx, "key", func(context.Context) (int, error) { return 41 + calls.add("fn"), nil })
		if err != nil || graph.Info(ctx).Attempt < 3 {
			return nil, errors.Join(err, errors.New("again"))
		}
		return planUpdate{planTotal.Set(v)}, nil
	}, graph.Retry(graph.Policy{BackOff: noWait})), graph.Config{})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	same(t, "total", s.Total, 42)
}

func TestOnceRefusesWhatCannotBeKept(t *testing.T) {
	app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		_, secret := graph.Once(ctx, "a", func(context.Context) (graph.Secret[string], error) { panic("called") })
		_, open := graph.Once(ctx, "b", func(context.Context) (any, error) { panic("called") })
		_, text := graph.Once(ctx, "c", func(context.Context) (string, error) { return "\xff", nil })
		if !errors.Is(secret, graph.ErrSecret) || open == nil || !errors.Is(text, graph.ErrInvalidUTF8) {
			t.Errorf("got %v, %v and %v", secret, open, text)
		}
		return nil, nil
	}), graph.Config{})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	_, err = graph.Once(t.Context(), "key", func(context.Context) (int, error) { panic("called") })
	wantText(t, err, "outside of a node")
}

package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/repomind/repomind/graph"
)

// https://github.com/strands-agents/harness-sdk/pull/3390: a batch that was saved
// halfway ran its join twice, on half the inputs. And
// https://github.com/langchain-ai/langgraph/issues/8039: what a crash ran again
// depended on the scheduler.
func TestFanKilledAtAnyCallIsJoinedOnce(t *testing.T) {
	kills := 0
	for kill := 1; killFan(t, kill, false) && killFan(t, kill, true); kill++ {
		kills++
	}
	if kills < 10 { // Begin, 5 effects, tasks, 2 commits and Release
		t.Errorf("only %d calls were hit", kills)
	}
}

// killFan kills a fan at a call, lets another process go on, and reports whether
// the call was made at all.
func killFan(t *testing.T, kill int, made bool) bool {
	h := newHost()
	var entered, effects tally
	g := fanOf(5, func(ctx context.Context, i int) (planUpdate, error) {
		entered.add(fmt.Sprint(i))
		word, err := graph.Once(ctx, "effect", func(context.Context) (string, error) {
			return fmt.Sprint(i, " in call ", effects.add(fmt.Sprint(i))), nil
		})
		return logs(word), err
	})
	_, err := ready(t, g, graph.Config{Store: h.process(kill, made)}).Run(t.Context(), "t", graph.Start(plan{}))
	if err == nil {
		return false
	}
	wantErr(t, err, errKilled)
	wantEntered, wantEffects := entered.seen(), effects.seen()
	in := graph.Continue[plan]()
	if l, err := h.Load(t.Context(), "t", -1); err != nil {
		in = graph.Start(plan{}) // killed before the thread began
		wantErr(t, err, graph.ErrNoThread)
		wantEntered, wantEffects = map[string]int{}, map[string]int{}
		for i := range 5 {
			wantEntered[fmt.Sprint(i)], wantEffects[fmt.Sprint(i)] = 1, 1
		}
	} else if l.Checkpoint.Step == 0 {
		again, call := [5]bool{true, true, true, true, true}, [5]bool{true, true, true, true, true}
		for _, row := range l.Tasks {
			again[row.Index], call[row.Index] = row.State != graph.TaskDone, row.State != graph.TaskDone
		}
		for _, e := range l.Effects {
			call[e.Task] = false
		}
		for i := range 5 {
			if again[i] {
				wantEntered = plus(wantEntered, fmt.Sprint(i))
			}
			if call[i] {
				wantEffects = plus(wantEffects, fmt.Sprint(i))
			}
		}
	}
	s, err := ready(t, g, graph.Config{Store: h.process(immortal, false)}).Run(t.Context(), "t", in)
	wantErr(t, err, nil)
	entered.want(t, wantEntered)
	effects.want(t, wantEffects)
	same(t, "text", s.Text, "joined 5;")
	for i, word := range s.Log {
		if word != fmt.Sprint(i, " in call 1") && word != fmt.Sprint(i, " in call 2") {
			t.Errorf("branch %d logged %q", i, word)
		}
	}
	return true
}

func plus(counts map[string]int, name string) map[string]int {
	if counts == nil {
		counts = map[string]int{}
	}
	counts[name]++
	return counts
}

// https://github.com/dbos-inc/dbos-transact-py/issues/688: ids followed the order
// in which steps happened to be scheduled.
func TestIdempotencyKeysFollowThePosition(t *testing.T) {
	keys := map[string]map[string]bool{}
	var mu sync.Mutex
	h, in := newHost(), graph.Start(plan{})
	g := inSub(fanOf(3, func(ctx context.Context, i int) (planUpdate, error) {
		for range rand.IntN(4) {
			runtime.Gosched()
		}
		mu.Lock()
		defer mu.Unlock()
		at := graph.Info(ctx).Task
		if keys[at] == nil {
			keys[at] = map[string]bool{}
		}
		keys[at][graph.Info(ctx).IdempotencyKey("charge")] = true
		return logPart(i), nil
	}))
	for _, kill := range []int{3, 4, 4, 5, immortal} {
		_, err := ready(t, g, graph.Config{Store: h.process(kill, false)}).Run(t.Context(), "t", in)
		wantErr(t, err, map[bool]error{true: nil, false: errKilled}[kill == immortal])
		in = graph.Continue[plan]()
	}
	all := map[string]bool{}
	for at, seen := range keys {
		for key := range seen {
			all[key] = true
		}
		if len(seen) != 1 {
			t.Errorf("%s has the keys %v", at, seen)
		}
	}
	if len(all) != 3 {
		t.Errorf("3 tasks have the keys %v", all)
	}
}

// https://github.com/dbos-inc/dbos-transact-py/issues/769: a name that was used
// again replayed what a dead run had left.
func TestDeletedThreadLeavesNothingToItsName(t *testing.T) {
	var calls tally
	store := graph.NewMemory()
	app := ready(t, inSub(lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		v, err := graph.Once(ctx, "once", func(context.Context) (int, error) { return calls.add("fn"), nil })
		if err != nil {
			return nil, err
		}
		word, err := graph.Interrupt[string](ctx, "q", "?")
		return logs(fmt.Sprint(word, v)), err
	})), graph.Config{Store: store})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	old := questions(t, err)[0]
	wantErr(t, app.Answer(t.Context(), "t", answer("yes", "alice", old.ID)...), nil)
	run := wantStatus(t, app, "t", graph.StatusPaused).Run
	wantErr(t, store.Delete(t.Context(), "t"), nil)
	_, err = store.Load(t.Context(), "t|0.0", -1)
	wantErr(t, err, graph.ErrNoThread)
	_, err = app.Run(t.Context(), "t", graph.Start(plan{}))
	if p := questions(t, err)[0]; p.ID == old.ID || wantStatus(t, app, "t", graph.StatusPaused).Run == run {
		t.Error("the new run is taken for the old one")
	}
	s, err := app.Run(t.Context(), "t", graph.Resume[plan](answer("no", "bob", "")...))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"no2"})
}

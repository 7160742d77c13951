package graph_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/repomind/repomind/graph"
)

// loud is a value whose JSON may panic.
type loud struct{ Panics bool }

func (l loud) MarshalJSON() ([]byte, error) {
	if l.Panics {
		explode()
	}
	return []byte("{}"), nil
}

func (l *loud) UnmarshalJSON([]byte) error { return nil }

var errBoom = errors.New("boom")

func explode() { panic(errBoom) }

type fragile struct {
	Log   []string
	Worst int
	Loud  loud
}

// A function of the user that panics ends the run with an error that holds the
// stack, and what was done before is kept.
func TestPanicOfAnyFunctionIsAnErrorAndLosesNothing(t *testing.T) {
	for _, where := range []string{
		"node", "task", "choose", "sends", "validate", "reduce", "in", "out", "Once", "argument", "If", "BackOff", "NextBackOff", "MarshalJSON",
		"branch If", "branch BackOff", "branch NextBackOff", "branch MarshalJSON",
	} {
		branch := strings.HasPrefix(where, "branch ")
		if branch && t.Failed() {
			t.Fatal("in a branch, what failed above would take the whole process down")
		}
		t.Run(where, func(t *testing.T) {
			armed := true
			at := func(place string) {
				if armed && place == where {
					explode()
				}
			}
			log := graph.Append("log", func(s *fragile) *[]string { return &s.Log })
			worst := graph.Reduce("worst", func(s *fragile) *int { return &s.Worst }, func(a, b int) int { at("reduce"); return max(a, b) })
			noise := graph.Last("loud", func(s *fragile) *loud { return &s.Loud })
			type update = graph.Update[fragile]
			var ran tally
			logged := func(name string) update { ran.add(name); return update{log.Set([]string{name})} }

			inner := graph.New("inner", log, worst, noise)
			inner.Node("inner", func(context.Context, fragile) (update, error) { return logged("inner"), nil })
			inner.Edge(graph.Begin, "inner")
			inner.Edge("inner", graph.End)

			policy := func(prefix string) graph.NodeOption {
				return graph.Retry(graph.Policy{
					If: func(error) bool { at(prefix + "If"); return true },
					BackOff: func() backoff.BackOff {
						at(prefix + "BackOff")
						return waits(func() { at(prefix + "NextBackOff") })
					},
				})
			}
			fails := func(ctx context.Context) bool { // so that the policy is asked
				return armed && (strings.HasSuffix(where, "If") || strings.HasSuffix(where, "BackOff")) && graph.Info(ctx).Attempt == 1
			}

			g := graph.New("fragile", log, worst, noise)
			g.Node("node", func(ctx context.Context, _ fragile) (update, error) {
				u := logged("node")
				at("node")
				_, err := graph.Once(ctx, "once", func(context.Context) (int, error) { at("Once"); return 1, nil })
				return u, err
			})
			g.Node("retried", func(ctx context.Context, _ fragile) (update, error) {
				if fails(ctx) && !branch {
					return nil, errors.New("again")
				}
				return append(logged("retried"), noise.Set(loud{armed && where == "MarshalJSON"})), nil
			}, policy(""))
			g.Node("prepare", func(context.Context, fragile) (update, error) { return logged("prepare"), nil })
			task := graph.Task(g, "task", func(ctx context.Context, _ loud) (update, error) {
				if fails(ctx) && branch {
					return nil, errors.New("again")
				}
				u := logged("task")
				at("task")
				if where == "branch MarshalJSON" {
					u = append(u, noise.Set(loud{armed}))
				}
				return append(u, worst.Set(1)), nil
			}, policy("branch "))
			sub := graph.SubTask(g, "sub", inner, func(int) fragile { at("in"); return fragile{} },
				func(s fragile) update { at("out"); return update{log.Set(s.Log), worst.Set(2)} })
			g.Validate(func(s fragile) error {
				if len(s.Log) == 3 {
					at("validate")
				}
				return nil
			})
			g.Edge(graph.Begin, "node")
			g.Branch("node", func(fragile) string { at("choose"); return "retried" }, "retried")
			g.Edge("retried", "prepare")
			g.Fan("prepare", func(fragile) []graph.Send[fragile] {
				at("sends")
				return []graph.Send[fragile]{task.Send(loud{armed && where == "argument"}), sub.Send(1)}
			}, graph.End, task, sub)

			app := ready(t, g, graph.Config{Store: graph.NewMemory(), Concurrency: 1})
			_, err := run(t, app, graph.Start(fragile{}))
			wantErr(t, err, errBoom)
			wantText(t, err, "boom", "panic_test.go", "graph_test.explode(")
			wantStatus(t, app, "t", graph.StatusFailed)
			armed = false
			s, err := run(t, app, graph.Continue[fragile]())
			wantErr(t, err, nil)
			same(t, "state", s, fragile{Log: []string{"node", "retried", "prepare", "task", "inner"}, Worst: 2})
			want := map[string]int{"node": 1, "retried": 1, "prepare": 1, "task": 1, "inner": 1}
			again, ok := map[string]string{"node": "node", "Once": "node", "task": "task", "validate": "prepare",
				"MarshalJSON": "retried", "branch MarshalJSON": "task"}[where]
			if ok {
				want[again]++
			}
			ran.want(t, want)
		})
	}
}

// run is App.Run that reports a panic of its own.
func run[S any](t *testing.T, app *graph.App[S], in graph.Input[S]) (s S, err error) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("the engine panics: %v", p)
		}
	}()
	return app.Run(t.Context(), "t", in)
}

type waits func()

func (w waits) NextBackOff() time.Duration { w(); return 0 }
func (w waits) Reset()                     {}

func TestGoexitInABranchDoesNotHang(t *testing.T) {
	for _, limit := range []int{1, 16} {
		for _, nested := range []bool{false, true} {
			exits := true
			g := fanOf(5, func(_ context.Context, i int) (planUpdate, error) {
				if i == 2 && exits {
					runtime.Goexit()
				}
				return logPart(i), nil
			})
			if nested {
				g = inSub(g)
			}
			app := ready(t, g, graph.Config{Store: graph.NewMemory(), Concurrency: limit})
			_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
			wantText(t, err, "part[2] (step 0): ", "runtime.Goexit")
			wantStatus(t, app, "t", graph.StatusFailed)
			exits = false
			s, err := app.Run(t.Context(), "t", graph.Continue[plan]())
			wantErr(t, err, nil)
			same(t, "log", s.Log, partsLog(5))
		}
	}
}

// A node alone in its step runs on the goroutine of the caller: that ends, and the
// thread is free.
func TestGoexitOfALoneNodeEndsTheRun(t *testing.T) {
	exits := true
	app := ready(t, lineOf(func(context.Context, plan) (planUpdate, error) {
		if exits {
			runtime.Goexit()
		}
		return logs("a"), nil
	}), graph.Config{Store: graph.NewMemory()})
	var last error
	for _, err := range app.Stream(t.Context(), "t", graph.Start(plan{})) {
		last = err
	}
	wantText(t, last, "runtime.Goexit")
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, err := app.Run(t.Context(), "u", graph.Start(plan{}))
		t.Errorf("Run returned %v", err)
	}()
	<-gone
	exits = false
	for _, thread := range []string{"t", "u"} {
		wantStatus(t, app, thread, graph.StatusFailed)
		s, err := app.Run(t.Context(), thread, graph.Continue[plan]())
		wantErr(t, err, nil)
		same(t, "log", s.Log, []string{"a"})
	}
}

type silent struct{}

func (*silent) Error() string { return "typed nil" }

func TestTypedNilErrorIsAnError(t *testing.T) {
	app := ready(t, fanOf(2, func(_ context.Context, i int) (planUpdate, error) {
		var err *silent
		if i == 1 {
			return nil, err
		}
		return logPart(i), nil
	}), graph.Config{Store: graph.NewMemory(), Concurrency: 1})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantText(t, err, "part[1] (step 0): typed nil")
}

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/repomind/repomind/graph"
)

// https://github.com/cloudwego/eino/issues/1263: nil at a join panicked at random.
func TestNilAndEmptyUpdatesMix(t *testing.T) {
	updates := []planUpdate{nil, {}, logs(), {planLog.Set([]string{})}, {planTotal.Set(0), planLog.Set([]string{"x"})}, {planTags.Set(nil)}}
	for mix := range len(updates) * len(updates) * len(updates) {
		pick := func(i int) int { return []int{mix, mix / 6, mix / 36}[i] % 6 }
		if pick(0) == 5 && pick(1) == 5 || pick(0) == 5 && pick(2) == 5 || pick(1) == 5 && pick(2) == 5 {
			continue // a conflict
		}
		app := ready(t, fanOf(3, func(_ context.Context, i int) (planUpdate, error) { return updates[pick(i)], nil }),
			graph.Config{Store: graph.NewMemory()})
		want := plan{}
		for i := range 3 {
			if pick(i) == 4 {
				want.Log = append(want.Log, "x")
			}
		}
		want.Text = fmt.Sprintf("joined %d;", len(want.Log))
		s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, nil)
		same(t, "state", s, want)
		same(t, "stored state", wantStatus(t, app, "t", graph.StatusDone).State, want)
	}
}

func TestUnknownFieldFailsItsTaskAlone(t *testing.T) {
	stranger := graph.Append("log", func(s *plan) *[]string { return &s.Log })
	for _, write := range []graph.Write[plan]{stranger.Set([]string{"x"}), {}} {
		app := ready(t, fanOf(2, func(_ context.Context, i int) (planUpdate, error) {
			if i == 1 {
				return planUpdate{write}, nil
			}
			return logPart(i), nil
		}), graph.Config{Store: graph.NewMemory(), Concurrency: 1})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, graph.ErrUnknownField)
		wantText(t, err, "part[1]", fmt.Sprintf("%q is written, but is not a field of graph", write.Field()))
	}
}

func TestWhatCannotBeStoredFailsItsTaskAndKeepsItsSiblings(t *testing.T) {
	type reading struct {
		Words []string
		Heat  float64
	}
	words := graph.Append("words", func(s *reading) *[]string { return &s.Words })
	heat := graph.Last("heat", func(s *reading) *float64 { return &s.Heat })
	for _, bad := range []struct {
		write graph.Write[reading]
		field string
		want  error
		text  string
	}{
		{words.Set([]string{"caf\xe9"}), "words", graph.ErrInvalidUTF8, "text is not valid UTF-8"},
		{heat.Set(math.NaN()), "heat", nil, "unsupported value: NaN"},
		{heat.Set(math.Inf(-1)), "heat", nil, "unsupported value: -Inf"},
	} {
		var ran tally
		write := bad.write
		work := func(_ context.Context, i int) (graph.Update[reading], error) {
			if ran.add(fmt.Sprint(i)); i == 2 {
				return graph.Update[reading]{write}, nil
			}
			return graph.Update[reading]{words.Set([]string{fmt.Sprint(i)})}, nil
		}
		for _, alone := range []bool{false, true} {
			g := graph.New("reading", words, heat)
			g.Node("alone", func(ctx context.Context, _ reading) (graph.Update[reading], error) { return work(ctx, 2) })
			task := graph.Task(g, "part", work)
			g.Branch(graph.Begin, func(s reading) string {
				if alone {
					return "alone"
				}
				return "fan"
			}, "alone", "fan")
			g.Node("fan", func(context.Context, reading) (graph.Update[reading], error) { return nil, nil })
			g.Fan("fan", func(reading) []graph.Send[reading] {
				return []graph.Send[reading]{task.Send(0), task.Send(1), task.Send(2)}
			}, graph.End, task)
			g.Edge("alone", graph.End)
			app := ready(t, g, graph.Config{Store: graph.NewMemory(), Concurrency: 1})
			thread := fmt.Sprint("alone ", alone)
			write = bad.write
			_, err := app.Run(t.Context(), thread, graph.Start(reading{}))
			if bad.want != nil {
				wantErr(t, err, bad.want)
			}
			fault, ok := errors.AsType[*graph.FieldError](err)
			if !ok || fault.Field != bad.field {
				t.Fatal(err)
			}
			wantText(t, err, bad.text)
			if !alone {
				wantText(t, err, "part[2] (step 1)")
			}
			write = heat.Set(1)
			s, err := app.Run(t.Context(), thread, graph.Continue[reading]())
			wantErr(t, err, nil)
			same(t, "state", s, map[bool]reading{true: {Heat: 1}, false: {Words: []string{"0", "1"}, Heat: 1}}[alone])
		}
		ran.want(t, map[string]int{"0": 1, "1": 1, "2": 4})
	}
}

// https://github.com/langchain-ai/langgraph/issues/6491: an invalid state was
// stored, and the thread was dead for ever. Here the tasks of the step do their
// work anew, effects included.
func TestInvalidStateIsNotStored(t *testing.T) {
	for _, n := range []int{1, 3} {
		store, healthy := graph.NewMemory(), false
		var ran, keys tally
		g := fanOf(n, func(ctx context.Context, i int) (planUpdate, error) {
			ran.add("part")
			keys.add(graph.Info(ctx).IdempotencyKey("charge"))
			v, err := graph.Once(ctx, "once", func(context.Context) (int, error) { return ran.add("effect"), nil })
			if !healthy {
				v = -100
			}
			return planUpdate{planTotal.Set(v), planLog.Set([]string{fmt.Sprint(i)})}, err
		})
		g.Validate(func(s plan) error {
			if s.Total < 0 {
				return fmt.Errorf("total is %d", s.Total)
			}
			return nil
		})
		app := ready(t, g, graph.Config{Store: store})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{Total: -1}))
		wantErr(t, err, graph.ErrInvalidState)
		if _, err := app.State(t.Context(), "t"); !errors.Is(err, graph.ErrNoThread) {
			t.Fatal("an invalid start was stored", err)
		}
		s, err := app.Run(t.Context(), "t", graph.Start(plan{Total: 1}))
		wantErr(t, err, graph.ErrInvalidState)
		wantText(t, err, "after part[0]", fmt.Sprintf("total is %d", 1-100*n))
		same(t, "state", s, plan{Total: 1})
		same(t, "stored", wantStatus(t, app, "t", graph.StatusFailed).State, plan{Total: 1})
		healthy = true
		s, err = app.Run(t.Context(), "t", graph.Continue[plan]())
		wantErr(t, err, nil)
		same(t, "total", s.Total, 1+n*(n+1)/2) // of the effects 1 to n, which are kept
		ran.want(t, map[string]int{"part": 2 * n, "effect": n})
		same(t, "idempotency keys", len(keys.seen()), n)
	}
}

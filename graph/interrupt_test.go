package graph_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/repomind/repomind/graph"
)

// asks is a node that asks one question and logs the answer.
func asks(key string, payload any) graph.Node[plan] {
	return func(ctx context.Context, _ plan) (planUpdate, error) {
		word, err := graph.Interrupt[string](ctx, key, payload)
		return logs(key + ": " + word), err
	}
}

// inSub is a graph of one node, which runs g and logs what it logged.
func inSub(g *graph.Graph[plan]) *graph.Graph[plan] {
	outer := newPlan()
	graph.Sub(outer, "sub", g, func(s plan) plan { return s }, func(s plan) planUpdate { return logs(s.Log...) })
	outer.Edge(graph.Begin, "sub")
	outer.Edge("sub", graph.End)
	return outer
}

// https://github.com/langchain-ai/langgraph/issues/6626 and
// https://github.com/langchain-ai/langgraph/pull/6542: parallel questions shared
// an id.
func TestEveryQuestionHasItsOwnID(t *testing.T) {
	app := ready(t, fanOf(3, func(ctx context.Context, i int) (planUpdate, error) {
		a, errA := graph.Interrupt[int](ctx, "a", "same payload")
		b, errB := graph.Interrupt[int](ctx, "b", "same payload")
		return logs(fmt.Sprint(i, a, b)), errors.Join(errA, errB)
	}), graph.Config{Store: graph.NewMemory()})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	open := questions(t, err)
	_, err = app.Run(t.Context(), "u", graph.Start(plan{}))
	open = append(open, questions(t, err)...)

	seen := map[string]bool{}
	var asked, want []string
	for _, p := range open {
		seen[p.ID] = true
		asked = append(asked, p.Task+" "+p.Key)
	}
	for range 2 {
		for i := range 3 {
			want = append(want, fmt.Sprintf("part[%d] a", i), fmt.Sprintf("part[%d] b", i))
		}
	}
	same(t, "asked", asked, want)
	if len(seen) != 12 {
		t.Errorf("%d ids for 12 questions", len(seen))
	}
	var answers []graph.Answer
	for i, p := range open[:6] {
		answers = append(answers, graph.AnswerTo(p.ID, 10*(i+1), "alice"))
	}
	s, err := app.Run(t.Context(), "t", graph.Resume[plan](answers...))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"0 10 20", "1 30 40", "2 50 60"})
}

func TestKeyNamesOneQuestionOfATask(t *testing.T) {
	for _, joined := range []bool{false, true} {
		app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
			_, first := graph.Interrupt[bool](ctx, "key", 1)
			_, second := graph.Interrupt[bool](ctx, "key", 2)
			if joined {
				return nil, errors.Join(first, second)
			}
			return nil, second
		}), graph.Config{Store: graph.NewMemory()})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		wantErr(t, err, graph.ErrKeyReused)
		if open := wantStatus(t, app, "t", graph.StatusFailed).Pauses; len(open) > 0 {
			t.Errorf("open questions: %v", open)
		}
	}
}

// https://github.com/langchain-ai/langgraph/issues/5952 and
// https://github.com/langchain-ai/langgraph/issues/6208: answered questions came
// up again, and nodes ran whose answer was missing.
func TestOnlyAnsweredTasksAreEntered(t *testing.T) {
	for _, nested := range []bool{false, true} {
		t.Run(fmt.Sprint("nested ", nested), func(t *testing.T) {
			var entered tally
			g := fanOf(3, func(ctx context.Context, i int) (planUpdate, error) {
				entered.add(fmt.Sprint(i))
				word, err := graph.Interrupt[string](ctx, "q", i)
				return logs(word), err
			})
			if nested {
				g = inSub(g)
			}
			store := graph.NewMemory()
			_, err := ready(t, g, graph.Config{Store: store}).Run(t.Context(), "t", graph.Start(plan{}))
			open := questions(t, err)
			for i, at := range []int{2, 0, 1} { // each time as if the program were started anew
				want := map[string]int{"0": 1, "1": 1, "2": 1}
				entered.want(t, []map[string]int{want, {"0": 1, "1": 1, "2": 2}, {"0": 2, "1": 1, "2": 2}}[i])
				app := ready(t, g, graph.Config{Store: store})
				var s plan
				s, err = app.Run(t.Context(), "t", graph.Resume[plan](graph.AnswerTo(open[at].ID, "yes", "alice")))
				if i == 2 {
					wantErr(t, err, nil)
					same(t, "log", s.Log, []string{"yes", "yes", "yes"})
					break
				}
				left := questions(t, err)
				same(t, "left open", left, [][]graph.Pause{{open[0], open[1]}, {open[1]}}[i])
				same(t, "open in the state", wantStatus(t, app, "t", graph.StatusPaused).Pauses, left)
			}
			entered.want(t, map[string]int{"0": 2, "1": 2, "2": 2})
		})
	}
}

func TestTaskWithTwoQuestionsWaitsForBothAnswers(t *testing.T) {
	for _, nested := range []bool{false, true} {
		t.Run(fmt.Sprintf("nested %v", nested), func(t *testing.T) {
			var entered tally
			g := lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
				entered.add("a")
				a, errA := graph.Interrupt[string](ctx, "a", nil)
				b, errB := graph.Interrupt[string](ctx, "b", nil)
				return logs(a, b), errors.Join(errA, errB)
			})
			if nested {
				g = inSub(g)
			}
			app := ready(t, g, graph.Config{Store: graph.NewMemory()})
			_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
			open := questions(t, err)
			_, err = app.Run(t.Context(), "t", graph.Resume[plan](graph.AnswerTo(open[1].ID, "B", "bob")))
			same(t, "left open", questions(t, err), open[:1])
			same(t, "open in the state", wantStatus(t, app, "t", graph.StatusPaused).Pauses, open[:1])
			entered.want(t, map[string]int{"a": 1})
			s, err := app.Run(t.Context(), "t", graph.Resume[plan](graph.AnswerTo("", "A", "alice")))
			wantErr(t, err, nil)
			same(t, "log", s.Log, []string{"A", "B"})
			entered.want(t, map[string]int{"a": 2})
		})
	}
}

// https://github.com/langchain-ai/langgraph/issues/7780
func TestLoopOfQuestionsRunsTheNodeOncePerAnswer(t *testing.T) {
	const answers = 4
	var ran tally
	app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		ran.add("entry")
		var all []string
		for i := range answers {
			word, err := graph.Interrupt[string](ctx, fmt.Sprint("review-", i), i)
			if err != nil {
				return nil, err
			}
			word, err = graph.Once(ctx, fmt.Sprint("send-", i), func(context.Context) (string, error) {
				return fmt.Sprint(word, " ", ran.add("effect")), nil
			})
			if err != nil {
				return nil, err
			}
			all = append(all, word)
		}
		return logs(all...), nil
	}), graph.Config{Store: graph.NewMemory()})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	for i := range answers {
		open := questions(t, err)
		same(t, "payload", string(open[0].Payload), fmt.Sprint(i))
		s, err = app.Run(t.Context(), "t", graph.Resume[plan](graph.AnswerTo("", fmt.Sprint("ok ", i), "alice")))
	}
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"ok 0 1", "ok 1 2", "ok 2 3", "ok 3 4"})
	ran.want(t, map[string]int{"entry": answers + 1, "effect": answers})
}

func TestChangedPayloadIsANewQuestion(t *testing.T) {
	var entered tally
	app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		command := "rm -r build"
		if entered.add("a") > 1 {
			command = "rm -r /"
		}
		word, err := graph.Interrupt[string](ctx, "run", command)
		return logs(word + ": " + command), err
	}), graph.Config{Store: graph.NewMemory()})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	first := questions(t, err)
	_, err = app.Run(t.Context(), "t", graph.Resume[plan](graph.AnswerTo("", "yes", "alice")))
	second := questions(t, err)
	if first[0].ID == second[0].ID || first[0].Shown == second[0].Shown {
		t.Error("both payloads have one question")
	}
	same(t, "payload", string(second[0].Payload), `"rm -r /"`)
	s, err := app.Run(t.Context(), "t", graph.Resume[plan](graph.AnswerTo("", "no", "alice")))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"no: rm -r /"})
}

func TestSwallowedPauseFailsTheNode(t *testing.T) {
	for _, answer := range []error{nil, errors.New("gave up")} {
		app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
			_, _ = graph.Interrupt[bool](ctx, "ask", "?")
			return logs("went on"), answer
		}), graph.Config{Store: graph.NewMemory()})
		s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		want := `node went on after Interrupt "ask" returned a pause; return that error`
		if answer != nil {
			want = "gave up"
		}
		wantText(t, err, want)
		same(t, "state", s, plan{})
		wantStatus(t, app, "t", graph.StatusFailed)
	}
}

func TestInterruptNeedsAStoreAndANode(t *testing.T) {
	app := ready(t, lineOf(asks("q", "?")), graph.Config{})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, graph.ErrNoStore)
	_, err = graph.Interrupt[bool](t.Context(), "q", "?")
	wantText(t, err, "outside of a node")
	app = ready(t, lineOf(func(context.Context, plan) (planUpdate, error) {
		_, err := graph.Interrupt[bool](context.Background(), "q", "?")
		return nil, err
	}), graph.Config{Store: graph.NewMemory()})
	_, err = app.Run(t.Context(), "t", graph.Start(plan{}))
	wantText(t, err, "a context that is not the node's")
}

func TestPauseOfAnotherRunIsAFailure(t *testing.T) {
	store := graph.NewMemory()
	other := ready(t, lineOf(asks("q", "?")), graph.Config{Store: store})
	app := ready(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		_, err := other.Run(ctx, "other", graph.Start(plan{}))
		return nil, err
	}), graph.Config{Store: store})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	if _, ok := errors.AsType[*graph.NodeError](err); !ok {
		t.Errorf("error is %v", err)
	}
	wantStatus(t, app, "t", graph.StatusFailed)
}

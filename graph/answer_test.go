package graph_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
)

// A double click answered the next question of the node; so did, inside of a
// sub-graph, https://github.com/langchain-ai/langgraph/issues/2870.
func TestAnswerIsForItsQuestionOnly(t *testing.T) {
	for _, nested := range []bool{false, true} {
		g := lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
			a, err := graph.Interrupt[string](ctx, "first", "?")
			if err != nil {
				return nil, err
			}
			b, err := graph.Interrupt[string](ctx, "second", "?")
			return logs(a, b), err
		}, asks("third", "?"))
		if nested {
			g = inSub(g)
		}
		app := ready(t, g, graph.Config{Store: graph.NewMemory()})
		_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
		var s plan
		for i, key := range []string{"first", "second", "third"} {
			open := questions(t, err)
			same(t, "asked", open[0].Key, key)
			click := graph.AnswerTo(open[0].ID, fmt.Sprint("yes ", i), "alice")
			s, err = app.Run(t.Context(), "t", graph.Resume[plan](click))
			_, again := app.Run(t.Context(), "t", graph.Resume[plan](click))
			wantErr(t, again, graph.ErrAlreadyAnswered)
		}
		wantErr(t, err, nil)
		same(t, "log", s.Log, []string{"yes 0", "yes 1", "third: yes 2"})
	}
}

func TestAnswersAreKeptForAudit(t *testing.T) {
	now := time.Date(2026, 11, 3, 9, 30, 0, 0, time.UTC)
	var entered tally
	app := ready(t, judged(2, &entered), graph.Config{Store: graph.NewMemory(), Now: func() time.Time { return now }})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	open := questions(t, err)
	var want []graph.AnswerRow
	for i, who := range []string{"alice", "bob"} {
		now = now.Add(time.Hour)
		shown := sha256.Sum256([]byte(fmt.Sprintf(`{"branch":%d}`, i)))
		want = append(want, graph.AnswerRow{ID: open[i].ID, Node: "part", Key: "verdict", Who: who, At: now,
			Value: []byte(`{"approve":true,"risk":5}`), Shown: hex.EncodeToString(shown[:])})
		_, err = app.Run(t.Context(), "t", graph.Resume[plan](answer(verdict{Approve: true, Risk: 5}, who, open[i].ID)...))
	}
	wantErr(t, err, nil)
	same(t, "answers", wantStatus(t, app, "t", graph.StatusDone).Answers, want)
}

func TestAnswerIsRecordedWithoutRunning(t *testing.T) {
	var entered tally
	app := ready(t, judged(2, &entered), graph.Config{Store: graph.NewMemory()})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	open := questions(t, err)
	first, second := verdict{Approve: true}, verdict{Risk: 9}
	wantErr(t, app.Answer(t.Context(), "t", answer(first, "alice", open[0].ID)...), nil)
	wantErr(t, app.Answer(t.Context(), "t", answer(first, "mallory", open[0].ID)...), nil) // the same, so alice's stands
	wantErr(t, app.Answer(t.Context(), "t", answer(second, "mallory", open[0].ID)...), graph.ErrAlreadyAnswered)
	same(t, "open", wantStatus(t, app, "t", graph.StatusPaused).Pauses, open[1:])
	wantErr(t, app.Answer(t.Context(), "t", answer(second, "bob", "")...), nil)
	wantErr(t, app.Answer(t.Context(), "t", answer(second, "bob", "")...), graph.ErrUnknownInterrupt)
	entered.want(t, map[string]int{"0": 1, "1": 1})
	s, err := app.Run(t.Context(), "t", graph.Continue[plan]())
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"{Approve:true Risk:0 Note:}", "{Approve:false Risk:9 Note:}"})
	same(t, "who", wantStatus(t, app, "t", graph.StatusDone).Answers[0].Who, "alice")
	wantErr(t, app.Answer(t.Context(), "none", answer(first, "alice", "")...), graph.ErrNoThread)
}

// While a branch is still at work, the question of another one can be answered;
// the run then has nothing to wait for.
func TestAnswerCanComeWhileTheThreadRuns(t *testing.T) {
	var app *graph.App[plan]
	app = ready(t, fanOf(2, func(ctx context.Context, i int) (planUpdate, error) {
		if i == 1 {
			return asks("q", "?")(ctx, plan{})
		}
		for {
			s, err := app.State(ctx, "t")
			if err != nil || len(s.Pauses) == 1 {
				return logPart(0), app.Answer(ctx, "t", answer("yes", "alice", "")...)
			}
		}
	}), graph.Config{Store: graph.NewMemory()})
	s, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"part 0", "q: yes"})
}

// https://github.com/langchain-ai/langgraph/issues/6663
func TestAnotherAnswerNeedsAFork(t *testing.T) {
	store := graph.NewMemory()
	app := ready(t, lineOf(logNode("a"), asks("q", "?"), logNode("c")), graph.Config{Store: store})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	old := questions(t, err)[0].ID
	_, err = app.Run(t.Context(), "t", graph.Resume[plan](answer("yes", "alice", old)...))
	wantErr(t, err, nil)
	before := dump(t, store, "t")
	wantErr(t, app.Fork(t.Context(), "t", 1, "fork", nil), nil)
	_, err = app.Run(t.Context(), "fork", graph.Resume[plan](answer("no", "bob", old)...))
	wantErr(t, err, graph.ErrUnknownInterrupt)
	_, err = app.Run(t.Context(), "fork", graph.Continue[plan]())
	if id := questions(t, err)[0].ID; id == old {
		t.Error("the fork asks under the old id")
	}
	s, err := app.Run(t.Context(), "fork", graph.Resume[plan](answer("no", "bob", "")...))
	wantErr(t, err, nil)
	same(t, "log", s.Log, []string{"a", "q: no", "c"})
	same(t, "old thread", dump(t, store, "t"), before)
}

// https://github.com/langchain-ai/langgraphjs/pull/2751 and
// https://github.com/langchain-ai/agent-chat-ui/issues/85: a new input dropped
// the open question.
func TestNewInputDoesNotDropAnOpenQuestion(t *testing.T) {
	var entered tally
	store := graph.NewMemory()
	app := ready(t, judged(1, &entered), graph.Config{Store: store})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	open := questions(t, err)
	before := dump(t, store, "t")
	_, err = app.Run(t.Context(), "t", graph.Start(plan{Text: "new"}))
	wantErr(t, err, graph.ErrThreadExists)
	_, err = app.Run(t.Context(), "t", graph.Continue[plan]())
	same(t, "open", questions(t, err), open)
	same(t, "store", dump(t, store, "t"), before)
	entered.want(t, map[string]int{"0": 1})
}

package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/repomind/repomind/graph"
)

type verdict struct {
	Approve bool   `json:"approve"`
	Risk    int8   `json:"risk"`
	Note    string `json:"note,omitempty"`
}

// judged asks for a verdict in each of n branches.
func judged(n int, entered *tally) *graph.Graph[plan] {
	return fanOf(n, func(ctx context.Context, i int) (planUpdate, error) {
		entered.add(fmt.Sprint(i))
		v, err := graph.Interrupt[verdict](ctx, "verdict", map[string]int{"branch": i})
		return logs(fmt.Sprintf("%+v", v)), err
	})
}

// https://github.com/langchain-ai/langgraph/pull/6108: one bare answer was given
// to every question; https://github.com/langchain-ai/langgraph/issues/8579: the
// same inside of a sub-graph.
func TestRefusedAnswerRunsAndRecordsNothing(t *testing.T) {
	good := verdict{Approve: true, Risk: 3}
	refusals := map[string]struct {
		answers func(a, b, spent string) []graph.Answer
		want    error
		text    string
	}{
		"unknown":        {func(a, _, _ string) []graph.Answer { return answer(good, "alice", a, "0123456789abcdef") }, graph.ErrUnknownInterrupt, "0123456789abcdef; pending: "},
		"spent":          {func(_, _, s string) []graph.Answer { return answer(good, "alice", s) }, graph.ErrAlreadyAnswered, " by carol"},
		"ambiguous":      {func(_, _, _ string) []graph.Answer { return answer(good, "alice", "") }, graph.ErrAmbiguousAnswer, "verdict), "},
		"bare and named": {func(a, _, _ string) []graph.Answer { return answer(good, "alice", a, "") }, graph.ErrAmbiguousAnswer, ""},
		"twice":          {func(a, _, _ string) []graph.Answer { return answer(good, "alice", a, a) }, graph.ErrAlreadyAnswered, "twice in one call"},
		"anonymous":      {func(a, _, _ string) []graph.Answer { return answer(good, " \t", a) }, nil, "does not say who"},
		"second bad": {func(a, b, _ string) []graph.Answer {
			return append(answer(good, "alice", a), answer("yes", "alice", b)...)
		}, graph.ErrAnswerType, "cannot unmarshal string"},
	}
	for name, c := range map[string]struct{ value, text string }{
		"range":                {`{"approve":true,"risk":128}`, "answer.risk: json: cannot unmarshal number 128"},
		"fraction":             {`{"approve":true,"risk":1.5}`, "answer.risk: "},
		"missing member":       {`{"risk":1}`, "answer.approve is missing"},
		"unknown member":       {`{"approve":true,"risk":1,"why":""}`, "answer.why is not asked for"},
		"member in other case": {`{"approve":true,"risk":1,"Approve":false}`, "answer.Approve is not asked for"},
		"null":                 {`null`, "answer is null, want object"},
		"null member":          {`{"approve":null,"risk":1}`, "answer.approve is null, want boolean"},
		"other type":           {`{"approve":"yes","risk":1}`, "answer.approve: "},
		"array":                {`[true,1]`, "answer: "},
		"two values":           {`{"approve":true,"risk":1} {}`, ""},
		"nothing":              {``, ""},
		"no JSON":              {`yes`, ""},
		"invalid text":         {"{\"approve\":true,\"risk\":1,\"note\":\"\xff\"}", ""},
	} {
		refusals[name] = struct {
			answers func(a, b, spent string) []graph.Answer
			want    error
			text    string
		}{func(a, _, _ string) []graph.Answer {
			return []graph.Answer{{ID: a, Value: json.RawMessage(c.value), Who: "alice"}}
		}, graph.ErrAnswerType, c.text}
	}
	for _, nested := range []bool{false, true} {
		for name, c := range refusals {
			t.Run(fmt.Sprintf("%s/nested %v", name, nested), func(t *testing.T) {
				var entered tally
				g, threads := judged(3, &entered), []string{"t"}
				if nested {
					g, threads = inSub(g), []string{"t", "t|0.0"}
				}
				store := graph.NewMemory()
				app := ready(t, g, graph.Config{Store: store})
				_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
				open := questions(t, err)
				_, err = app.Run(t.Context(), "t", graph.Resume[plan](answer(good, "carol", open[2].ID)...))
				questions(t, err)
				before, ran := dump(t, store, threads...), entered.seen()
				answers := c.answers(open[0].ID, open[1].ID, open[2].ID)
				_, err = app.Run(t.Context(), "t", graph.Resume[plan](answers...))
				refused := app.Answer(t.Context(), "t", answers...)
				for _, err := range []error{err, refused} {
					if c.want != nil {
						wantErr(t, err, c.want)
					}
					wantText(t, err, c.text)
				}
				same(t, "store", dump(t, store, threads...), before)
				entered.want(t, ran)
				s, err := app.Run(t.Context(), "t", graph.Resume[plan](answer(good, "alice", open[0].ID, open[1].ID)...))
				wantErr(t, err, nil)
				same(t, "log", s.Log, []string{"{Approve:true Risk:3 Note:}", "{Approve:true Risk:3 Note:}", "{Approve:true Risk:3 Note:}"})
			})
		}
	}
}

func answer(v any, who string, ids ...string) (all []graph.Answer) {
	for _, id := range ids {
		all = append(all, graph.AnswerTo(id, v, who))
	}
	return all
}

func TestAnswerThatCannotBeEncodedIsRefused(t *testing.T) {
	app := ready(t, lineOf(asks("q", "?")), graph.Config{Store: graph.NewMemory()})
	_, err := app.Run(t.Context(), "t", graph.Start(plan{}))
	questions(t, err)
	for want, v := range map[error]any{graph.ErrInvalidUTF8: "\xff", graph.ErrSecret: graph.NewSecret("x"), graph.ErrAnswerType: func() {}} {
		_, err = app.Run(t.Context(), "t", graph.Resume[plan](answer(v, "alice", "")...))
		wantErr(t, err, graph.ErrAnswerType)
		wantErr(t, err, want)
	}
}

package react_test

import (
	"fmt"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

func TestTheLastRoundForcesAnAnswer(t *testing.T) {
	m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), llmtest.Call("read_file", `{"path":"b"}`),
		llmtest.Reply{Text: "It is a.", Calls: calls(read("c"))})
	got, rounds, err := do(t, react.Loop{Model: m, MaxRounds: 3, Tools: files(map[string]string{"a": "A", "b": "B"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []any{"It is a.", react.EndRounds, 3, react.EndRounds}, []any{got.Answer, got.End, got.Rounds, rounds[2].End})
	last := m.Requests()[2]
	if len(last.Tools) != 0 {
		t.Error("tools are offered")
	}
	said := lines(last.Messages)
	golden(t, "last.golden", said[4])
	same(t, []string{
		`assistant: (I called read_file {"path":"a"})`,
		"user: read_file gave: " + fenced("r1", "A"),
		`assistant: (I called read_file {"path":"b"})`,
		"user: read_file gave: " + fenced("r2", "B"),
	}, said[:4])
}

func TestOneRoundAnswersAtOnce(t *testing.T) {
	m := llmtest.Script(t, llmtest.Reply{Text: "No idea.", Check: func(r llm.Request) error {
		if len(r.Messages) != 2 || len(r.Messages[1].Parts) != 2 {
			return fmt.Errorf("messages %v", r.Messages)
		}
		return nil
	}})
	got, _, err := do(t, react.Loop{Model: m, MaxRounds: 1}, task)
	wantErr(t, err, nil)
	same(t, "No idea.", got.Answer)
}

func TestTokensAndCostAreHeld(t *testing.T) {
	dear := func(path string) llmtest.Reply {
		r := llmtest.Call("read_file", fmt.Sprintf(`{"path":%q}`, path))
		r.Usage = llm.Usage{Calls: 1, Input: 1000, Output: 100, Cost: llm.Cost{Amount: llm.Dollars(0.01), Status: llm.CostKnown}}
		return r
	}
	set := files(map[string]string{"a": "A", "b": "B", "c": "C"}, nil)
	say := func(end string) []llmtest.Reply { return []llmtest.Reply{dear("a"), dear("b"), llmtest.Say(end)} }
	for name, tt := range map[string]struct {
		loop   react.Loop
		say    []llmtest.Reply
		answer string
	}{
		"tokens": {react.Loop{MaxTokens: 4000, TurnTokens: 500}, say("by tokens"), "by tokens"},
		"cost":   {react.Loop{MaxCost: llm.Dollars(0.045)}, say("by cost"), "by cost"},
		"spent":  {react.Loop{MaxCost: llm.Dollars(0.01)}, []llmtest.Reply{{Text: "I think it is b.", Calls: dear("a").Calls, Usage: dear("a").Usage}}, "I think it is b."},
	} {
		t.Run(name, func(t *testing.T) {
			tt.loop.Model, tt.loop.Tools = llmtest.Script(t, tt.say...), set
			got, _, err := do(t, tt.loop, task)
			wantErr(t, err, nil)
			same(t, []any{tt.answer, react.EndBudget, len(tt.say)}, []any{got.Answer, got.End, got.Rounds})
		})
	}
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t), MaxTokens: 100}, task)
	wantErr(t, err, react.ErrNoAnswer)
	same(t, react.Result{End: react.EndBudget, Messages: got.Messages}, got)
}

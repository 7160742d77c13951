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
	before := m.Requests()[1]
	same(t, []bool{false, true}, []bool{before.NoCalls, last.NoCalls})
	same(t, before.Tools, last.Tools) // as they are cached
	same(t, before.Messages, last.Messages[:4])
	said := lines(last.Messages)
	golden(t, "last.golden", said[4])
	same(t, []string{
		`assistant calls read_file {"path":"a"}`, "tool gives: " + fenced("r1", "A"),
		`assistant calls read_file {"path":"b"}`, "tool gives: " + fenced("r2", "B"),
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

func TestAForcedAnswerCanBeMendedOnce(t *testing.T) {
	check := func(s string) error {
		if s != "yes" {
			return fmt.Errorf("it is not yes")
		}
		return nil
	}
	look := func(path string) llmtest.Reply { return llmtest.Reply{Text: "look", Calls: calls(read(path))} }
	for name, tt := range map[string]struct {
		rounds int
		check  func(string) error
		say    []llmtest.Reply
		answer string
		forced int // the first request that wants an answer
	}{
		"right":    {4, check, []llmtest.Reply{look("a"), look("b"), llmtest.Say("yes")}, "yes", 2},
		"mended":   {4, check, []llmtest.Reply{look("a"), look("b"), llmtest.Say("no"), llmtest.Say("yes")}, "yes", 2},
		"empty":    {3, check, []llmtest.Reply{look("a"), {Calls: calls(read("b"))}, llmtest.Say("yes")}, "yes", 1},
		"cut off":  {3, check, []llmtest.Reply{look("a"), {Text: "y", Stop: llm.StopLength}, llmtest.Say("yes")}, "yes", 1},
		"wrong":    {4, check, []llmtest.Reply{look("a"), look("b"), llmtest.Say("no"), llmtest.Say("NO")}, "NO", 2},
		"cut, fit": {3, func(string) error { return nil }, []llmtest.Reply{look("a"), {Text: "yes", Stop: llm.StopLength}}, "yes", 1},
		"of two":   {2, check, []llmtest.Reply{look("a"), llmtest.Say("yes")}, "yes", 1},
		"no check": {3, nil, []llmtest.Reply{look("a"), look("b"), llmtest.Say("yes")}, "yes", 2},
	} {
		t.Run(name, func(t *testing.T) {
			m := llmtest.Script(t, tt.say...)
			got, rounds, err := do(t, react.Loop{Model: m, MaxRounds: tt.rounds, Check: tt.check, Tools: files(map[string]string{"a": "A", "b": "B"}, nil)}, task)
			if tt.answer == "yes" {
				wantErr(t, err, nil)
			} else {
				wantErr(t, err, react.ErrNoAnswer)
			}
			same(t, []any{tt.answer, react.EndRounds, len(tt.say)}, []any{got.Answer, got.End, got.Rounds})
			for i, req := range m.Requests() {
				same(t, i >= tt.forced, req.NoCalls)
			}
			for i, r := range rounds {
				if last := i == len(rounds)-1; last != (r.End != "") || r.Number != i+1 {
					t.Errorf("round %d of %d, emitted as %d, ends by %q", i+1, len(rounds), r.Number, r.End)
				}
			}
		})
	}
}

func TestWhatWasWrongIsToldWithTheOrderToAnswer(t *testing.T) {
	check := func(s string) error { return fmt.Errorf("it is not yes") }
	m := llmtest.Script(t, llmtest.Reply{Text: "look", Calls: calls(read("a"))}, llmtest.Say("no"), llmtest.Say("no"))
	_, _, err := do(t, react.Loop{Model: m, MaxRounds: 3, Check: check, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, react.ErrNoAnswer)
	last := lines(m.Requests()[2].Messages)
	same(t, []string{"assistant: no", "user: That cannot be taken as an answer: it is not yes."}, last[len(last)-3:len(last)-1])
	golden(t, "last.golden", last[len(last)-1])
}

func TestABudgetThatForcesAnAnswerLetsItBeMended(t *testing.T) {
	look := llmtest.Reply{Text: "look", Calls: calls(read("a")), Usage: llm.Usage{Calls: 1, Input: 1, Cost: llm.Cost{Amount: llm.Dollars(0.01), Status: llm.CostKnown}}}
	// The empty turn costs nothing, so that the next one could be paid twice; it has to answer all the same.
	m := llmtest.Script(t, look, llmtest.Say(""), llmtest.Say("a"))
	got, _, err := do(t, react.Loop{Model: m, MaxCost: llm.Dollars(0.035), Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []any{"a", react.EndBudget, 3}, []any{got.Answer, got.End, got.Rounds})

	m = llmtest.Script(t, look, llmtest.Say(""), llmtest.Say("")) // but not twice
	got, _, err = do(t, react.Loop{Model: m, MaxCost: llm.Dollars(0.035), Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []any{"look", react.EndBudget, 3}, []any{got.Answer, got.End, got.Rounds})
}

func TestARefusedAnswerIsNoneWhenTheModelIsLostAfterIt(t *testing.T) {
	down := &llm.Error{Op: "call", Kind: llm.ErrUnavailable}
	check := func(string) error { return fmt.Errorf("no") }
	m := llmtest.Script(t, llmtest.Reply{Calls: calls(read("a"))}, llmtest.Say("wrong"), llmtest.Fail(down))
	got, _, err := do(t, react.Loop{Model: m, MaxRounds: 3, Check: check, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, llm.ErrUnavailable)
	same(t, []any{"", react.EndError, 2}, []any{got.Answer, got.End, got.Rounds})
}

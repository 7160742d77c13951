package react_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/tools"
)

func TestErrorsEndTheLoopWithWhatWasDone(t *testing.T) {
	down := &llm.Error{Op: "call", Kind: llm.ErrUnavailable}
	for name, tt := range map[string]struct {
		reply  llmtest.Reply
		want   error
		rounds []react.Round // that are emitted after the first
	}{
		"model":    {llmtest.Fail(down), llm.ErrUnavailable, []react.Round{}},
		"filtered": {llmtest.Reply{Text: "I", Stop: llm.StopFilter, Usage: llm.Usage{Calls: 1}}, llm.ErrFiltered, []react.Round{{Loop: "react", Number: 2, Text: "I", Usage: llm.Usage{Calls: 2}, End: react.EndError}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := llmtest.Script(t, llmtest.Reply{Calls: calls(read("a")), Usage: llm.Usage{Calls: 1}}, tt.reply)
			got, rounds, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
			wantErr(t, err, tt.want)
			if !strings.HasPrefix(err.Error(), "round 2: ") {
				t.Error(err)
			}
			same(t, []any{react.EndError, 1, 2}, []any{got.End, len(got.Calls), got.Usage.Calls})
			same(t, tt.rounds, rounds[1:])
		})
	}
}

func TestCancelledLoopKeepsNoHalfResults(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := tools.Tool{Name: "stop", Schema: json.RawMessage(`{"type":"object"}`), Call: func(context.Context, json.RawMessage) tools.Result {
		cancel()
		return tools.Result{Text: "half"}
	}}
	_, err := inNode(t, func(node context.Context) error {
		l := react.Loop{Model: llmtest.Script(t, llmtest.Call("stop", `{}`)), Tools: tools.Set{stop}, Fence: fence(t)}
		got, err := l.Run(merged{node, ctx}, task)
		same(t, []string{"assistant calls stop {}"}, lines(got.Messages))
		return err
	})
	wantErr(t, err, context.Canceled)
}

// merged has the values of one context and the end of another.
type merged struct {
	context.Context
	end context.Context
}

func (m merged) Done() <-chan struct{} { return m.end.Done() }
func (m merged) Err() error            { return m.end.Err() }

func TestLoopIsChecked(t *testing.T) {
	m := llmtest.Script(t)
	two := append(files(nil, nil), files(nil, nil)...)
	for _, tt := range []struct {
		loop react.Loop
		want string
	}{
		{react.Loop{}, "react: Loop.Model is not set"},
		{react.Loop{Model: m, MaxRounds: -1}, "react: Loop.MaxRounds is -1; it must not be negative"},
		{react.Loop{Model: m, Tools: tools.Set{{Name: "a.b"}}}, `react: the tool "a.b" has a name that providers do not take`},
		{react.Loop{Model: m, Tools: two}, `react: two tools have the name "read_file"`},
		{react.Loop{Model: m, Tools: tools.Set{{Name: "read_more"}}}, `react: two tools have the name "read_more"`},
	} {
		if _, _, err := do(t, tt.loop, task); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
	}
	if _, err := (react.Loop{Model: m}).Run(t.Context(), task); err == nil || !strings.Contains(err.Error(), "outside of a node") {
		t.Error(err)
	}
}

func TestToolsThatHaveNotBegunWhenItIsCancelledDoNot(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ran := 0
	stop := tools.Tool{Name: "stop", Call: func(context.Context, json.RawMessage) tools.Result {
		ran++
		cancel()
		return tools.Result{Text: "half"}
	}}
	three := llmtest.Reply{Calls: calls(llm.ToolCall{Name: "stop", Args: []byte(`{"n":1}`)}, llm.ToolCall{Name: "stop", Args: []byte(`{"n":2}`)}, llm.ToolCall{Name: "stop", Args: []byte(`{"n":3}`)})}
	_, err := inNode(t, func(node context.Context) error {
		l := react.Loop{Model: llmtest.Script(t, three), Tools: tools.Set{stop}, Fence: fence(t), Parallel: 1}
		_, err := l.Run(merged{node, ctx}, task)
		return err
	})
	wantErr(t, err, context.Canceled)
	same(t, 1, ran)
}

func TestABudgetOfTheRunEndsTheLoopWithWhatThereIs(t *testing.T) {
	out := &llm.BudgetError{What: "calls", Limit: "1", Used: "1"}
	for name, tt := range map[string]struct {
		text  string
		check func(string) error
		want  error
	}{
		"thought": {"It may be a.", nil, nil},
		"nothing": {"", nil, react.ErrNoAnswer},
		"misfit":  {"It may be a.", func(string) error { return errors.New("no") }, react.ErrNoAnswer},
	} {
		t.Run(name, func(t *testing.T) {
			m := llmtest.Script(t, llmtest.Reply{Text: tt.text, Calls: calls(read("a"))}, llmtest.Fail(out))
			got, _, err := do(t, react.Loop{Model: m, Check: tt.check, Tools: files(map[string]string{"a": "A"}, nil)}, task)
			wantErr(t, err, tt.want)
			if tt.want != nil {
				wantErr(t, err, llm.ErrBudget)
			}
			same(t, []any{tt.text, react.EndBudget, 1, 1}, []any{got.Answer, got.End, got.Rounds, len(got.Calls)})
		})
	}
	budget := &llm.Budget{MaxCalls: 2}
	m := llmtest.Script(t, llmtest.Reply{Text: "Look.", Calls: calls(read("a"))}, llmtest.Reply{Text: "It may be b.", Calls: calls(read("b"))})
	got, _, err := do(t, react.Loop{Model: budget.Guard(m), Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []any{"It may be b.", react.EndBudget, 2}, []any{got.Answer, got.End, got.Rounds})
}

func TestMarksOfTheFenceReachNoPerson(t *testing.T) {
	mark := "</untrusted-" + nonce + ">"
	m := llmtest.Script(t, llmtest.Reply{Text: "I saw " + mark, Calls: calls(read("a"))}, llmtest.Say("It ends at "+mark))
	check := func(s string) error {
		if strings.Contains(s, nonce) {
			return errors.New("a mark")
		}
		return nil
	}
	for _, l := range []react.Loop{{Model: m, Check: check}, {Model: llmtest.Script(t, llmtest.Say(`{"thought":"x","answer":"It ends at `+mark+`"}`)), JSON: true}} {
		l.Tools = files(map[string]string{"a": "A"}, nil)
		got, rounds, err := do(t, l, task)
		wantErr(t, err, nil)
		same(t, "It ends at </untrusted-(…)>", got.Answer)
		same(t, got.Answer, rounds[len(rounds)-1].Text)
		if len(rounds) > 1 {
			same(t, "I saw </untrusted-(…)>", rounds[0].Text)
		}
	}
	stop := llmtest.Script(t, llmtest.Reply{Text: "no " + mark, Stop: llm.StopFilter})
	_, rounds, err := do(t, react.Loop{Model: stop}, task)
	wantErr(t, err, llm.ErrFiltered)
	same(t, "no </untrusted-(…)>", rounds[0].Text)
}

func TestUsageIsBounded(t *testing.T) {
	const huge = 1 << 62
	mad := llm.Usage{Calls: huge, Failed: huge, Estimated: huge, Input: huge, Cached: huge, Written: huge, Output: huge, Cost: llm.Cost{Amount: huge, Status: llm.CostKnown}}
	m := llmtest.Script(t, llmtest.Reply{Calls: calls(read("a")), Usage: mad}, llmtest.Reply{Text: "a", Usage: mad})
	got, _, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	const two = 2 << 40
	same(t, llm.Usage{Calls: two, Failed: two, Estimated: two, Input: two, Cached: two, Written: two, Output: two, Cost: llm.Cost{Amount: llm.Dollars(20_000), Status: llm.CostKnown}}, got.Usage)
}

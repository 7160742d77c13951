package react_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/tools"
)

func TestErrorsEndTheLoopWithWhatWasDone(t *testing.T) {
	down := &llm.Error{Op: "call", Kind: llm.ErrUnavailable}
	for name, tt := range map[string]struct {
		reply llmtest.Reply
		want  error
	}{
		"model":    {llmtest.Fail(down), llm.ErrUnavailable},
		"filtered": {llmtest.Reply{Text: "I", Stop: llm.StopFilter}, llm.ErrFiltered},
	} {
		t.Run(name, func(t *testing.T) {
			m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), tt.reply)
			got, _, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
			wantErr(t, err, tt.want)
			if !strings.HasPrefix(err.Error(), "round 2: ") {
				t.Error(err)
			}
			same(t, []any{react.EndError, 1, 2}, []any{got.End, len(got.Calls), got.Usage.Calls})
		})
	}
}

func TestAPanicOfAToolIsAnError(t *testing.T) {
	broken := tools.Tool{Name: "broken", Schema: json.RawMessage(`{"type":"object"}`), Call: func(context.Context, json.RawMessage) tools.Result { panic("oops") }}
	_, _, err := do(t, react.Loop{Model: llmtest.Script(t, llmtest.Call("broken", `{}`)), Tools: tools.Set{broken}}, task)
	if p, ok := errors.AsType[*graph.PanicError](err); !ok || p.Value != "oops" || !strings.HasPrefix(err.Error(), "round 1: tool broken: panic: oops") {
		t.Error(err)
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

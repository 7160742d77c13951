package react_test

import (
	"context"
	"errors"
	"testing"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

// resumed runs a loop whose model is lost after its replies, and goes on with another.
func resumed(t *testing.T, first, then react.Loop) (got react.Result) {
	t.Helper()
	loops := []react.Loop{first, then}
	node := graph.New("test", graph.Last("answer", func(s *looked) *string { return &s.Answer }))
	node.Node("look", func(ctx context.Context, _ looked) (_ graph.Update[looked], err error) {
		l := loops[0]
		loops, l.Fence = loops[1:], fence(t)
		got, err = l.Run(ctx, task)
		return nil, err
	})
	node.Edge(graph.Begin, "look")
	node.Edge("look", graph.End)
	app, err := node.Compile(graph.Config{Store: graph.NewMemory()})
	wantErr(t, err, nil)
	_, err = app.Run(t.Context(), "t", graph.Start(looked{}))
	wantErr(t, err, errLost)
	_, err = app.Run(t.Context(), "t", graph.Continue[looked]())
	wantErr(t, err, nil)
	return got
}

var errLost = errors.New("lost")

func TestALoopGoesOnWhereItStood(t *testing.T) {
	ran := 0
	set := files(map[string]string{"a": "A", "b": "B"}, func(string) { ran++ })
	first := llmtest.Script(t, llmtest.Reply{Calls: calls(read("a"), read("b"))}, llmtest.Fail(errLost))
	then := llmtest.Script(t, llmtest.Say("done"))
	got := resumed(t, react.Loop{Model: first, Tools: set, Parallel: 1}, react.Loop{Model: then, Tools: set})
	same(t, []any{"done", 2, 2}, []any{got.Answer, got.Rounds, ran})
	if a, b := first.Requests()[1].Key, then.Requests()[0].Key; a != b {
		t.Errorf("the call has the keys %s and %s", a, b)
	}
	same(t, first.Requests()[1], then.Requests()[0])
}

func TestALoopGoesOnWithOtherTools(t *testing.T) {
	set := files(map[string]string{"a": "A"}, nil)
	other := numbered("f", 3)
	both := append(other, set...)
	first := llmtest.Script(t, llmtest.Reply{Calls: calls(read("a"), llmtest.Call("numbered", `{}`).Calls[0])}, llmtest.Fail(errLost))
	then := llmtest.Script(t, llmtest.Say("done"))
	got := resumed(t, react.Loop{Model: first, Tools: both}, react.Loop{Model: then, Tools: set})
	same(t, []string{
		"tool gives: " + fenced("r1", "A"),
		`tool fails: There is no tool "numbered". The tools are read_file, read_more.`,
	}, lines(got.Messages)[2:4])
	if a, b := first.Requests()[1].Key, then.Requests()[0].Key; a == b {
		t.Errorf("another request has the same key %s", a)
	}
}

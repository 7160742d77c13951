package react_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/tools"
)

func TestEqualArgumentsInAnotherOrderAreTheSameCall(t *testing.T) {
	m := llmtest.Script(t, llmtest.Call("read_file", `{"path": "a", "line": 1}`), llmtest.Call("read_file", `{"line":1,"path":"a"}`), llmtest.Say("done"))
	ran := 0
	_, _, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, func(string) { ran++ })}, task)
	wantErr(t, err, nil)
	same(t, 1, ran)
}

func TestArgumentsThatMeanTheSameAreTheSameCall(t *testing.T) {
	var ran []string
	tool := tools.Tool{Name: "look", Call: func(_ context.Context, args json.RawMessage) tools.Result {
		ran = append(ran, string(args))
		return tools.Result{Text: "x"}
	}}
	args := []string{`{"a":{"x":1,"y":[2.0]},"b":"<é"}`, `{ "b": "\u003c\u00e9", "a": {"y": [2], "x": 10e-1} }`, `{"a":{"x":1.5,"y":[2]}}`, `{"a":{"x":1e400,"y":[9007199254740993,-0]}}`}
	var replies []llmtest.Reply
	for _, a := range args {
		replies = append(replies, llmtest.Call("look", a))
	}
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, append(replies, llmtest.Say("done"))...), Tools: tools.Set{tool}}, task)
	wantErr(t, err, nil)
	same(t, []string{`{"a":{"x":1,"y":[2]},"b":"<é"}`, `{"a":{"x":1.5,"y":[2]}}`, `{"a":{"x":1e400,"y":[9007199254740993,0]}}`}, ran)
	same(t, []bool{false, true, false, false}, []bool{got.Calls[0].Bad, got.Calls[1].Bad, got.Calls[2].Bad, got.Calls[3].Bad})
}

func TestIDsThatCameBeforeAreReplaced(t *testing.T) {
	one := llm.ToolCall{ID: "x", Name: "read_file", Args: json.RawMessage(`{"path":"a"}`)}
	two := llm.ToolCall{ID: "x", Name: "read_file", Args: json.RawMessage(`{"path":"b"}`)}
	m := llmtest.Script(t, llmtest.Reply{Calls: calls(one, two)}, llmtest.Reply{Calls: calls(two, one)}, llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, Tools: files(nil, nil)}, task)
	wantErr(t, err, nil)
	var ids []string
	for _, i := range []int{3, 5} {
		for _, p := range got.Messages[i].Parts {
			ids = append(ids, p.Result.ID)
		}
	}
	same(t, []string{"x", "call_1_2", "call_2_1", "call_2_2"}, ids)
}

func TestIDsAreThoseThatAllProvidersTake(t *testing.T) {
	var asked []llm.ToolCall
	for _, id := range []string{"call_1_2", "", "a.b", strings.Repeat("x", 65), "é", strings.Repeat("x", 64), "toolu_01-A"} {
		asked = append(asked, llm.ToolCall{ID: id, Name: "read_file", Args: json.RawMessage(`{"path":"a"}`)})
	}
	m := llmtest.Script(t, llmtest.Reply{Calls: asked}, llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, Tools: files(nil, nil)}, task)
	wantErr(t, err, nil)
	var ids []string
	for _, p := range got.Messages[3].Parts {
		ids = append(ids, p.Result.ID)
	}
	same(t, []string{"call_1_2", "call_1_3", "call_1_4", "call_1_5", "call_1_6", strings.Repeat("x", 64), "toolu_01-A"}, ids)
}

func TestNumbersOfOneValueAreTheSameCall(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{`1.50`, `15e-1`, true}, {`1e20`, `1.0E+20`, true}, {`-3.0`, `-3`, true},
		{`9007199254740993`, `9007199254740992`, false}, {`"1"`, `1`, false},
	} {
		m := llmtest.Script(t, llmtest.Call("look", `{"n":`+tt.a+`}`), llmtest.Call("look", `{"n":`+tt.b+`}`), llmtest.Say("done"))
		look := tools.Tool{Name: "look", Call: func(context.Context, json.RawMessage) tools.Result { return tools.Result{Text: "x"} }}
		got, _, err := do(t, react.Loop{Model: m, Tools: tools.Set{look}}, task)
		wantErr(t, err, nil)
		if got.Calls[1].Bad != tt.same {
			t.Errorf("%s and %s: the same is %t", tt.a, tt.b, got.Calls[1].Bad)
		}
	}
}

func TestArgumentsAreTakenOutOfAnObjectAroundThem(t *testing.T) {
	for args, want := range map[string]string{
		`{"arguments":{"path":"a"}}`:           `{"path":"a"}`,
		`{"parameters":{"path":"a","line":1}}`: `{"line":1,"path":"a"}`,
		`{"input":{"path":"a"}}`:               `{"path":"a"}`,
		`{"input":{"path":"a","x":1}}`:         `{"input":{"path":"a","x":1}}`, // there is no x
		`{"input":{"path":"a"},"line":1}`:      `{"input":{"path":"a"},"line":1}`,
		`{"input":"a"}`:                        `{"input":"a"}`,
		`{"payload":{"path":"a"}}`:             `{"payload":{"path":"a"}}`,
		`{"arguments":{"input":{"path":"a"}}}`: `{"arguments":{"input":{"path":"a"}}}`,
	} {
		m := llmtest.Script(t, llmtest.Call("read_file", args), llmtest.Say("done"))
		got, _, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
		wantErr(t, err, nil)
		same(t, want, string(got.Calls[0].Args))
	}
	own := tools.Tool{Name: "own", Schema: json.RawMessage(`{"type":"object","properties":{"input":{},"path":{}}}`), Call: func(_ context.Context, args json.RawMessage) tools.Result {
		return tools.Result{Text: string(args)}
	}}
	m := llmtest.Script(t, llmtest.Call("own", `{"input":{"path":"a"}}`), llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, Tools: tools.Set{own}}, task)
	wantErr(t, err, nil)
	same(t, `{"input":{"path":"a"}}`, string(got.Calls[0].Args)) // it has a parameter of that name
}

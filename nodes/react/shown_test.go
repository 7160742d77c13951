package react_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/tools"
)

// numbered is a tool that shows the lines of a file of that many, under a head.
func numbered(path string, n int) tools.Set {
	var text strings.Builder
	fmt.Fprintln(&text, "head")
	for i := range n {
		fmt.Fprintf(&text, "%4d\tline %d\n", i+1, i+1)
	}
	shown := tools.Shown{Commit: "c0ffee", Span: source.Span{Path: path, Start: 1, End: n}}
	return tools.Set{{Name: "numbered", Call: func(context.Context, json.RawMessage) tools.Result {
		return tools.Result{Text: text.String(), Shown: []tools.Shown{shown}, At: []int{5}}
	}}}
}

func TestShownIsWhatTheModelSaw(t *testing.T) {
	again := llmtest.Call("read_more", `{"id":"r1","from":997}`)
	m := llmtest.Script(t, llmtest.Call("numbered", `{}`), llmtest.Call("numbered", `{}`), again, llmtest.Call("read_more", `{"id":"r1","from":1000}`), llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, ShowBytes: 1000, Tools: numbered("f", 300)}, task)
	wantErr(t, err, nil)
	var all []string
	for i, c := range got.Calls {
		first, _, _ := strings.Cut(got.Messages[3+2*i].Parts[0].Result.Text, "\n")
		all = append(all, fmt.Sprint(strings.TrimRight(first[:min(len(first), 31)], " "), " ", c.Shown))
	}
	same(t, []string{
		"r1, bytes 0 to 997 of 4097 [{c0ffee f:1-77}]",
		"This call was made before, and []",
		"r1, bytes 997 to 1997 of 4097 [{c0ffee f:78-150}]",
		"r1, bytes 1000 to 1997 of 4097 [{c0ffee f:79-150}]",
	}, all)
}

func TestResultsThatAreNoUTF8AreKept(t *testing.T) {
	set := numbered("\xff", 3)
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, llmtest.Call("numbered", `{}`), llmtest.Say("done")), Tools: set}, task)
	wantErr(t, err, nil)
	same(t, 0, len(got.Calls[0].Shown))
}

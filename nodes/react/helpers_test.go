package react_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/tools"
)

var update = flag.Bool("update", false, "rewrite the goldens")

const nonce = "K3XQ7ZP2MD4TBV5N"

func fence(t testing.TB) prompt.Fence {
	t.Helper()
	f, err := prompt.NewFence(nonce)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// looked is the state of a graph with one node, in which the loop runs.
type looked struct{ Answer string }

// do runs the loop in a node, and hands back what it gave and emitted.
func do(t testing.TB, l react.Loop, task react.Task) (react.Result, []react.Round, error) {
	t.Helper()
	if l.Fence == (prompt.Fence{}) {
		l.Fence = fence(t)
	}
	var result react.Result
	rounds, err := inNode(t, func(ctx context.Context) (err error) {
		result, err = l.Run(ctx, task)
		return err
	})
	return result, rounds, err
}

func inNode(t testing.TB, fn func(context.Context) error) (rounds []react.Round, err error) {
	t.Helper()
	g := graph.New("test", graph.Last("answer", func(s *looked) *string { return &s.Answer }))
	var inner error
	g.Node("look", func(ctx context.Context, _ looked) (graph.Update[looked], error) {
		inner = fn(ctx)
		return nil, inner
	})
	g.Edge(graph.Begin, "look")
	g.Edge("look", graph.End)
	app, err := g.Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	for e, err := range app.Stream(t.Context(), "t", graph.Start(looked{})) {
		if err != nil && inner == nil {
			t.Fatal(err)
		}
		if r, ok := e.Data.(react.Round); ok {
			rounds = append(rounds, r)
		}
	}
	return rounds, inner
}

type place struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// files is a set with one tool, read, over some texts; count is told each call.
func files(texts map[string]string, count func(path string)) tools.Set {
	schema, err := llm.SchemaFor[place]()
	if err != nil {
		panic(err)
	}
	return tools.Set{{
		Name: "read_file", Description: "Reads a file.", Schema: schema, ReadOnly: true,
		Call: func(_ context.Context, args json.RawMessage) tools.Result {
			var p place
			d := json.NewDecoder(bytes.NewReader(args))
			if d.DisallowUnknownFields(); d.Decode(&p) != nil {
				return tools.Result{Text: "the parameters are path, [line]", Failed: true, Refused: true}
			}
			if count != nil {
				count(p.Path)
			}
			text, ok := texts[p.Path]
			if !ok {
				return tools.Result{Text: fmt.Sprintf("no such file: %s", p.Path), Failed: true}
			}
			return tools.Result{Text: text}
		},
	}}
}

// lines is a conversation, one line a part, each without the opening messages.
func lines(messages []llm.Message) []string {
	var all []string
	for _, m := range messages[min(2, len(messages)):] {
		for _, p := range m.Parts {
			switch {
			case p.Call != nil:
				all = append(all, fmt.Sprintf("%s calls %s %s", m.Role, p.Call.Name, p.Call.Args))
			case p.Result != nil && p.Result.Failed:
				all = append(all, fmt.Sprintf("%s fails: %s", m.Role, p.Result.Text))
			case p.Result != nil:
				all = append(all, fmt.Sprintf("%s gives: %s", m.Role, p.Result.Text))
			default:
				all = append(all, fmt.Sprintf("%s: %s", m.Role, p.Text))
			}
		}
	}
	return all
}

// fenced is a result as the model sees it.
func fenced(id, text string) string {
	return fmt.Sprintf("%s\n<untrusted-%s origin=\"read_file %[1]s\">\n%[3]s\n</untrusted-%[2]s>", id, nonce, text)
}

func calls(cs ...llm.ToolCall) []llm.ToolCall { return cs }

func read(path string) llm.ToolCall {
	return llm.ToolCall{ID: "id-" + path, Name: "read_file", Args: json.RawMessage(fmt.Sprintf(`{"path":%q}`, path))}
}

func same(t testing.TB, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func wantErr(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got error %v, want %v", err, want)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	same(t, strings.Split(string(want), "\n"), strings.Split(got, "\n"))
}

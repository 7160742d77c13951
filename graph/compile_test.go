package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// A draft is the state of the graphs that are only built.
type draft struct {
	Title string
	Notes []string
}

var (
	draftTitle = graph.Last("title", func(s *draft) *string { return &s.Title })
	draftNotes = graph.Append("notes", func(s *draft) *[]string { return &s.Notes })
)

func newDraft(name string) *graph.Graph[draft] { return graph.New(name, draftTitle, draftNotes) }

func still(context.Context, draft) (graph.Update[draft], error) { return nil, nil }

func stillTask(context.Context, string) (graph.Update[draft], error) { return nil, nil }

func nowhere(draft) string { return "" }

func sendNothing(draft) []graph.Send[draft] { return nil }

// A flaw is one way to build a graph wrongly.
type flaw struct {
	name  string
	build func(*graph.Graph[draft])
}

// flaws compiles each graph and compares the errors with a golden file. What a
// flaw needs to be reached is added: Begin leads to "a".
func flaws(t *testing.T, file string, all []flaw) {
	t.Helper()
	var b strings.Builder
	for _, f := range all {
		g := newDraft("draft")
		f.build(g)
		_, err := g.Compile(graph.Config{})
		if err == nil {
			t.Errorf("%s: no problem is found", f.name)
		}
		fmt.Fprintf(&b, "# %s\n%v\n\n", f.name, err)
	}
	golden(t, file, b.String())
}

// chain leads from Begin over plain nodes to End.
func chain(g *graph.Graph[draft], names ...string) {
	last := graph.Begin
	for _, name := range names {
		g.Node(name, still)
		g.Edge(last, name)
		last = name
	}
	g.Edge(last, graph.End)
}

func TestCompileNamesEachFlaw(t *testing.T) {
	flaws(t, "compile.problems", []flaw{
		{"empty", func(*graph.Graph[draft]) {}},
		{"unknown target", func(g *graph.Graph[draft]) {
			chain(g, "a")
			g.Branch("b", nowhere, "c", graph.End)
			g.Node("b", still)
		}},
		{"way out of an unknown node", func(g *graph.Graph[draft]) { chain(g, "a"); g.Edge("b", "a") }},
		// https://github.com/langchain-ai/langgraph/issues/5829
		{"two ways out", func(g *graph.Graph[draft]) {
			chain(g, "a")
			g.Branch("a", nowhere, graph.End)
		}},
		{"two ways out of Begin", func(g *graph.Graph[draft]) { chain(g, "a"); g.Edge(graph.Begin, "a") }},
		{"no way out", func(g *graph.Graph[draft]) {
			g.Node("a", still)
			g.Edge(graph.Begin, "a")
		}},
		{"End leads on, and back to Begin", func(g *graph.Graph[draft]) { chain(g, "a"); g.Edge(graph.End, graph.Begin) }},
		{"bad names", func(g *graph.Graph[draft]) {
			chain(g, "", "a|b", "a\nb", "a\xff", "a\ufffd", strings.Repeat("a", 257), graph.End)
		}},
		{"node named Begin", func(g *graph.Graph[draft]) { chain(g, "a"); g.Node(graph.Begin, still) }},
		{"duplicate node", func(g *graph.Graph[draft]) { chain(g, "a"); g.Node("a", still) }},
		{"duplicate task", func(g *graph.Graph[draft]) {
			a := graph.Task(g, "a", stillTask)
			graph.Task(g, "a", stillTask)
			g.Fan(graph.Begin, sendNothing, graph.End, a)
		}},
		{"task with a way out", func(g *graph.Graph[draft]) {
			g.Fan(graph.Begin, sendNothing, graph.End, graph.Task(g, "a", stillTask))
			g.Edge("a", graph.End)
		}},
		{"edge to a task", func(g *graph.Graph[draft]) {
			graph.Task(g, "a", stillTask)
			g.Edge(graph.Begin, "a")
		}},
		{"join is a task", func(g *graph.Graph[draft]) {
			a := graph.Task(g, "a", stillTask)
			g.Fan(graph.Begin, sendNothing, "a", a)
		}},
		{"fan to the task of another graph", func(g *graph.Graph[draft]) {
			chain(g, "a")
			g.Node("b", still)
			g.Fan("b", sendNothing, "a", graph.Task(newDraft("other"), "c", stillTask))
		}},
		{"fan to a plain node", func(g *graph.Graph[draft]) {
			chain(g, "a")
			g.Node("b", still)
			g.Fan("b", sendNothing, "a", graph.Task(newDraft("other"), "a", stillTask))
		}},
		{"fan with nothing", func(g *graph.Graph[draft]) { g.Fan(graph.Begin, nil, graph.End) }},
		{"branch with nothing", func(g *graph.Graph[draft]) { g.Branch(graph.Begin, nil) }},
		{"target twice", func(g *graph.Graph[draft]) { g.Branch(graph.Begin, nowhere, graph.End, graph.End) }},
		{"nil functions", func(g *graph.Graph[draft]) {
			g.Node("a", nil)
			b := graph.Task[draft, string](g, "b", nil)
			graph.Sub[draft, draft](g, "c", nil, nil, nil)
			d := graph.SubTask[draft, string, draft](g, "d", newDraft("sub"), nil, nil)
			g.Edge(graph.Begin, "a")
			g.Fan("a", sendNothing, "c", b, d)
			g.Edge("c", graph.End)
		}},
		{"negative options", func(g *graph.Graph[draft]) {
			g.Node("a", still, graph.MaxVisits(-1))
			g.Node("b", still, graph.Timeout(-1))
			g.Node("c", still, graph.Retry(graph.Policy{Attempts: -1}))
			g.Edge(graph.Begin, "a")
			g.Edge("a", "b")
			g.Edge("b", "c")
			g.Edge("c", graph.End)
		}},
		{"argument that cannot be stored", func(g *graph.Graph[draft]) {
			g.Fan(graph.Begin, sendNothing, graph.End,
				graph.Task(g, "a", func(context.Context, func()) (graph.Update[draft], error) { return nil, nil }))
		}},
		{"sub-graph", func(g *graph.Graph[draft]) {
			same, keep := func(s draft) draft { return s }, func(draft) graph.Update[draft] { return nil }
			sub := newDraft("sub")
			sub.Edge(graph.Begin, "lost")
			graph.Sub(g, "a", sub, same, keep)
			g.Edge(graph.Begin, "a")
			g.Edge("a", graph.End)
		}},
		{"graph inside itself", func(g *graph.Graph[draft]) {
			same, keep := func(s draft) draft { return s }, func(draft) graph.Update[draft] { return nil }
			sub := newDraft("sub")
			graph.Sub(sub, "b", g, same, keep)
			sub.Edge(graph.Begin, "b")
			sub.Edge("b", graph.End)
			graph.Sub(g, "a", sub, same, keep)
			g.Edge(graph.Begin, "a")
			g.Edge("a", graph.End)
		}},
	})
}

func TestCompileReportsEveryProblemAtOnce(t *testing.T) {
	g := graph.New("draft", draftTitle)
	g.Node("a", nil)
	g.Edge("a", "b")
	g.Node("c", still, graph.MaxVisits(-1))
	g.Edge("c", "c")
	want := `graph "draft": Config.Concurrency is -1, want at least 1, or 0 for 16
Config.MaxSteps is -2, want at least 1, or 0 for 100
Config.LeaseTTL is -3ns, want at least 1ms, or 0 for 15s
graph_test.draft.Notes is covered by no field; give it a Last, Reduce or Append
node "a" has no function
node "c" has a negative option
"a" leads to the unknown node "b" (known: a, c)
nothing leads from Begin
node "a" is unreachable
node "c" is unreachable
cycle without a choice: c -> c; use a Branch`
	for range 20 { // in the same order each time
		_, err := g.Compile(graph.Config{Concurrency: -1, MaxSteps: -2, LeaseTTL: -3})
		if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestCompileReportsProblemsOfSubGraphsWithThoseOfTheParent(t *testing.T) {
	g, sub := newDraft("parent"), newDraft("sub")
	sub.Edge(graph.Begin, "lost")
	graph.Sub(g, "a", sub, func(s draft) draft { return s }, func(draft) graph.Update[draft] { return nil })
	g.Edge(graph.Begin, "a")
	g.Edge("a", "missing")
	_, err := g.Compile(graph.Config{})
	for _, want := range []string{`unknown node "missing"`, `sub-graph of "a": graph "sub": "(begin)" leads to the unknown node "lost"`} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q is not in:\n%v", want, err)
		}
	}
}

func TestCompileRefusesNilFields(t *testing.T) {
	var unset *graph.Field[draft, string]
	for name, f := range map[string]graph.FieldOf[draft]{"nil": nil, "nil *Field": unset} {
		func() {
			defer func() {
				if v := recover(); v != nil {
					t.Errorf("%s: panic: %v", name, v)
				}
			}()
			g := graph.New("draft", f, draftTitle, draftNotes)
			chain(g, "a")
			_, err := g.Compile(graph.Config{})
			if got, want := fmt.Sprint(err), `graph "draft": field 0 is nil`; got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}()
	}
}

package graph_test

import (
	"slices"
	"testing"

	"github.com/repomind/repomind/graph"
)

// variant builds a graph with one change of its structure.
func variant(change string) *graph.Graph[draft] {
	pick := func(usual, changed, when string) string {
		if change == when {
			return changed
		}
		return usual
	}
	same, keep := func(s draft) draft { return s }, func(draft) graph.Update[draft] { return nil }
	sub := newDraft("sub")
	chain(sub, pick("x", "y", "node of the sub-graph"))

	notes := draftNotes
	if change == "field kind" {
		notes = graph.Last("notes", func(s *draft) *[]string { return &s.Notes })
	}
	g := graph.New(pick("draft", "text", "graph name"),
		graph.Last(pick("title", "name", "field name"), func(s *draft) *string { return &s.Title }), notes)
	first := pick("a", "b", "node name")
	g.Node(first, still)
	graph.Sub(g, "c", sub, same, keep)
	g.Node("d", still)
	newTask := func() graph.TaskRef[draft, string] {
		if change == "node kind" {
			return graph.SubTask(g, "t", sub, func(string) draft { return draft{} }, keep)
		}
		return graph.Task(g, "t", stillTask)
	}
	task := newTask()
	g.Branch(first, nowhere, "d", pick("c", graph.End, "target"))
	if change == "branch for an edge" {
		g.Branch("c", nowhere, graph.End)
	} else {
		g.Edge("c", graph.End)
	}
	more := graph.Task(g, "u", stillTask)
	g.Node("e", still)
	g.Branch("d", nowhere, "e", "c")
	g.Fan("e", sendNothing, pick(graph.End, "c", "join"), task, more)
	if change == "tasks of a fan" {
		g.Fan(graph.Begin, sendNothing, first, task)
		return g
	}
	g.Fan(graph.Begin, sendNothing, first, task, more)
	return g
}

func TestHashChangesWithTheStructure(t *testing.T) {
	by := map[string]string{}
	for _, change := range []string{"nothing", "graph name", "field name", "field kind", "node name", "node kind",
		"branch for an edge", "target", "join", "tasks of a fan", "node of the sub-graph"} {
		app, err := variant(change).Compile(graph.Config{})
		if err != nil {
			t.Fatalf("%s: %v", change, err)
		}
		if other, ok := by[app.Hash()]; ok {
			t.Errorf("the change of %s goes unseen beside that of %s", change, other)
		}
		by[app.Hash()] = change
	}
}

func TestHashDoesNotDependOnTheOrderOfRegistration(t *testing.T) {
	var hashes []string
	for _, fields := range [][]graph.FieldOf[draft]{{draftTitle, draftNotes}, {draftNotes, draftTitle}} {
		steps := []func(g *graph.Graph[draft]){
			func(g *graph.Graph[draft]) { g.Node("a", still, graph.MaxVisits(len(hashes)+1)) }, // a limit is no structure
			func(g *graph.Graph[draft]) { g.Node("b", still, graph.MaxVisits(1)) },
			func(g *graph.Graph[draft]) { g.Edge(graph.Begin, "a") },
			func(g *graph.Graph[draft]) { g.Branch("b", nowhere, graph.End, "a") },
			func(g *graph.Graph[draft]) { g.Branch("a", nowhere, "b", graph.End) },
		}
		if len(hashes) > 0 {
			slices.Reverse(steps)
		}
		g := graph.New("draft", fields...)
		for _, step := range steps {
			step(g)
		}
		app, err := g.Compile(graph.Config{})
		if err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, app.Hash())
	}
	if hashes[0] != hashes[1] {
		t.Errorf("got %s and %s", hashes[0], hashes[1])
	}
}

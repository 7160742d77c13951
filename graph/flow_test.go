package graph_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/repomind/repomind/graph"
)

func TestFlowNamesEachFlaw(t *testing.T) {
	flaws(t, "flow.problems", []flaw{
		{"unreachable", func(g *graph.Graph[draft]) {
			chain(g, "a")
			g.Node("b", still)
			g.Edge("b", graph.End)
			graph.Task(g, "c", stillTask)
		}},
		{"unreachable fan", func(g *graph.Graph[draft]) {
			chain(g, "a")
			g.Node("b", still)
			g.Fan("b", sendNothing, "a", graph.Task(g, "c", stillTask))
		}},
		{"cannot reach End", func(g *graph.Graph[draft]) {
			chain(g, "a", "b")
			g.Node("c", still, graph.MaxVisits(1))
			g.Node("d", still)
			g.Branch("c", nowhere, "d")
			g.Branch("d", nowhere, "c")
		}},
		{"cannot reach End but is reached", func(g *graph.Graph[draft]) {
			g.Node("a", still)
			g.Node("b", still, graph.MaxVisits(1))
			g.Branch(graph.Begin, nowhere, "a", "b")
			g.Edge("a", graph.End)
			g.Branch("b", nowhere, "b")
		}},
		// langgraph runs such a cycle until its recursion limit
		{"cycle of edges", func(g *graph.Graph[draft]) {
			g.Node("a", still, graph.MaxVisits(3))
			g.Node("b", still)
			g.Edge(graph.Begin, "a")
			g.Edge("a", "b")
			g.Edge("b", "a")
		}},
		{"cycle of a fan", func(g *graph.Graph[draft]) {
			g.Node("a", still, graph.MaxVisits(3))
			g.Edge(graph.Begin, "a")
			g.Fan("a", sendNothing, "a", graph.Task(g, "b", stillTask))
		}},
		{"cycle without a bound", func(g *graph.Graph[draft]) {
			g.Node("a", still)
			g.Node("b", still)
			g.Edge(graph.Begin, "a")
			g.Edge("a", "b")
			g.Branch("b", nowhere, "a", graph.End)
		}},
		{"a bound on the task does not bound the cycle", func(g *graph.Graph[draft]) {
			g.Node("a", still)
			g.Node("c", still)
			g.Edge(graph.Begin, "a")
			g.Fan("a", sendNothing, "c", graph.Task(g, "b", stillTask, graph.MaxVisits(1)))
			g.Branch("c", nowhere, "a", graph.End)
		}},
		{"one of two cycles has a bound", func(g *graph.Graph[draft]) {
			g.Node("a", still)
			g.Node("b", still, graph.MaxVisits(1))
			g.Node("c", still)
			g.Edge(graph.Begin, "a")
			g.Branch("a", nowhere, "b", "c", graph.End)
			g.Edge("b", "a")
			g.Edge("c", "a")
		}},
		{"node that leads to itself", func(g *graph.Graph[draft]) {
			g.Node("a", still)
			g.Edge(graph.Begin, "a")
			g.Branch("a", nowhere, "a", graph.End)
		}},
	})
}

// What a check of the flow has to find, found by trying all walks.
type walk struct {
	targets [][]int // of each node; -1 is End
	branch  []bool
	bounded []bool
}

func randomWalk(r *rand.Rand) walk {
	n := 1 + r.IntN(5)
	w := walk{make([][]int, n), make([]bool, n), make([]bool, n)}
	for i := range n {
		w.branch[i], w.bounded[i] = r.IntN(2) == 0, r.IntN(3) == 0
		w.targets[i] = []int{r.IntN(n+1) - 1}
		if to := r.IntN(n+1) - 1; w.branch[i] && to != w.targets[i][0] {
			w.targets[i] = append(w.targets[i], to)
		}
	}
	return w
}

func (w walk) graph() *graph.Graph[draft] {
	name := func(i int) string {
		if i < 0 {
			return graph.End
		}
		return fmt.Sprint("n", i)
	}
	g := newDraft("walk")
	g.Edge(graph.Begin, "n0")
	for i, targets := range w.targets {
		var o []graph.NodeOption
		if w.bounded[i] {
			o = append(o, graph.MaxVisits(1))
		}
		g.Node(name(i), still, o...)
		if !w.branch[i] {
			g.Edge(name(i), name(targets[0]))
			continue
		}
		var to []string
		for _, x := range targets {
			to = append(to, name(x))
		}
		g.Branch(name(i), nowhere, to...)
	}
	return g
}

// reaches tells where one can be after one or more steps from a node that keep
// admits, over nodes that it admits.
func (w walk) reaches(from int, keep func(int) bool) map[int]bool {
	seen := map[int]bool{}
	var visit func(int)
	visit = func(i int) {
		if i < 0 || !keep(i) {
			return
		}
		for _, to := range w.targets[i] {
			if !seen[to] {
				seen[to] = true
				visit(to)
			}
		}
	}
	visit(from)
	return seen
}

func (w walk) valid() bool {
	all := func(int) bool { return true }
	first := w.reaches(0, all)
	for i := range w.targets {
		switch {
		case i != 0 && !first[i], !w.reaches(i, all)[-1]:
			return false
		case w.reaches(i, func(i int) bool { return !w.branch[i] })[i]: // a cycle without a choice
			return false
		case w.reaches(i, func(i int) bool { return !w.bounded[i] })[i]: // a cycle without a bound
			return false
		}
	}
	return true
}

func TestFlowAcceptsExactlyTheWalksThatEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	valid := 0
	for range 20_000 {
		w := randomWalk(r)
		_, err := w.graph().Compile(graph.Config{})
		if (err == nil) != w.valid() {
			t.Fatalf("%+v: valid is %v, but Compile says %v", w, w.valid(), err)
		}
		if err == nil {
			valid++
		}
	}
	if valid < 500 {
		t.Errorf("only %d of the graphs are valid: they test too little", valid)
	}
}

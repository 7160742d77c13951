package graphtest

import (
	"context"
	"fmt"

	"github.com/repomind/repomind/graph"
)

var subTests = tests{
	{"a resumed run goes on inside its sub-graph", subResume},
	{"sub-graphs in branches go on each from where it stands", subBranches},
	{"a sub-graph that failed goes on inside", subFailure},
	{"what a sub-graph kept is dropped when it is over", subEnds},
}

func toNote(s work) work { return work{Note: s.Note} }

func toLog(s work) update { return update{log.Set(s.Log), ok.Set(s.OK)} }

// nested has a sub-graph in a sub-graph, which asks.
func nested(c *calls) *graph.Graph[work] {
	inner := newGraph("inner")
	inner.Node("in1", c.logs("in1"))
	inner.Node("in2", c.asks("in2"))
	inner.Node("in3", c.logs("in3"))
	line(inner, "in1", "in2", "in3")
	mid := newGraph("mid")
	mid.Node("mid1", c.logs("mid1"))
	graph.Sub(mid, "mid2", inner, toNote, toLog)
	mid.Node("mid3", c.logs("mid3"))
	line(mid, "mid1", "mid2", "mid3")
	g := newGraph("outer")
	g.Node("out1", c.logs("out1"))
	graph.Sub(g, "out2", mid, toNote, toLog)
	g.Node("out3", c.logs("out3"))
	line(g, "out1", "out2", "out3")
	return g
}

func subResume(e *env) {
	var c calls
	p := pauses(e, compile(e, nested(&c)), "t", graph.Start(work{Note: "x"}))
	e.equal(len(p), 1)
	e.equal(c.String(), "in1=1 in2=1 mid1=1 out1=1")
	s, err := compile(e.again(), nested(&c)).Run(e.Context(), "t", yes(p[0]))
	e.must(err)
	e.equal(s, work{Note: "x", OK: true, Log: []string{"out1", "mid1", "in1", "in2 true", "in3", "mid3", "out3"}})
	e.equal(c.String(), "in1=1 in2=2 in3=1 mid1=1 mid3=1 out1=1 out3=1")
}

func subEnds(e *env) {
	var c calls
	g := nested(&c)
	p := pauses(e, compile(e, g), "t", graph.Start(work{}))
	e.equal(e.load("t|1.0", -1).Step, 1)
	e.equal(e.load("t|1.0|1.0", -1).Step, 1)
	e.equal(e.names(), []string{"t"})
	finish(e, compile(e, g), "t", yes(p[0]))
	e.gone("t|1.0", -1)
	e.gone("t|1.0|1.0", -1)
}

func subBranches(e *env) {
	var c calls
	child := newGraph("child")
	child.Node("one", func(_ context.Context, s work) (update, error) {
		c.add("one" + s.Note)
		return update{log.Set([]string{"one" + s.Note})}, nil
	})
	child.Node("two", func(ctx context.Context, s work) (update, error) {
		c.add("two" + s.Note)
		yes, err := graph.Interrupt[bool](ctx, "approve", "the same for all")
		return update{log.Set([]string{fmt.Sprint("two", s.Note, yes)})}, err
	})
	line(child, "one", "two")
	g := newGraph("branches")
	g.Node("plan", c.logs("plan"))
	g.Node("merge", c.logs("merge"))
	review := graph.SubTask(g, "review", child, func(n string) work { return work{Note: n} }, toLogOnly)
	g.Edge(graph.Begin, "plan")
	g.Fan("plan", func(work) []graph.Send[work] {
		return []graph.Send[work]{review.Send("A"), review.Send("B"), review.Send("C")}
	}, "merge", review)
	g.Edge("merge", graph.End)

	p := pauses(e, compile(e, g), "t", graph.Start(work{}))
	e.equal(len(p), 3)
	e.equal(pauses(e, compile(e.again(), g), "t", yes(p[2])), p[:2])
	e.equal(c.String(), "oneA=1 oneB=1 oneC=1 plan=1 twoA=1 twoB=1 twoC=2")
	s := finish(e, compile(e.again(), g), "t", yes(p[0]))
	e.equal(s.Log, []string{"plan", "oneA", "twoAtrue", "oneB", "twoBtrue", "oneC", "twoCtrue", "merge"})
	e.equal(c.String(), "merge=1 oneA=1 oneB=1 oneC=1 plan=1 twoA=2 twoB=2 twoC=2")
}

func toLogOnly(s work) update { return update{log.Set(s.Log)} }

func subFailure(e *env) {
	var c calls
	child := newGraph("child")
	child.Node("one", c.logs("one"))
	child.Node("two", func(context.Context, work) (update, error) {
		if c.add("two") == 1 {
			return nil, fmt.Errorf("no")
		}
		return update{log.Set([]string{"two"})}, nil
	})
	line(child, "one", "two")
	g := newGraph("failure")
	graph.Sub(g, "sub", child, toNote, toLogOnly)
	line(g, "sub")
	if _, err := compile(e, g).Run(e.Context(), "t", graph.Start(work{})); err == nil {
		e.Fatal("the node did not fail")
	}
	s, err := compile(e.again(), g).Run(e.Context(), "t", graph.Continue[work]())
	e.must(err)
	e.equal(s.Log, []string{"one", "two"})
	e.equal(c.String(), "one=1 two=2")
}

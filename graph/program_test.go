package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/repomind/repomind/graph"
)

// program is a random structured program, which can be built as a graph and can
// be interpreted.
type program struct {
	kind  string // "work", "seq", "branch", "loop", "fan" or "sub"
	name  string
	parts []*program
	width int
	asks  bool
}

const loopBound = 5

// randomProgram gives a program, and what the reference makes of it.
func randomProgram(seed uint64) (p *program, want world, limited bool) {
	r := rand.New(rand.NewPCG(seed, 0))
	names := 0
	p = grow(r, 4, &names)
	want, limited = p.interpret()
	return p, want, limited
}

func grow(r *rand.Rand, depth int, names *int) *program {
	*names++
	p := &program{kind: "work", name: fmt.Sprint("n", *names), width: 1 + r.IntN(6), asks: r.IntN(6) == 0}
	if depth == 0 || *names > 40 {
		return p
	}
	p.kind = []string{"work", "seq", "seq", "branch", "loop", "fan", "fan", "sub"}[r.IntN(8)]
	children := map[string]int{"seq": 2 + r.IntN(3), "branch": 2, "loop": 1, "fan": r.IntN(3), "sub": 1}[p.kind]
	for range children {
		p.parts = append(p.parts, grow(r, depth-1, names))
	}
	return p
}

// graph builds a program, whose nodes ask if there is someone to answer.
func (p *program) graph(asking bool) *graph.Graph[world] {
	g := graph.New(p.name, worldLast, worldTotal, worldLog)
	g.Edge(graph.Begin, p.build(g, graph.End, asking))
	return g
}

// build adds a program to a graph and gives the name of its first node.
func (p *program) build(g *graph.Graph[world], next string, asking bool) string {
	work := func(name string, o ...graph.NodeOption) {
		g.Node(name, func(ctx context.Context, s world) (graph.Update[world], error) {
			return perform(ctx, asking && p.asks, s.Total, func(answer int) writes { return node(name, s, answer) })
		}, o...)
	}
	switch p.kind {
	case "seq":
		for i := len(p.parts) - 1; i >= 0; i-- {
			next = p.parts[i].build(g, next, asking)
		}
		return next
	case "branch":
		work(p.name)
		a, b := p.parts[0].build(g, next, asking), p.parts[1].build(g, next, asking)
		g.Branch(p.name, func(s world) string { return []string{a, b}[s.Total%2] }, a, b)
	case "loop":
		work(p.name, graph.MaxVisits(loopBound))
		body := p.parts[0].build(g, p.name, asking)
		g.Branch(p.name, func(s world) string { return map[bool]string{true: body, false: next}[s.Total%p.width > 0] }, body, next)
	case "fan":
		work(p.name)
		work(p.name + "-join")
		g.Edge(p.name+"-join", next)
		tasks := []graph.TaskRef[world, sent]{graph.Task(g, p.name+"-task", func(ctx context.Context, a sent) (graph.Update[world], error) {
			return perform(ctx, asking && p.asks, a.Total, func(answer int) writes { return branch(p.name, a, answer) })
		})}
		for i, part := range p.parts {
			tasks = append(tasks, graph.SubTask(g, fmt.Sprint(p.name, "-sub", i), part.graph(asking), first, func(s world) graph.Update[world] { return back(s).update() }))
		}
		declared := make([]graph.TaskOf[world], len(tasks))
		for i, task := range tasks {
			declared[i] = task
		}
		g.Fan(p.name, func(s world) []graph.Send[world] {
			sends := make([]graph.Send[world], p.sends(s))
			for i := range sends {
				sends[i] = tasks[i%len(tasks)].Send(sent{i, s.Total})
			}
			return sends
		}, p.name+"-join", declared...)
	case "sub":
		graph.Sub(g, p.name, p.parts[0].graph(asking), func(s world) world { return first(sent{0, s.Total}) },
			func(s world) graph.Update[world] { return back(s).update() })
		g.Edge(p.name, next)
	default:
		work(p.name)
		g.Edge(p.name, next)
	}
	return p.name
}

func (p *program) sends(s world) int { return s.Total % (p.width + 1) }

// first is the state in which a sub-graph begins.
func first(a sent) world { return world{Last: fmt.Sprint("sub of ", a.Total), Total: a.Total + a.I} }

type tooMany struct{}

// interpret runs a program; if a loop goes round too often it gives the state
// before the step in which that happened.
func (p *program) interpret() (last world, limited bool) {
	defer func() {
		if v := recover(); v != nil {
			_ = v.(tooMany)
			limited = true
		}
	}()
	p.run(world{}, map[string]int{}, func(s world) { last = s })
	return last, false
}

// run is interpret inside one graph: visits are counted in it, and commit gets
// the state after each step.
func (p *program) run(s world, visits map[string]int, commit func(world)) world {
	done := func(w writes) {
		s = w.apply(s)
		commit(s)
	}
	sub := func(part *program, a sent) writes {
		return back(part.run(first(a), map[string]int{}, func(world) {}))
	}
	work := func(name string) { done(node(name, s, reply(s.Total))) }
	switch p.kind {
	case "seq":
		for _, part := range p.parts {
			s = part.run(s, visits, commit)
		}
	case "branch":
		work(p.name)
		s = p.parts[s.Total%2].run(s, visits, commit)
	case "loop":
		for {
			if visits[p.name]++; visits[p.name] > loopBound {
				panic(tooMany{})
			}
			if work(p.name); s.Total%p.width == 0 {
				return s
			}
			s = p.parts[0].run(s, visits, commit)
		}
	case "fan":
		work(p.name)
		if n := p.sends(s); n > 0 {
			all := s
			for i := range n {
				a := sent{i, s.Total}
				if task := i % (len(p.parts) + 1); task > 0 {
					all = sub(p.parts[task-1], a).apply(all)
				} else {
					all = branch(p.name, a, reply(a.Total)).apply(all)
				}
			}
			s = all
			commit(s)
		}
		work(p.name + "-join")
	case "sub":
		done(sub(p.parts[0], sent{0, s.Total}))
	default:
		work(p.name)
	}
	return s
}

package graph_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/repomind/repomind/graph"
)

// What the analysis of an issue knows. Each member is covered by one field.
type issue struct {
	URL, Kind  string
	Parts      []string
	Confidence float64
	Tries      int
	Approval   approval
}
type approval struct{ Approve bool }
type update = graph.Update[issue]

var (
	url        = graph.Last("url", func(s *issue) *string { return &s.URL })
	kind       = graph.Last("kind", func(s *issue) *string { return &s.Kind })
	parts      = graph.Append("parts", func(s *issue) *[]string { return &s.Parts })
	confidence = graph.Last("confidence", func(s *issue) *float64 { return &s.Confidence })
	tries      = graph.Reduce("tries", func(s *issue) *int { return &s.Tries }, func(a, b int) int { return a + b })
	approved   = graph.Last("approval", func(s *issue) *approval { return &s.Approval })
)

func analysis() *graph.Graph[issue] {
	g := graph.New("issue", url, kind, parts, confidence, tries, approved)
	g.Node("route", func(context.Context, issue) (update, error) { return update{kind.Set("security")}, nil })
	g.Node("human_gate", func(ctx context.Context, s issue) (update, error) {
		a, err := graph.Interrupt[approval](ctx, "security", "may "+s.URL+" be analysed?")
		return update{approved.Set(a)}, err
	})
	g.Node("prepare", func(context.Context, issue) (update, error) { return nil, nil })
	gather := graph.Task(g, "gather", func(_ context.Context, source string) (update, error) {
		return update{parts.Set([]string{"found by " + source})}, nil
	})
	g.Node("analyze", func(_ context.Context, s issue) (update, error) {
		return update{tries.Set(1), confidence.Set(0.4 * float64(s.Tries+1))}, nil
	}, graph.MaxVisits(3))
	g.Edge(graph.Begin, "route")
	g.Branch("route", func(s issue) string {
		if s.Kind == "security" {
			return "human_gate"
		}
		return "prepare"
	}, "human_gate", "prepare")
	g.Edge("human_gate", "prepare")
	g.Fan("prepare", func(issue) []graph.Send[issue] {
		return []graph.Send[issue]{gather.Send("grep"), gather.Send("rag"), gather.Send("git")}
	}, "analyze", gather)
	g.Branch("analyze", func(s issue) string {
		if s.Confidence < 0.7 {
			return "analyze"
		}
		return graph.End
	}, "analyze", graph.End)
	return g
}

func Example() {
	ctx := context.Background()
	app, err := analysis().Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		panic(err)
	}
	_, err = app.Run(ctx, "run-1", graph.Start(issue{URL: "octo/repo#1"}))
	p, _ := errors.AsType[*graph.Paused](err)
	fmt.Printf("paused at %s: %s\n", p.Pauses[0].Node, p.Pauses[0].Payload)
	yes := graph.AnswerTo(p.Pauses[0].ID, approval{Approve: true}, "alice")
	s, err := app.Run(ctx, "run-1", graph.Resume[issue](yes))
	fmt.Println(s.Parts, s.Tries, s.Confidence, err)
	// Output:
	// paused at human_gate: "may octo/repo#1 be analysed?"
	// [found by grep found by rag found by git] 2 0.8 <nil>
}

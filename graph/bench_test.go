package graph_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/repomind/repomind/graph"
)

type counter struct{ N int }

var n = graph.Last("n", func(s *counter) *int { return &s.N })

func line(t testing.TB, c graph.Config, length int) *graph.App[counter] {
	g := graph.New("line", n)
	last := graph.Begin
	for i := range length {
		name := fmt.Sprintf("n%d", i)
		g.Node(name, func(_ context.Context, s counter) (graph.Update[counter], error) {
			return graph.Update[counter]{n.Set(s.N + 1)}, nil
		})
		g.Edge(last, name)
		last = name
	}
	g.Edge(last, graph.End)
	app, err := g.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	return app
}

func BenchmarkLinear(b *testing.B) {
	for _, store := range []string{"none", "memory"} {
		b.Run(store, func(b *testing.B) {
			c := graph.Config{MaxSteps: 100}
			memory := graph.NewMemory()
			if store == "memory" {
				c.Store = memory
			}
			app := line(b, c, 100)
			b.ReportAllocs()
			for b.Loop() {
				s, err := app.Run(b.Context(), "t", graph.Start(counter{}))
				if err != nil || s.N != 100 {
					b.Fatal(s, err)
				}
				_ = memory.Delete(b.Context(), "t") // there is none without the store
			}
			b.ReportMetric(float64(100*b.N)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

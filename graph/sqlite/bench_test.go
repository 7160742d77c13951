package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
)

type work struct {
	N    int
	Text string
	Log  []string
}

var (
	n    = graph.Last("n", func(s *work) *int { return &s.N })
	text = graph.Last("text", func(s *work) *string { return &s.Text })
	log  = graph.Append("log", func(s *work) *[]string { return &s.Log })
)

func loop(t testing.TB, store graph.Checkpointer, steps int, entry string) *graph.App[work] {
	g := graph.New("loop", n, text, log)
	g.Node("count", func(_ context.Context, s work) (graph.Update[work], error) {
		u := graph.Update[work]{n.Set(s.N + 1)}
		if entry != "" {
			u = append(u, log.Set([]string{entry}))
		}
		return u, nil
	}, graph.MaxVisits(steps))
	g.Edge(graph.Begin, "count")
	g.Branch("count", func(s work) string {
		if s.N < steps {
			return "count"
		}
		return graph.End
	}, "count", graph.End)
	app, err := g.Compile(graph.Config{Store: store, MaxSteps: steps})
	if err != nil {
		t.Fatal(err)
	}
	return app
}

func BenchmarkLoop1000(b *testing.B) {
	for _, full := range []bool{false, true} {
		for _, entry := range []string{"", strings.Repeat("x", 1024)} {
			b.Run(fmt.Sprintf("full=%v/entry=%d", full, len(entry)), func(b *testing.B) {
				for b.Loop() {
					path := filepath.Join(b.TempDir(), "x.db")
					store, err := sqlite.Open(b.Context(), sqlite.Config{Path: path, Full: full})
					if err != nil {
						b.Fatal(err)
					}
					app := loop(b, store, 1000, entry)
					if _, err := app.Run(b.Context(), "t", graph.Start(work{Text: strings.Repeat("s", 50<<10)})); err != nil {
						b.Fatal(err)
					}
					if err := store.Close(); err != nil {
						b.Fatal(err)
					}
					info, _ := os.Stat(path)
					b.ReportMetric(float64(info.Size())/1e6, "MB")
				}
				b.ReportMetric(float64(1000*b.N)/b.Elapsed().Seconds(), "cp/s")
			})
		}
	}
}

package chroma_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/chroma"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

// BenchmarkQuery compares a server with package flat in one run.
func BenchmarkQuery(b *testing.B) {
	const n = 20_000
	items := vectortest.Clustered(n, 384)
	asks := vectortest.Queries(items, 200)
	server, err := chroma.Open(chroma.Config{URL: serve(b)})
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range []struct {
		name  string
		store vector.Store
	}{{"flat", flat.Open(flat.Config{Dir: b.TempDir()})}, {"chroma", server}} {
		began := time.Now()
		c, err := s.store.Open(b.Context(), key, 384)
		for batch := range slices.Chunk(items, 1000) {
			if err == nil {
				err = c.Upsert(b.Context(), batch)
			}
		}
		if err != nil {
			b.Fatal(err)
		}
		insert := time.Since(began)
		b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if _, err := c.Query(b.Context(), vector.Query{Vector: asks[i%len(asks)]}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
			b.ReportMetric(insert.Seconds(), "insert-s")
			b.ReportMetric(vectortest.Recall(b, c, items, asks[:20]), "recall")
		})
	}
}

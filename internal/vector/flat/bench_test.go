package flat_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

var key = vector.Key{Repo: "github.com/o/r", Model: "minilm"}

func BenchmarkQuery(b *testing.B) {
	for _, n := range []int{1_000, 20_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := b.TempDir()
			items := vectortest.Clustered(n, 384)
			c := open(b, dir, 384)
			began := time.Now()
			for batch := range slices.Chunk(items, 1000) {
				must(b, c.Upsert(b.Context(), batch))
			}
			insert := time.Since(began)
			must(b, c.Close())
			before := heapInUse()
			began = time.Now()
			c = open(b, dir, 384)
			opened := time.Since(began)
			asks := vectortest.Queries(items, 200)
			heap := heapInUse() - before
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				_, err := c.Query(b.Context(), vector.Query{Vector: asks[i%len(asks)]})
				must(b, err)
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[0].Microseconds()), "least-µs")
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
			b.ReportMetric(float64(heap)/1e6, "heap-MB")
			b.ReportMetric(insert.Seconds(), "insert-s")
			b.ReportMetric(opened.Seconds()*1000, "open-ms")
			b.ReportMetric(float64(diskUse(b, dir))/1e6, "disk-MB")
			b.ReportMetric(vectortest.Recall(b, c, items, asks[:20]), "recall")
		})
	}
}

// BenchmarkFloor reads as many bytes as a query must, and does nothing else.
func BenchmarkFloor(b *testing.B) {
	for _, n := range []int{1_000, 20_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			memory := make([]uint64, n*384/8)
			for i := range memory {
				memory[i] = uint64(i)
			}
			b.SetBytes(int64(len(memory) * 8))
			for b.Loop() {
				flat.Touch(memory)
			}
		})
	}
}

func open(tb testing.TB, dir string, dim int) vector.Collection {
	tb.Helper()
	c, err := flat.Open(flat.Config{Dir: dir}).Open(tb.Context(), key, dim)
	must(tb, err)
	tb.Cleanup(func() { c.Close() })
	return c
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// diskUse is what the files hold; a hole takes no disk.
func diskUse(tb testing.TB, dir string) int64 {
	var n int64
	must(tb, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		n += blocks(info)
		return err
	}))
	return n
}

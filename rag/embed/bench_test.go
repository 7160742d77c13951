package embed_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/repomind/repomind/rag/embed"
)

var weightsDir = flag.String("weights", os.Getenv("REPOMIND_TEST_MINILM"), "directory of the real all-MiniLM-L6-v2 for the benchmarks")

// BenchmarkLocal encodes texts of full length on all processors, and opens the
// model:
//
//	go test ./rag/embed -run - -bench Local -weights DIR
func BenchmarkLocal(b *testing.B) {
	if *weightsDir == "" {
		b.Skip("needs the real weights: -weights DIR")
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			if _, err := embed.Open(*weightsDir, embed.Config{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encode", func(b *testing.B) {
		l, err := embed.Open(*weightsDir, embed.Config{})
		if err != nil {
			b.Fatal(err)
		}
		var texts []string
		for range 16 {
			texts = append(texts, strings.Repeat("the file is read again ", 100))
		}
		for b.Loop() {
			if _, err := l.Encode(b.Context(), texts); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "texts/s")
	})
}

package bert_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/repomind/repomind/rag/embed/bert"
)

// BenchmarkEmbed runs the real weights on one core, for texts of some lengths:
//
//	go test ./rag/embed/bert -run - -bench Embed -cpu 1 -weights DIR
func BenchmarkEmbed(b *testing.B) {
	m := realModel(b)
	for _, n := range []int{16, 64, 128, 256} {
		b.Run(fmt.Sprintf("tokens=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			seqs := make([]bert.Sequence, 256/n)
			for i := range seqs {
				seqs[i].IDs = make([]int32, n)
				for j := range seqs[i].IDs {
					seqs[i].IDs[j] = 1000 + rng.Int32N(20000)
				}
			}
			s := m.Session()
			cpu := cpuTime()
			for b.Loop() {
				if _, err := s.Embed(b.Context(), seqs); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(seqs)*b.N)/b.Elapsed().Seconds(), "texts/s")
			if spent := (cpuTime() - cpu).Seconds(); spent > 0 {
				b.ReportMetric(float64(len(seqs)*b.N)/spent, "texts/cpu-s")
			}
		})
	}
}

package memory_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/repomind/repomind/memory"
)

// BenchmarkRecall asks as many lessons as a repository can have, of the given size.
func BenchmarkRecall(b *testing.B) {
	for _, size := range []int{600, memory.MaxText} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s := filled(b, size)
			q := ask("Gzip reader drops members", "gzip.py")
			q.Body = prose(rand.New(rand.NewPCG(3, 4)), 16<<10)
			for b.Loop() {
				if _, err := s.Recall(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func filled(b *testing.B, size int) *memory.Store {
	s, err := memory.Open(filepath.Join(b.TempDir(), "memory.db"), memory.Config{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range memory.MaxLessons {
		l := lesson(fmt.Sprint(i), prose(rng, 60))
		l.Text = prose(rng, size)
		if err := s.Save(b.Context(), l); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

// prose is words of which few are frequent.
func prose(rng *rand.Rand, size int) string {
	var s strings.Builder
	for s.Len() < size {
		fmt.Fprintf(&s, "word%d ", int(rng.ExpFloat64()*500))
	}
	return s.String()[:size]
}

package records_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/records"
)

// like is as many bytes as the facts of a large repository.
func like() records.Records {
	r := records.Records{}
	for i := range 1500 {
		r[fmt.Sprintf("%040x python", i*7919)] = strings.Repeat("record ", 900)
	}
	return r
}

func BenchmarkLoad(b *testing.B) {
	name := filepath.Join(b.TempDir(), "file")
	saved(b, name, like())
	b.Run("records", func(b *testing.B) {
		for b.Loop() {
			r, err := records.Load(name, version)
			if err != nil || len(r) != 1500 {
				b.Fatal(len(r), err)
			}
		}
	})
	// The floor is to read the file and do nothing with it.
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			_, err := os.ReadFile(name)
			must(b, err)
		}
	})
}

func BenchmarkSave(b *testing.B) {
	r := like()
	name := filepath.Join(b.TempDir(), "file")
	b.Run("records", func(b *testing.B) {
		for b.Loop() {
			saved(b, name, r)
		}
	})
	data := r.Bytes(version)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			must(b, os.WriteFile(name, data, 0o600))
		}
	})
}

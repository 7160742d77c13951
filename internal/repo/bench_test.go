package repo_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// Set REPOMIND_BENCH_REPO to a directory with a git repository to run these.
func benchSnapshot(b *testing.B) (*repo.Snapshot, string) {
	b.Helper()
	dir := os.Getenv("REPOMIND_BENCH_REPO")
	if dir == "" {
		b.Skip("REPOMIND_BENCH_REPO names no repository")
	}
	cacheDir := os.Getenv("REPOMIND_BENCH_CACHE")
	if cacheDir == "" {
		cacheDir = b.TempDir()
	}
	cache, err := repo.NewCache(repo.Config{Dir: cacheDir})
	if err != nil {
		b.Fatal(err)
	}
	clone, err := cache.Open(b.Context(), repo.Origin{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(clone.Close)
	at, err := clone.Resolve(b.Context(), "HEAD")
	if err != nil {
		b.Fatal(err)
	}
	s, err := clone.Snapshot(b.Context(), at)
	if err != nil {
		b.Fatal(err)
	}
	return s, dir
}

func BenchmarkGrep(b *testing.B) {
	s, dir := benchSnapshot(b)
	for _, q := range []repo.Query{{Pattern: "self"}, {Pattern: "import"}, {Pattern: `def \w+_type\(`}, {Pattern: "typevar", IgnoreCase: true}, {Pattern: `\w+Error\b`}} {
		b.Run("ours/"+q.Pattern, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Grep(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("git/"+q.Pattern, func(b *testing.B) {
			for b.Loop() {
				args := []string{"-C", dir, "grep", "-n", "-I", "-P", "-e", q.Pattern, string(s.Commit())}
				if q.IgnoreCase {
					args[2] = "grep"
					args = append(args[:3], append([]string{"-i"}, args[3:]...)...)
				}
				exec.Command("git", args...).Output() //nolint:errcheck // exit 1 is no match
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	s, _ := benchSnapshot(b)
	var files []source.File
	for _, f := range s.Files() {
		if f.Mode.Text() && f.Size > 0 && f.Size < 1<<20 {
			files = append(files, f)
		}
	}
	i := 0
	for b.Loop() {
		s.ReadLines(b.Context(), files[i%len(files)].Path, 1, 100) //nolint:errcheck // binary ones fail
		i++
	}
}

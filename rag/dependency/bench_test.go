package dependency_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/rag/dependency"
)

// standard is a repository with a part of Go's standard library as a dependency.
func standard(b *testing.B) (tree, int64) {
	b.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("go is not installed")
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	t, size := tree{{Name: "go.mod", Data: []byte("module x\nrequire example.com/std v1.0.0\nreplace example.com/std => ./std\n")}}, int64(0)
	for _, dir := range []string{"net", "crypto", "encoding", "go", "runtime"} {
		err := fs.WalkDir(os.DirFS(root), dir, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || path.Ext(p) != ".go" || strings.Contains(p, "testdata") {
				return err
			}
			data, err := os.ReadFile(filepath.Join(root, p))
			size += int64(len(data))
			t = append(t, txtar.File{Name: "std/" + p, Data: data})
			return err
		})
		if err != nil {
			b.Skip("the source of Go's standard library is not there: ", err)
		}
	}
	return t, size
}

// BenchmarkOpen reads and indexes a library, and answers the first search.
func BenchmarkOpen(b *testing.B) {
	t, size := standard(b)
	b.SetBytes(size)
	for b.Loop() {
		finder := dependency.NewSources(dependency.Config{Dir: b.TempDir()}).Finder(t, "")
		if _, err := finder.Search(b.Context(), "example.com/std", "", "dial with a timeout", 5); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSearch answers the searches after that.
func BenchmarkSearch(b *testing.B) {
	t, _ := standard(b)
	finder := dependency.NewSources(dependency.Config{Dir: b.TempDir()}).Finder(t, "")
	if _, err := finder.Search(b.Context(), "example.com/std", "", "dial", 5); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := finder.Search(b.Context(), "example.com/std", "", "tls: handshake fails with unexpected message when dial has a timeout", 5); err != nil {
			b.Fatal(err)
		}
	}
}

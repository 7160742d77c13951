package code_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/repomind/repomind/internal/code"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestLanguages compares what each extractor finds in a file, and the skeleton of the
// file, with the goldens that stand behind it.
func TestLanguages(t *testing.T) {
	names, err := filepath.Glob("testdata/language/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			golden(t, name, func(path string, data []byte) []txtar.File {
				s, err := code.Skeleton(path, data)
				if err != nil {
					t.Error(err)
				}
				return []txtar.File{
					{Name: "facts of " + path, Data: []byte(code.Dump(path, data))},
					{Name: "skeleton of " + path, Data: []byte(s)},
				}
			})
		})
	}
}

// golden compares the files that make gives for each source file of an archive with
// those that are in it.
func golden(t *testing.T, name string, make func(path string, data []byte) []txtar.File) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	now := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if strings.Contains(f.Name, " of ") {
			have[f.Name] = string(f.Data)
			continue
		}
		now.Files = append(now.Files, f)
		now.Files = append(now.Files, make(f.Name, f.Data)...)
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(now), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, f := range now.Files {
		if !strings.Contains(f.Name, " of ") {
			continue
		}
		if diff := cmp.Diff(have[f.Name], string(f.Data)); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", name, f.Name, diff)
		}
	}
}

package records_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/records"
)

// TestWriters: whoever reads while several write has the records of one of them, and
// they leave nothing beside the file.
func TestWriters(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	sets := make([]records.Records, 3)
	for i := range sets {
		sets[i] = records.Records{"who": strconv.Itoa(i), "long": strings.Repeat(strconv.Itoa(i), 50_000*(i+1))}
	}
	saved(t, name, sets[0])
	var writing sync.WaitGroup
	for _, r := range sets {
		writing.Go(func() {
			for range 30 {
				if err := r.Save(name, version, all(r)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 60 {
		checkOneOf(t, name, sets)
	}
	writing.Wait()
	checkOneOf(t, name, sets)
	checkFiles(t, dir, "file")
}

func checkOneOf(t *testing.T, name string, sets []records.Records) {
	t.Helper()
	got, err := records.Load(name, version)
	must(t, err)
	i, err := strconv.Atoi(got["who"])
	must(t, err)
	if !cmp.Equal(sets[i], got) {
		t.Errorf("records of writer %d, and others", i)
	}
}

// TestStaleFiles: what a killed process left is removed. What another one may be
// writing stays, and so do the files of other names and all directories.
func TestStaleFiles(t *testing.T) {
	dir := t.TempDir()
	then := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{"file.1.tmp", "file.2.tmp", "file.3.tmp.txt", "file.tmp", "file..tmp", "file.b.8.tmp", "9.tmp", "file.10", "files.4.tmp", "notes.5.tmp"} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
		must(t, os.Chtimes(filepath.Join(dir, name), then, then))
	}
	must(t, os.WriteFile(filepath.Join(dir, "file.6.tmp"), nil, 0o600))
	must(t, os.MkdirAll(filepath.Join(dir, "file.7.tmp", "inner"), 0o700))
	must(t, os.Chtimes(filepath.Join(dir, "file.7.tmp"), then, then))
	saved(t, filepath.Join(dir, "file"), sample)
	checkFiles(t, dir, "9.tmp", "file", "file..tmp", "file.10", "file.3.tmp.txt", "file.6.tmp", "file.7.tmp", "file.b.8.tmp", "file.tmp", "files.4.tmp", "notes.5.tmp")
}

// TestPrivate: what was worked out from a repository is for its reader alone.
func TestPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	saved(t, filepath.Join(dir, "file"), sample)
	for _, name := range []string{dir, filepath.Join(dir, "file")} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

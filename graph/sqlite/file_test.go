package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/repomind/repomind/graph/sqlite"
)

// mode gives the permissions of a file.
func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestOnlyItsOwnerReadsTheFile(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	for _, exists := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "x.db")
		if exists {
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		runLoop(t, open(t, sqlite.Config{Path: path}), 3, "x", "")
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if got := mode(t, name); got != 0o600 {
				t.Errorf("%s has mode %o, want 600", filepath.Base(name), got)
			}
		}
	}
}

func TestPathMayHoldAnything(t *testing.T) {
	for _, name := range []string{"a?mode=memory&x=y", "a#b", "100%", "%20", "with space", "ü日本", "a;b", "a'b", ":memory:", "file:x"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		runLoop(t, open(t, sqlite.Config{Path: path}), 2, "x", "")
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, f.Name())
		}
		want := []string{name, name + "-shm", name + "-wal"}
		if slices.Sort(want); !slices.Equal(names, want) {
			t.Errorf("files %q, want %q", names, want)
		}
		if l, err := open(t, sqlite.Config{Path: path}).Load(t.Context(), "t", -1); err != nil || l.Step != 2 {
			t.Errorf("%q opened again: %v", name, err)
		}
	}
}

func TestRelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	runLoop(t, open(t, sqlite.Config{Path: "x.db"}), 2, "x", "")
	if got := mode(t, "x.db"); got != 0o600 {
		t.Errorf("mode %o", got)
	}
}

// made makes a database file with the statements.
func made(t *testing.T, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func written(t *testing.T, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "written.db")
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenRefuses(t *testing.T) {
	for _, test := range []struct{ name, path, want string }{
		{"the database of another program", made(t, "CREATE TABLE users (name TEXT)"), "the file holds something else than checkpoints"},
		{"a file of a newer version", made(t, "CREATE TABLE thread (id); PRAGMA application_id=0x52677068; PRAGMA user_version=2"),
			"the file has version 2, this program knows 1; use a newer program"},
		{"a text", written(t, "Dear diary,\n"+strings.Repeat("today nothing happened. ", 1000)), "file is not a database"},
		{"a short text", written(t, "hello"), "file is not a database"},
		{"a cut file", written(t, "SQLite format 3\x00"), "file is not a database"},
		{"a directory", t.TempDir(), "is a directory"},
		{"a file in a missing folder", filepath.Join(t.TempDir(), "missing", "x.db"), "no such file or directory"},
		{"an empty path", "", "no such file or directory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			before, _ := os.ReadFile(test.path)
			_, err := sqlite.Open(t.Context(), sqlite.Config{Path: test.path})
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "sqlite: open "+test.path) {
				t.Errorf("got error %v, want one with %q and the path", err, test.want)
			}
			if after, _ := os.ReadFile(test.path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestRefusedFileKeepsItsMode(t *testing.T) {
	for _, path := range []string{made(t, "CREATE TABLE users (name TEXT)"), written(t, "hello")} {
		if err := os.Chmod(path, 0o664); err != nil {
			t.Fatal(err)
		}
		if _, err := sqlite.Open(t.Context(), sqlite.Config{Path: path}); err == nil {
			t.Error("it was not refused")
		}
		if got := mode(t, path); got != 0o664 {
			t.Errorf("mode %o, want 664", got)
		}
	}
}

func TestDamagedFileIsReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	runLoop(t, s, 50, "x", strings.Repeat("y", 1000))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(data); i++ { // all pages but the first, which has the schema
		data[i] = 0xA5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, sqlite.Config{Path: path})
	if _, err = s.Load(t.Context(), "t", -1); err == nil || !strings.Contains(err.Error(), "malformed") {
		t.Errorf("got error %v", err)
	}
}

func TestManyOpenANewFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	var wg sync.WaitGroup
	stores, errs := make([]*sqlite.Store, 8), make([]error, 8)
	for i := range stores {
		wg.Go(func() { stores[i], errs[i] = sqlite.Open(t.Context(), sqlite.Config{Path: path}) })
	}
	wg.Wait()
	for i, s := range stores {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		defer s.Close()
	}
	runLoop(t, stores[0], 2, "x", "")
	if _, err := stores[7].Load(t.Context(), "t", 2); err != nil {
		t.Error(err)
	}
	if n := count(t, path, "SELECT auto_vacuum FROM pragma_auto_vacuum"); n != 2 {
		t.Errorf("auto_vacuum is %d, want 2 (incremental)", n)
	}
}

// count reads a number from a file that may be open elsewhere.
func count(t *testing.T, path, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

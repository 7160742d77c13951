package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
)

// sizeOfLoop runs 1,000 steps with a state of 50 KB that does not change, and gives the
// size of the file.
func sizeOfLoop(t *testing.T, entry string) int64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	s, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	runLoop(t, s, 1000, strings.Repeat("s", 50<<10), entry)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return size(t, path)
}

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestConstantStateIsStoredOnce(t *testing.T) {
	if n := sizeOfLoop(t, ""); n > 500_000 {
		t.Errorf("1,000 steps take %d bytes, want at most 500,000", n)
	}
}

func TestGrowingListIsStoredAsItGrows(t *testing.T) {
	if n := sizeOfLoop(t, strings.Repeat("x", 1024)); n > 5_000_000 {
		t.Errorf("1,000 steps that each append 1 KB take %d bytes, want at most 5,000,000", n)
	}
}

// orphans counts what stands in a file without belonging to a thread.
const orphans = `SELECT (SELECT count(*) FROM blob WHERE h NOT IN (SELECT h FROM fld WHERE h IS NOT NULL UNION SELECT h FROM ckpt WHERE h IS NOT NULL))
	+ (SELECT count(*) FROM fld WHERE thread NOT IN (SELECT id FROM thread))
	+ (SELECT count(*) FROM ckpt WHERE thread NOT IN (SELECT id FROM thread))
	+ (SELECT count(*) FROM task WHERE thread NOT IN (SELECT id FROM thread))
	+ (SELECT count(*) FROM effect WHERE thread NOT IN (SELECT id FROM thread))
	+ (SELECT count(*) FROM answer WHERE thread NOT IN (SELECT id FROM thread))`

const missing = `SELECT (SELECT count(*) FROM fld WHERE h IS NOT NULL AND h NOT IN (SELECT h FROM blob))
	+ (SELECT count(*) FROM ckpt WHERE h IS NOT NULL AND h NOT IN (SELECT h FROM blob))`

// tidy checks that the file at path has n blobs and nothing that is not needed.
func tidy(t *testing.T, path string, blobs int) {
	t.Helper()
	for query, want := range map[string]int{
		orphans: 0, missing: 0, "SELECT count(*) FROM blob": blobs, "SELECT freelist_count FROM pragma_freelist_count": 0,
	} {
		if n := count(t, path, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
}

func TestDeleteGivesTheSpaceBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, sqlite.Config{Path: path})
	if _, err := s.Prune(t.Context(), graph.Retention{}); err != nil { // empties the log, so that sizes compare
		t.Fatal(err)
	}
	empty := size(t, path)
	app := loop(t, s, 300, logging(strings.Repeat("x", 4096)))
	shared := strings.Repeat("s", 50<<10)
	for _, name := range []string{"a", "b"} {
		if _, err := app.Run(t.Context(), name, graph.Start(work{Text: shared})); err != nil {
			t.Fatal(err)
		}
	}
	if n := count(t, path, "SELECT count(*) FROM blob WHERE length(d)>50000 AND length(d)<60000"); n != 1 {
		t.Errorf("the text of both threads is stored %d times", n)
	}
	if err := app.Fork(t.Context(), "a", 1, "fork", nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		if err := s.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	tidy(t, path, 2) // the text and the one entry of the fork
	if n := size(t, path); n > empty+100_000 {
		t.Errorf("the file has %d bytes, want the %d of an empty one and a fork", n, empty)
	}
	if err := s.Delete(t.Context(), "fork"); err != nil {
		t.Fatal(err)
	}
	tidy(t, path, 0)
	if n := size(t, path); n > empty {
		t.Errorf("the file has %d bytes, want the %d of an empty one", n, empty)
	}
}

func TestDeleteLeavesNoRow(t *testing.T) {
	path := copyOf(t, golden)
	const all = `SELECT (SELECT count(*) FROM thread)+(SELECT count(*) FROM ckpt)+(SELECT count(*) FROM fld)+(SELECT count(*) FROM task)
		+(SELECT count(*) FROM effect)+(SELECT count(*) FROM answer)`
	for table, want := range map[string]int{"thread": 2, "task": 4, "effect": 2, "answer": 2} {
		if n := count(t, path, "SELECT count(*) FROM "+table); n != want {
			t.Errorf("%d rows in %s, want %d", n, table, want)
		}
	}
	if err := open(t, sqlite.Config{Path: path}).Delete(t.Context(), "golden"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, path, all); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	tidy(t, path, 0)
}

func TestPruneGivesTheSpaceBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, sqlite.Config{Path: path})
	app := loop(t, s, 100, func(w work) graph.Update[work] {
		return graph.Update[work]{text.Set(fmt.Sprint(w.N) + strings.Repeat("t", 50<<10))}
	})
	want, err := app.Run(t.Context(), "t", graph.Start(work{}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Prune(t.Context(), graph.Retention{Steps: 1})
	if err != nil || p.Checkpoints != 100 {
		t.Fatal(p, err)
	}
	tidy(t, path, 1)
	if n := size(t, path); n > 200_000 { // of 100 texts of 50 KB
		t.Errorf("the file has %d bytes", n)
	}
	got, err := app.State(t.Context(), "t")
	if err != nil || got.State.N != 100 || got.State.Text != want.Text {
		t.Errorf("the state is %d %.10s, error %v", got.State.N, got.State.Text, err)
	}

	if p, err = s.Prune(t.Context(), graph.Retention{Before: time.Now().Add(time.Hour)}); err != nil || p.Threads != 1 {
		t.Fatal(p, err)
	}
	tidy(t, path, 0)
}

func TestEndedSubGraphLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, sqlite.Config{Path: path})
	child := graph.New("child", number, text, log)
	child.Node("write", func(context.Context, work) (graph.Update[work], error) {
		return graph.Update[work]{text.Set(strings.Repeat("c", 10<<10))}, nil
	})
	child.Edge(graph.Begin, "write")
	child.Edge("write", graph.End)
	g := graph.New("parent", number, text, log)
	graph.Sub(g, "sub", child, func(w work) work { return w }, func(work) graph.Update[work] { return nil })
	g.Edge(graph.Begin, "sub")
	g.Edge("sub", graph.End)
	app, err := g.Compile(graph.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := app.Run(t.Context(), "t", graph.Start(work{})); err != nil {
		t.Fatal(err)
	}
	if n := count(t, path, orphans) + count(t, path, "SELECT count(*) FROM blob"); n != 0 {
		t.Errorf("%d rows are left of the sub-graph", n)
	}
}

//go:build linux

package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/graph"
)

func TestFourProcessesMakeOneFileAtOnce(t *testing.T) {
	t.Parallel()
	var all []*child
	for i := range writers {
		all = append(all, start(t, job{Role: "open", Name: fmt.Sprint("process ", i)}))
	}
	dir := t.TempDir()
	for i := range rounds(200) {
		sub := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			c.tell("%s", sub)
		}
		for _, c := range all {
			if got := c.line(); got != "done" {
				t.Errorf("file %d: %s", i, got)
			}
		}
		checkMade(t, sub)
	}
}

// serveOpen opens one store after the other, as it is told, and begins a thread
// in each.
func serveOpen(ctx context.Context, j job) error {
	for {
		dir, err := stdin.ReadString('\n')
		if err != nil {
			return nil
		}
		fmt.Println(verdict(makeFile(ctx, strings.TrimSpace(dir), j.Name)))
	}
}

func makeFile(ctx context.Context, dir, thread string) error {
	store, err := openStore(ctx, dir)
	if err != nil {
		return err
	}
	claim := graph.Claim{Owner: graph.Owner{Host: "here"}, Run: thread}
	_, err = store.Begin(ctx, thread, claim, graph.Checkpoint{Frontier: []byte("{}")})
	return errors.Join(err, store.Close())
}

// checkMade checks that each process has left its thread, and that the file is
// one that can shrink.
func checkMade(t *testing.T, dir string) {
	t.Helper()
	if got := len(dump(t, dir)["thread"]); got != writers {
		t.Errorf("%s: %d threads, want %d", dir, got, writers)
	}
	db, err := sql.Open("sqlite3", filepath.Join(dir, "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const incremental = `["2"]`
	if got := query(t, db, "PRAGMA auto_vacuum"); !cmp.Equal(got, []string{incremental}) {
		t.Errorf("%s: auto_vacuum is %q", dir, got)
	}
	if got := query(t, db, "PRAGMA journal_mode"); !cmp.Equal(got, []string{`["wal"]`}) {
		t.Errorf("%s: journal_mode is %q", dir, got)
	}
}

package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/graphtest"
	"github.com/repomind/repomind/graph/sqlite"
)

func TestStore(t *testing.T) {
	graphtest.Run(t, func(t *testing.T) graphtest.Open {
		path := filepath.Join(t.TempDir(), "threads.db")
		return func(t *testing.T, now func() time.Time) graph.Checkpointer {
			return open(t, sqlite.Config{Path: path, Now: now})
		}
	})
}

// open opens a store until the end of the test.
func open(t testing.TB, c sqlite.Config) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

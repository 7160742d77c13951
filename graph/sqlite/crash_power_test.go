package sqlite

import (
	"path/filepath"
	"testing"
)

// A kill loses nothing that was committed; a loss of power loses what was not
// synced. So each barrier must sync, not only the first.
func TestEveryBarrierWaitsForTheDisk(t *testing.T) {
	s, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "x.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const normal, full = 1, 2 // https://sqlite.org/pragma.html#pragma_synchronous
	for i, barrier := range []bool{false, true, false, true, true, false, true} {
		var level int
		err := s.write.tx(t.Context(), barrier, func(x *tx) error {
			return x.row("PRAGMA synchronous").Scan(&level)
		})
		want := normal
		if barrier {
			want = full
		}
		if err != nil || level != want {
			t.Errorf("transaction %d, barrier %v: synchronous is %d, want %d (%v)", i, barrier, level, want, err)
		}
	}
}

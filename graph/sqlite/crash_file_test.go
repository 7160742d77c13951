//go:build linux

package sqlite_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dump gives all rows of all tables, and what SQLite says of the file.
func dump(t *testing.T, dir string) map[string][]string {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(dir, "x.db")+"?_busy_timeout=10000&_query_only=true")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if check := query(t, db, "PRAGMA integrity_check"); !cmp.Equal(check, []string{`["ok"]`}) {
		t.Errorf("file is damaged: %q", check)
	}
	rows := map[string][]string{}
	for _, table := range []string{"thread", "ckpt", "fld", "blob", "task", "effect", "answer"} {
		rows[table] = query(t, db, "SELECT * FROM "+table)
	}
	return rows
}

func query(t *testing.T, db *sql.DB, q string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		row, dest := make([]sql.RawBytes, len(names)), make([]any, len(names))
		for i := range row {
			dest[i] = &row[i]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%q", row))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

package main

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	_ "github.com/mattn/go-sqlite3"

	"github.com/repomind/repomind/rag/lexical"
)

// fts lets FTS5 of SQLite do the same work, in memory, without the texts. A go-sqlite3
// without it makes no row.
func fts(ctx context.Context, files [][]lexical.Part, queries []string) error {
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a memory of its own
	var builds []time.Duration
	for range 3 {
		began := time.Now()
		if err := ftsBuild(ctx, db, files); err != nil {
			return fmt.Errorf("build FTS5 (needs -tags sqlite_fts5): %w", err)
		}
		builds = append(builds, time.Since(began))
	}
	var pages, size int64
	if err := db.QueryRowContext(ctx, "SELECT * FROM pragma_page_count, pragma_page_size").Scan(&pages, &size); err != nil {
		return err
	}
	var asked []time.Duration
	for range 3 {
		for _, text := range queries {
			began := time.Now()
			if err := ftsAsk(ctx, db, text); err != nil {
				return fmt.Errorf("ask FTS5: %w", err)
			}
			asked = append(asked, time.Since(began))
		}
	}
	row("SQLite FTS5, chunks, ten best", builds, asked, pages*size)
	return nil
}

func ftsBuild(ctx context.Context, db *sql.DB, files [][]lexical.Part) error {
	if _, err := db.ExecContext(ctx, "DROP TABLE IF EXISTS chunk; VACUUM; CREATE VIRTUAL TABLE chunk USING fts5(body, content='')"); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx, "INSERT INTO chunk(body) VALUES (?)")
	if err != nil {
		return err
	}
	for _, f := range files {
		for _, p := range f {
			if _, err := insert.ExecContext(ctx, p.Body); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

func ftsAsk(ctx context.Context, db *sql.DB, text string) error {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	slices.Sort(words)
	match := `"` + strings.Join(slices.Compact(words), `" OR "`) + `"`
	rows, err := db.QueryContext(ctx, "SELECT rowid FROM chunk WHERE chunk MATCH ? ORDER BY rank LIMIT 10", match)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

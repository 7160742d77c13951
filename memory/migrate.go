package memory

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-sqlite3"
)

//go:embed schema.sql
var schema string

// migrations lead from each version of the file to the next; one that was released never
// changes. The version is how many were done.
var migrations = []string{schema}

const applicationID = 0x52676d6d // "Rgmm", see https://sqlite.org/pragma.html#pragma_application_id

// migrate refuses a foreign file before anything in it is changed, and brings another one
// to this version.
func (s *Store) migrate() error {
	conn, err := s.db.Conn(context.Background())
	if err != nil {
		return err
	}
	defer conn.Close()
	version, err := identify(conn)
	if err != nil {
		return err
	}
	if err := os.Chmod(s.path, 0o600); err != nil {
		return err
	}
	if err := logAhead(conn, s.cfg.BusyTimeout); err != nil || version == len(migrations) {
		return err
	}
	tx, err := conn.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after a Commit it does nothing
	return advance(tx)
}

func advance(tx *sql.Tx) error {
	version, err := identify(tx) // another process may have been faster
	if err != nil {
		return err
	}
	for _, m := range migrations[version:] {
		if _, err := tx.Exec(m); err != nil {
			return fmt.Errorf("bring the file to version %d: %w", len(migrations), err)
		}
	}
	if _, err := tx.Exec(fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d", applicationID, len(migrations))); err != nil {
		return err
	}
	return tx.Commit()
}

// identify gives the version of the file, 0 if it is empty.
func identify(db interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (version int, err error) {
	var app, tables int
	err = db.QueryRowContext(context.Background(), `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&app, &version, &tables)
	switch {
	case err != nil:
		return 0, err
	case app != applicationID && (tables > 0 || app != 0 || version != 0):
		return 0, fmt.Errorf("%w: it holds something else; nothing was changed: name another file", ErrBroken)
	case version > len(migrations):
		return 0, fmt.Errorf("%w: it has %d, this program knows %d: use a newer program", ErrNewer, version, len(migrations))
	}
	return version, nil
}

// logAhead lets readers go on while another process writes. SQLite's own patience does
// not cover a change of the journal.
func logAhead(conn *sql.Conn, limit time.Duration) error {
	for deadline := time.Now().Add(limit); ; time.Sleep(10 * time.Millisecond) {
		var mode string
		err := conn.QueryRowContext(context.Background(), "PRAGMA journal_mode=WAL").Scan(&mode)
		var e sqlite3.Error
		switch {
		case errors.As(err, &e) && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrLocked) && time.Now().Before(deadline):
			continue
		case err == nil && mode != "wal":
			return fmt.Errorf("the file system cannot hold a write-ahead log: journal mode is %q", mode)
		}
		return err
	}
}

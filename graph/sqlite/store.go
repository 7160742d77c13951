// Package sqlite keeps the checkpoints of package graph in a SQLite file.
//
// The file grows with what changed, not with the size of the state: a step adds
// the fields that it wrote, and a value of more than 512 bytes is kept once
// however often it is written. Several processes may use one file. The package
// needs cgo.
package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/repomind/repomind/graph"
)

// Config says where and how checkpoints are kept.
type Config struct {
	// Path is the file. It is made, with mode 0600, if it does not exist; its
	// folder must.
	Path string
	// Full makes every commit survive a loss of power. Otherwise the last steps
	// before one may have to be done again; answers, effects and the end of a run
	// survive in any case.
	Full bool
	// BusyTimeout is how long to wait for another process. Zero means 10 s.
	BusyTimeout time.Duration
	// Now is the clock of leases. Nil means time.Now.
	Now func() time.Time
}

// Store is a graph.Checkpointer on a SQLite file.
type Store struct {
	cfg    Config
	file   os.FileInfo
	write  *writer
	reader *sql.DB
}

var _ graph.Checkpointer = (*Store)(nil)

//go:embed schema.sql
var schema string

const (
	applicationID = 0x52677068 // "Rgph", see https://sqlite.org/pragma.html#pragma_application_id
	userVersion   = 1
)

// Open opens or makes a file.
func Open(ctx context.Context, c Config) (*Store, error) {
	if c.BusyTimeout == 0 {
		c.BusyTimeout = 10 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Store{cfg: c}
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", c.Path, err), s.Close())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) error {
	var err error
	if s.file, err = private(s.cfg.Path); err != nil {
		return err
	}
	path, err := filepath.Abs(s.cfg.Path)
	if err != nil {
		return err
	}
	uri := url.URL{Scheme: "file", Path: path}
	dsn := fmt.Sprintf("%s?_busy_timeout=%d&_synchronous=NORMAL", uri.String(), s.cfg.BusyTimeout.Milliseconds())
	if s.write, err = newWriter(ctx, dsn, s.cfg); err != nil {
		return err
	}
	if s.reader, err = sql.Open("sqlite3", dsn+"&_query_only=true"); err != nil {
		return err
	}
	s.reader.SetMaxOpenConns(4)
	s.reader.SetMaxIdleConns(1)
	return nil
}

// private makes the file if there is none, such that nobody else can read it.
// SQLite gives the files that it puts beside it the same mode.
func private(path string) (os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	return info, errors.Join(err, f.Close())
}

// same checks that the path still leads to the file that was opened: what is
// written to a deleted file is lost without an error.
func (s *Store) same() error {
	now, err := os.Stat(s.cfg.Path)
	if err == nil && !os.SameFile(now, s.file) {
		err = errors.New("it is another file now")
	}
	if err != nil {
		return fmt.Errorf("sqlite: %s was deleted or replaced since it was opened: %w", s.cfg.Path, err)
	}
	return nil
}

// Close closes the file; everything is stored already.
func (s *Store) Close() error {
	var errs []error
	if s.reader != nil {
		errs = append(errs, s.reader.Close())
	}
	if s.write != nil {
		errs = append(errs, s.write.close())
	}
	return errors.Join(errs...)
}

// prepare refuses a foreign file before anything in it is changed, and brings the
// connection into shape, and an empty file to this version.
func prepare(ctx context.Context, w *writer) error {
	version, err := identify(ctx, w.conn)
	if err != nil {
		return err
	}
	if err := os.Chmod(w.cfg.Path, 0o600); err != nil {
		return err
	}
	var mode string
	err = patiently(ctx, w.cfg.BusyTimeout, func() error {
		// auto_vacuum counts only before the first page is written.
		_, err := w.conn.ExecContext(ctx, "PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_size_limit=4194304; PRAGMA temp_store=MEMORY")
		return errors.Join(err, w.conn.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode))
	})
	switch {
	case err != nil:
		return err
	case mode != "wal":
		return fmt.Errorf("the file system cannot hold a write-ahead log: journal mode is %q", mode)
	case version == userVersion:
		return nil
	}
	return w.tx(ctx, false, func(*tx) error {
		// Another process may have been faster.
		if version, err := identify(ctx, w.conn); err != nil || version != 0 {
			return err
		}
		_, err := w.conn.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id=%d; PRAGMA user_version=%d", schema, applicationID, userVersion))
		return err
	})
}

// identify gives the version of the file, 0 if it is empty.
func identify(ctx context.Context, c *sql.Conn) (version int, err error) {
	var app, tables int
	err = c.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`).Scan(&app, &version, &tables)
	switch {
	case err != nil:
		return 0, err
	case app != applicationID && (tables > 0 || app != 0 || version != 0):
		return 0, errors.New("the file holds something else than checkpoints")
	case version > userVersion:
		return 0, fmt.Errorf("the file has version %d, this program knows %d; use a newer program", version, userVersion)
	}
	return version, nil
}

// patiently repeats what fails because another process holds the file. SQLite's
// own busy handler is not asked when the journal mode changes.
func patiently(ctx context.Context, limit time.Duration, fn func() error) error {
	deadline := time.Now().Add(limit)
	for {
		err := fn()
		var e sqlite3.Error
		if !errors.As(err, &e) || e.Code != sqlite3.ErrBusy && e.Code != sqlite3.ErrLocked || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"sync"

	"github.com/repomind/repomind/graph"
)

// writer is the one connection of this process that writes.
type writer struct {
	mu    sync.Mutex
	db    *sql.DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	cfg   Config
	full  bool // the current level of synchronous
}

func newWriter(ctx context.Context, dsn string, c Config) (*writer, error) {
	db, err := sql.Open("sqlite3", dsn)
	if err != nil {
		return nil, err
	}
	w := &writer{db: db, cfg: c, stmts: map[string]*sql.Stmt{}}
	if w.conn, err = db.Conn(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := prepare(ctx, w); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *writer) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, s := range w.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}

// tx is a transaction. The first error of its statements is kept, and rolls it
// back.
type tx struct {
	w   *writer
	ctx context.Context
	err error
}

// tx runs fn in an immediate transaction. A barrier, and with it everything
// before, survives a loss of power.
func (w *writer) tx(ctx context.Context, barrier bool, fn func(*tx) error) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	// A statement that is broken off would leave the transaction in doubt; each
	// of them is short.
	t := &tx{w: w, ctx: context.WithoutCancel(ctx)}
	w.sync(t, barrier || w.cfg.Full)
	t.exec("BEGIN IMMEDIATE")
	if t.err != nil {
		return t.err
	}
	done := false
	defer func() {
		if !done {
			_, _ = w.conn.ExecContext(t.ctx, "ROLLBACK") // the error that led here is the one to report
		}
	}()
	if err := fn(t); err != nil {
		return err
	}
	t.exec("COMMIT")
	done = t.err == nil
	return t.err
}

// sync sets how much a commit waits for the disk.
func (w *writer) sync(t *tx, full bool) {
	if w.full == full {
		return
	}
	if full {
		t.exec("PRAGMA synchronous=FULL")
	} else {
		t.exec("PRAGMA synchronous=NORMAL")
	}
	w.full = full == (t.err == nil)
}

// stmt gives the prepared form of a query.
func (t *tx) stmt(query string) *sql.Stmt {
	s := t.w.stmts[query]
	if s == nil && t.err == nil {
		s, t.err = t.w.conn.PrepareContext(t.ctx, query)
		if t.err == nil {
			t.w.stmts[query] = s
		}
	}
	return s
}

// exec runs a statement unless one has failed before, and gives the number of
// rows that it changed.
func (t *tx) exec(query string, args ...any) int64 {
	s := t.stmt(query)
	if t.err != nil {
		return 0
	}
	var r sql.Result
	if r, t.err = s.ExecContext(t.ctx, args...); t.err != nil {
		return 0
	}
	n, _ := r.RowsAffected() // this driver always knows
	return n
}

func (t *tx) row(query string, args ...any) *sql.Row {
	if s := t.stmt(query); s != nil {
		return s.QueryRowContext(t.ctx, args...)
	}
	return t.w.conn.QueryRowContext(t.ctx, query, args...)
}

// held gives the id of the thread if l is still the lease of its root.
func (t *tx) held(l graph.Lease, thread string) (id int64, err error) {
	if !l.Covers(thread) {
		return 0, l.Lost(thread)
	}
	err = t.row("SELECT id FROM thread WHERE name=? AND fence=? AND run=? AND until<>0", l.Thread, l.Fence, l.Run).Scan(&id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, l.Lost(thread)
	case err != nil || thread == l.Thread:
		return id, err
	}
	err = t.row("SELECT id FROM thread WHERE name=?", thread).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil // a sub-thread that is about to begin
	}
	return id, err
}

const inline = 512 // bytes

// data stores what is too large for a row and gives its two columns.
func (t *tx) data(b []byte) (d, h any) {
	if len(b) <= inline {
		return b, nil
	}
	sum := sha256.Sum256(b)
	t.exec("INSERT INTO blob (h, d) VALUES (?, ?) ON CONFLICT DO NOTHING", sum[:], b)
	return nil, sum[:]
}

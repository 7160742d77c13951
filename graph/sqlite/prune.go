package sqlite

import (
	"context"
	"errors"
	"math"

	"github.com/repomind/repomind/graph"
)

// Delete implements graph.Checkpointer.
func (s *Store) Delete(ctx context.Context, thread string) error {
	err := s.write.tx(ctx, false, func(t *tx) error {
		info, err := t.info(thread)
		switch {
		case err != nil:
			return err
		case info.Held(s.cfg.Now()):
			return info.Busy()
		}
		t.remove(thread)
		return t.err
	})
	if err != nil {
		return err
	}
	return s.shrink(ctx)
}

// remove deletes a thread with its sub-threads, whose names lie between name|
// and name}, and the blobs that nobody else has.
func (t *tx) remove(name string) {
	const ids = " IN (SELECT id FROM thread WHERE name=?1 OR name>?1||'|' AND name<?1||'}')"
	t.exec("CREATE TEMP TABLE IF NOT EXISTS gone (h BLOB PRIMARY KEY)")
	t.exec("INSERT OR IGNORE INTO gone SELECT h FROM fld WHERE h IS NOT NULL AND thread"+ids, name)
	t.exec("INSERT OR IGNORE INTO gone SELECT h FROM ckpt WHERE h IS NOT NULL AND thread"+ids, name)
	t.exec("DELETE FROM fld WHERE thread"+ids, name)
	t.exec("DELETE FROM ckpt WHERE thread"+ids, name)
	t.exec("DELETE FROM task WHERE thread"+ids, name)
	t.exec("DELETE FROM effect WHERE thread"+ids, name)
	t.exec("DELETE FROM answer WHERE thread"+ids, name)
	t.exec("DELETE FROM thread WHERE id"+ids, name)
	t.sweep()
}

// sweep deletes the blobs in gone to which nothing points any more.
func (t *tx) sweep() {
	t.exec(`DELETE FROM blob WHERE h IN (SELECT h FROM gone)
		AND NOT EXISTS (SELECT 1 FROM fld WHERE fld.h=blob.h) AND NOT EXISTS (SELECT 1 FROM ckpt WHERE ckpt.h=blob.h)`)
	t.exec("DELETE FROM gone")
}

// Prune implements graph.Checkpointer. Each thread is a transaction of its own, so
// that runners are not kept waiting.
func (s *Store) Prune(ctx context.Context, r graph.Retention) (p graph.Pruned, err error) {
	if r.Steps < 0 {
		return p, r.Bad()
	}
	all, err := s.threads(ctx)
	if err != nil {
		return p, err
	}
	found := false
	for _, t := range all {
		if r.Thread != "" && r.Thread != t.Thread {
			continue
		}
		found = true
		if err := s.pruneThread(ctx, t.Thread, r, &p); err != nil {
			return p, err
		}
	}
	if r.Thread != "" && !found {
		return p, noThread(r.Thread)
	}
	return p, s.shrink(ctx)
}

func (s *Store) pruneThread(ctx context.Context, thread string, r graph.Retention, p *graph.Pruned) error {
	return s.write.tx(ctx, false, func(t *tx) error {
		info, err := t.info(thread)
		switch {
		case errors.Is(err, graph.ErrNoThread):
			return nil // deleted meanwhile
		case err != nil:
			return err
		case info.Expired(r.Before) && !info.Held(s.cfg.Now()):
			t.remove(thread)
			p.Threads++
		case r.Steps > 0:
			p.Checkpoints += t.cut(thread, r.Steps)
		}
		return t.err
	})
}

// cut keeps the newest checkpoints of a thread and of its sub-threads.
func (t *tx) cut(name string, keep int) int {
	const old = ` FROM ckpt WHERE thread=?1 AND step<(SELECT step FROM ckpt WHERE thread=?1 ORDER BY step DESC LIMIT 1 OFFSET ?2)`
	// The oldest kept checkpoint needs the newest whole row of each field.
	const unused = ` FROM fld WHERE thread=?1 AND step<(SELECT y.step FROM fld y WHERE y.thread=?1 AND y.field=fld.field AND y.delta=0
		AND y.step<=(SELECT min(step) FROM ckpt WHERE thread=?1) ORDER BY y.step DESC LIMIT 1)`
	t.exec("CREATE TEMP TABLE IF NOT EXISTS gone (h BLOB PRIMARY KEY)")
	n := 0
	for _, id := range t.ids(name) {
		t.exec("INSERT OR IGNORE INTO gone SELECT h"+old+" AND h IS NOT NULL", id, keep-1)
		n += int(t.exec("DELETE"+old, id, keep-1))
		t.exec("INSERT OR IGNORE INTO gone SELECT h"+unused+" AND h IS NOT NULL", id)
		t.exec("DELETE"+unused, id)
	}
	t.sweep()
	return n
}

// ids are the keys of a thread and its sub-threads.
func (t *tx) ids(name string) []int64 {
	s := t.stmt("SELECT id FROM thread WHERE name=?1 OR name>?1||'|' AND name<?1||'}'")
	if t.err != nil {
		return nil
	}
	rows, err := s.QueryContext(t.ctx, name)
	ids, err := collect(rows, err, func(n *int64) []any { return []any{n} })
	t.err = err
	return ids
}

// shrink gives free pages back to the file system, a few at a time, so that other
// writers get in between. If a reader is at work, the log is cut a later time.
func (s *Store) shrink(ctx context.Context) error {
	for before := math.MaxInt; ; {
		free, err := s.write.vacuum(ctx)
		if err != nil {
			return err
		}
		if free == 0 || free >= before {
			return s.write.pragma(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
		}
		before = free
	}
}

// vacuum cuts off some pages and says how many free ones are left.
func (w *writer) vacuum(ctx context.Context) (free int, err error) {
	if err := w.pragma(ctx, "PRAGMA incremental_vacuum(1000)"); err != nil {
		return 0, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	err = w.conn.QueryRowContext(ctx, "PRAGMA freelist_count").Scan(&free)
	return free, err
}

// pragma runs a pragma each of whose rows is a piece of work.
func (w *writer) pragma(ctx context.Context, query string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	rows, err := w.conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
}

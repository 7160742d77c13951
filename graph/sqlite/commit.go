package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/repomind/repomind/graph"
)

// Begin implements graph.Checkpointer.
func (s *Store) Begin(ctx context.Context, thread string, c graph.Claim, first graph.Checkpoint) (l graph.Lease, err error) {
	if err := s.same(); err != nil {
		return l, err
	}
	err = s.write.tx(ctx, false, func(t *tx) error {
		if info, err := scanThread(t.row(threadQuery+"WHERE t.name=?", thread)); err == nil {
			return info.Exists()
		} else if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		id := t.thread(thread, c.Run)
		t.checkpoint(id, first)
		l = graph.Lease{Thread: thread, Run: c.Run, Was: graph.StatusRunning}
		return s.lease(t, id, c, &l)
	})
	return l, err
}

func (t *tx) thread(name, run string) (id int64) {
	r := t.row("INSERT INTO thread (name, run, status) VALUES (?, ?, ?) RETURNING id", name, run, graph.StatusRunning)
	if err := r.Scan(&id); err != nil && t.err == nil {
		t.err = err
	}
	return id
}

func (s *Store) lease(t *tx, id int64, c graph.Claim, l *graph.Lease) error {
	until := s.cfg.Now().Add(c.TTL).UnixNano()
	l.TTL = c.TTL
	if t.err != nil {
		return t.err
	}
	return t.row("UPDATE thread SET fence=fence+1, status=?, host=?, pid=?, start=?, until=? WHERE id=? RETURNING fence",
		graph.StatusRunning, c.Owner.Host, c.Owner.PID, int64(c.Owner.Start), until, id).Scan(&l.Fence)
}

// Acquire implements graph.Checkpointer.
func (s *Store) Acquire(ctx context.Context, thread string, c graph.Claim) (l graph.Lease, err error) {
	if err := s.same(); err != nil {
		return l, err
	}
	err = s.write.tx(ctx, false, func(t *tx) error {
		info, err := t.info(thread)
		switch {
		case err != nil:
			return err
		case info.Held(s.cfg.Now()):
			return info.Busy()
		}
		l = graph.Lease{Thread: thread, Run: info.Run, Was: info.Status}
		return s.lease(t, info.id, c, &l)
	})
	return l, err
}

// info reads a thread that Begin made.
func (t *tx) info(thread string) (record, error) {
	r, err := scanThread(t.row(threadQuery+"WHERE t.name=? AND instr(t.name, '|')=0", thread))
	if errors.Is(err, sql.ErrNoRows) {
		err = noThread(thread)
	}
	return r, err
}

func noThread(thread string) error { return fmt.Errorf("%w: %q", graph.ErrNoThread, thread) }

// holding runs fn in a transaction if l is still held, with the id of a thread.
func (s *Store) holding(ctx context.Context, l graph.Lease, thread string, barrier bool, fn func(*tx, int64) error) error {
	return s.write.tx(ctx, barrier, func(t *tx) error {
		id, err := t.held(l, thread)
		if err != nil {
			return err
		}
		if err := fn(t, id); err != nil {
			return err
		}
		return t.err
	})
}

// Renew implements graph.Checkpointer.
func (s *Store) Renew(ctx context.Context, l graph.Lease) error {
	return s.holding(ctx, l, l.Thread, false, func(t *tx, id int64) error {
		t.exec("UPDATE thread SET until=? WHERE id=?", s.cfg.Now().Add(l.TTL).UnixNano(), id)
		return nil
	})
}

// Release implements graph.Checkpointer.
func (s *Store) Release(ctx context.Context, l graph.Lease, status graph.Status) error {
	return s.holding(ctx, l, l.Thread, true, func(t *tx, id int64) error {
		t.exec("UPDATE thread SET status=?, ended=?, host='', pid=0, start=0, until=0 WHERE id=?", status, s.cfg.Now().UnixNano(), id)
		return nil
	})
}

// Commit implements graph.Checkpointer.
func (s *Store) Commit(ctx context.Context, l graph.Lease, thread string, c graph.Checkpoint) error {
	return s.holding(ctx, l, thread, false, func(t *tx, id int64) error {
		if id == 0 {
			id = t.thread(thread, l.Run)
		} else if err := t.follows(id, thread, c.Step-1); err != nil {
			return err
		}
		t.checkpoint(id, c)
		t.exec("DELETE FROM task WHERE thread=?", id)
		t.exec("DELETE FROM effect WHERE thread=?", id)
		for _, sub := range c.Ended {
			t.remove(sub)
		}
		return nil
	})
}

// follows checks that step is the newest of the thread.
func (t *tx) follows(id int64, thread string, step int) error {
	newest := -1
	if err := t.row("SELECT coalesce(max(step), -1) FROM ckpt WHERE thread=?", id).Scan(&newest); err != nil {
		return err
	}
	switch newest {
	case step:
		return nil
	case -1:
		return noThread(thread)
	}
	return fmt.Errorf("%w: thread %q is at step %d, not %d", graph.ErrSuperseded, thread, newest, step)
}

func (t *tx) checkpoint(id int64, c graph.Checkpoint) {
	d, h := t.data(c.Frontier)
	t.exec("INSERT INTO ckpt (thread, step, graph, at, d, h) VALUES (?, ?, ?, ?, ?, ?)", id, c.Step, c.Graph, stamp(c.At), d, h)
	for _, f := range c.Fields {
		d, h := t.data(f.Data)
		t.exec("INSERT INTO fld (thread, field, step, delta, version, d, h) VALUES (?, ?, ?, ?, ?, ?, ?)",
			id, f.Field, f.Step, f.Delta, f.Version, d, h)
	}
}

// PutTasks implements graph.Checkpointer.
func (s *Store) PutTasks(ctx context.Context, l graph.Lease, thread string, step int, rows []graph.TaskRow) error {
	barrier := false
	for _, r := range rows {
		barrier = barrier || r.State == graph.TaskPaused
	}
	return s.holding(ctx, l, thread, barrier, func(t *tx, id int64) error {
		if err := t.follows(id, thread, step); err != nil {
			return err
		}
		for _, r := range rows {
			t.exec("INSERT OR REPLACE INTO task (thread, step, idx, state, attempt, d) VALUES (?, ?, ?, ?, ?, ?)",
				id, step, r.Index, r.State, r.Attempt, r.Data)
		}
		return nil
	})
}

// PutEffect implements graph.Checkpointer.
func (s *Store) PutEffect(ctx context.Context, l graph.Lease, thread string, step int, e graph.EffectRow) error {
	return s.holding(ctx, l, thread, true, func(t *tx, id int64) error {
		if err := t.follows(id, thread, step); err != nil {
			return err
		}
		t.exec("INSERT OR REPLACE INTO effect (thread, step, task, key, d) VALUES (?, ?, ?, ?, ?)", id, step, e.Task, e.Key, e.Data)
		return nil
	})
}

// PutAnswers implements graph.Checkpointer.
func (s *Store) PutAnswers(ctx context.Context, thread string, rows []graph.AnswerRow) error {
	return s.write.tx(ctx, true, func(t *tx) error {
		var id int64
		err := t.row("SELECT id FROM thread WHERE name=?", thread).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return noThread(thread)
		}
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := t.answer(id, r); err != nil {
				return err
			}
		}
		return t.err
	})
}

func (t *tx) answer(thread int64, r graph.AnswerRow) error {
	added := t.exec("INSERT INTO answer (thread, id, node, key, value, who, at, shown) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		thread, r.ID, r.Node, r.Key, r.Value, r.Who, stamp(r.At), r.Shown)
	if t.err != nil || added == 1 {
		return t.err
	}
	old := r
	err := t.row("SELECT value, who FROM answer WHERE thread=? AND id=?", thread, r.ID).Scan(&old.Value, &old.Who)
	if err == nil && string(old.Value) != string(r.Value) {
		return old.Conflict()
	}
	return err
}

// stamp and nanos turn a time into nanoseconds since 1970 and back; the zero time
// lies out of their range.
func stamp(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixNano()
}

func nanos(n int64) time.Time {
	if n == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, n)
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/repomind/repomind/graph"
)

// record is a thread with its key.
type record struct {
	id    int64
	fence int64
	graph.ThreadInfo
}

const threadQuery = `SELECT t.id, t.fence, t.name, t.run, t.status, t.ended, t.host, t.pid, t.start, t.until, c.step, c.at
	FROM thread t JOIN ckpt c ON c.thread=t.id AND c.step=(SELECT max(step) FROM ckpt WHERE thread=t.id) `

func scanThread(row interface{ Scan(...any) error }) (r record, err error) {
	var ended, start, until, at int64
	err = row.Scan(&r.id, &r.fence, &r.Thread, &r.Run, &r.Status, &ended, &r.Owner.Host, &r.Owner.PID, &start, &until, &r.Step, &at)
	r.Owner.Start, r.Updated = uint64(start), nanos(max(at, ended))
	if until != 0 {
		r.Until = nanos(until)
	}
	return r, err
}

// read runs fn on one snapshot of the file.
func (s *Store) read(ctx context.Context, fn func(*sql.Tx) error) error {
	t, err := s.reader.BeginTx(ctx, nil)
	if err == nil {
		err = fn(t)
		_ = t.Rollback() // it has written nothing
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx) // the driver's own error tells less
	}
	return err
}

// Load implements graph.Checkpointer.
func (s *Store) Load(ctx context.Context, thread string, step int) (l *graph.Loaded, err error) {
	err = s.read(ctx, func(t *sql.Tx) error {
		r, err := scanThread(t.QueryRow(threadQuery+"WHERE t.name=?", thread))
		if errors.Is(err, sql.ErrNoRows) {
			return noThread(thread)
		}
		if err != nil {
			return err
		}
		l = &graph.Loaded{ThreadInfo: r.ThreadInfo}
		if step < 0 {
			step = r.Step
		}
		if l.Checkpoint, err = loadCheckpoint(t, r.id, step, wholeState); err != nil {
			return fmt.Errorf("%w: %q at step %d", err, thread, step)
		}
		if step == r.Step {
			return loadOpen(t, r.id, l)
		}
		return nil
	})
	return l, err
}

// loadCheckpoint reads a checkpoint with the rows that which selects of each field.
func loadCheckpoint(t *sql.Tx, id int64, step int, which string) (c graph.Checkpoint, err error) {
	var at int64
	err = t.QueryRow(`SELECT c.step, c.graph, c.at, coalesce(c.d, b.d) FROM ckpt c LEFT JOIN blob b ON b.h=c.h
		WHERE c.thread=? AND c.step=?`, id, step).Scan(&c.Step, &c.Graph, &at, &c.Frontier)
	if errors.Is(err, sql.ErrNoRows) {
		return c, graph.ErrNoThread
	}
	if err != nil {
		return c, err
	}
	c.At = nanos(at)
	rows, err := t.Query(eachField+which+" LEFT JOIN blob b ON b.h=x.h WHERE f IS NOT NULL ORDER BY x.field, x.step", id, step)
	c.Fields, err = collect(rows, err, func(f *graph.FieldRow) []any {
		return []any{&f.Field, &f.Step, &f.Delta, &f.Version, &f.Data}
	})
	return c, err
}

const (
	// eachField goes from one field of a thread to the next by index.
	eachField = `WITH RECURSIVE name (f) AS (
		SELECT min(field) FROM fld WHERE thread=?1
		UNION ALL
		SELECT (SELECT min(field) FROM fld WHERE thread=?1 AND field>f) FROM name WHERE f IS NOT NULL)
	SELECT x.field, x.step, x.delta, x.version, coalesce(x.d, b.d)
	FROM name CROSS JOIN fld x ON x.thread=?1 AND x.field=f AND x.step`
	// wholeState is the newest whole row and what stands behind it.
	wholeState = `<=?2 AND x.step>=(SELECT y.step FROM fld y
		WHERE y.thread=?1 AND y.field=f AND y.step<=?2 AND y.delta=0 ORDER BY y.step DESC LIMIT 1)`
	ownRows = `=?2`
)

// collect scans all rows into values whose columns dest names.
func collect[T any](rows *sql.Rows, err error, dest func(*T) []any) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var v T
		if err := rows.Scan(dest(&v)...); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// loadOpen reads what is stored of the step after the newest checkpoint.
func loadOpen(t *sql.Tx, id int64, l *graph.Loaded) error {
	rows, err := t.Query("SELECT idx, state, attempt, d FROM task WHERE thread=? ORDER BY idx", id)
	l.Tasks, err = collect(rows, err, func(r *graph.TaskRow) []any { return []any{&r.Index, &r.State, &r.Attempt, &r.Data} })
	if err != nil {
		return err
	}
	rows, err = t.Query("SELECT task, key, d FROM effect WHERE thread=? ORDER BY task, key", id)
	l.Effects, err = collect(rows, err, func(r *graph.EffectRow) []any { return []any{&r.Task, &r.Key, &r.Data} })
	if err != nil {
		return err
	}
	type dated struct {
		graph.AnswerRow
		at int64
	}
	rows, err = t.Query("SELECT id, node, key, value, who, at, shown FROM answer WHERE thread=? ORDER BY rowid", id)
	answers, err := collect(rows, err, func(r *dated) []any { return []any{&r.ID, &r.Node, &r.Key, &r.Value, &r.Who, &r.at, &r.Shown} })
	for _, a := range answers {
		a.At = nanos(a.at)
		l.Answers = append(l.Answers, a.AnswerRow)
	}
	return err
}

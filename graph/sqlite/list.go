package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/repomind/repomind/graph"
)

// History implements graph.Checkpointer.
func (s *Store) History(ctx context.Context, thread string) iter.Seq2[graph.Checkpoint, error] {
	return func(yield func(graph.Checkpoint, error) bool) {
		id, steps, err := s.steps(ctx, thread)
		which := wholeState // of the first, which may stand on rows older than itself
		for _, step := range steps {
			var c graph.Checkpoint
			err = s.read(ctx, func(t *sql.Tx) (err error) {
				c, err = loadCheckpoint(t, id, step, which)
				return err
			})
			which = ownRows
			if err != nil || !yield(c, nil) {
				break
			}
		}
		if err != nil {
			yield(graph.Checkpoint{}, fmt.Errorf("history of thread %q: %w", thread, err))
		}
	}
}

func (s *Store) steps(ctx context.Context, thread string) (id int64, steps []int, err error) {
	err = s.read(ctx, func(t *sql.Tx) error {
		err := t.QueryRow("SELECT id FROM thread WHERE name=?", thread).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return noThread(thread)
		}
		if err != nil {
			return err
		}
		rows, err := t.Query("SELECT step FROM ckpt WHERE thread=? ORDER BY step", id)
		steps, err = collect(rows, err, func(n *int) []any { return []any{n} })
		return err
	})
	return id, steps, err
}

// Threads implements graph.Checkpointer.
func (s *Store) Threads(ctx context.Context) iter.Seq2[graph.ThreadInfo, error] {
	return func(yield func(graph.ThreadInfo, error) bool) {
		all, err := s.threads(ctx)
		for _, r := range all {
			if !yield(r.ThreadInfo, nil) {
				return
			}
		}
		if err != nil {
			yield(graph.ThreadInfo{}, err)
		}
	}
}

func (s *Store) threads(ctx context.Context) (all []record, err error) {
	rows, err := s.reader.QueryContext(ctx, threadQuery+"WHERE instr(t.name, '|')=0 ORDER BY t.name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanThread(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

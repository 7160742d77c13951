package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// Save keeps the lesson of a finished run, in place of an earlier one of the same run, and
// lets the oldest of its repository and kind go where there are too many. The error is
// ErrInvalid for a lesson without a name, a text or a class.
func (s *Store) Save(ctx context.Context, l Lesson) error {
	l, err := prepare(l)
	if err != nil {
		return fmt.Errorf("save lesson: %w", err)
	}
	if err := s.same(); err != nil {
		return err
	}
	if err := s.change(ctx, func(tx *sql.Tx) error { return put(ctx, tx, l) }); err != nil {
		return fmt.Errorf("save lesson of run %s: %w", quote(l.Run), err)
	}
	return nil
}

// change does fn in one transaction.
func (s *Store) change(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return why(ctx, err)
	}
	if err = fn(tx); err == nil {
		err = tx.Commit()
	}
	if err != nil {
		_ = tx.Rollback() // the error that led here is the one to report
	}
	return why(ctx, err)
}

// why gives the error that tells most.
func why(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return plain(err)
}

func put(ctx context.Context, tx *sql.Tx, l Lesson) error {
	files, err := json.Marshal(append([]string{}, l.Files...))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO lesson (repo, kind, run, saved, issue_kind, class, confidence, sha, title, files, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET saved=excluded.saved, issue_kind=excluded.issue_kind, class=excluded.class,
		confidence=excluded.confidence, sha=excluded.sha, title=excluded.title, files=excluded.files, text=excluded.text`,
		l.Repo, l.Kind, l.Run, l.Saved.UnixMilli(), l.IssueKind, l.Class, l.Confidence, l.Commit, l.Title, string(files), l.Text)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM lesson WHERE id IN
		(SELECT id FROM lesson WHERE repo=?1 AND kind=?2 ORDER BY saved DESC, id DESC LIMIT -1 OFFSET ?3)`, l.Repo, l.Kind, MaxLessons)
	return err
}

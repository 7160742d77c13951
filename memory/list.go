package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Filter selects lessons: those that have all that is set. The zero Filter selects all.
type Filter struct {
	ID   int64
	Repo string
	Kind Kind
}

// where is the condition of SQL, and its values.
func (f Filter) where() (string, []any) {
	cond, args := []string{"true"}, []any(nil)
	add := func(set bool, c string, v any) {
		if set {
			cond, args = append(cond, c), append(args, v)
		}
	}
	add(f.ID != 0, "id=?", f.ID)
	add(f.Repo != "", "repo=?", f.Repo)
	add(f.Kind != "", "kind=?", f.Kind)
	return " WHERE " + strings.Join(cond, " AND "), args
}

const columns = "id, repo, kind, run, saved, issue_kind, class, confidence, sha, title, files, text"

// List gives the lessons that a filter selects, the newest first.
func (s *Store) List(ctx context.Context, f Filter) ([]Lesson, error) {
	where, args := f.where()
	rows, err := s.db.QueryContext(ctx, "SELECT "+columns+" FROM lesson"+where+" ORDER BY saved DESC, id DESC", args...)
	if err != nil {
		return nil, fmt.Errorf("list lessons: %w", why(ctx, err))
	}
	defer rows.Close()
	var all []Lesson
	for rows.Next() {
		l, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("list lessons: %w", why(ctx, err))
		}
		all = append(all, l)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list lessons: %w", why(ctx, err))
	}
	return all, nil
}

// Get gives a lesson by its ID, or ErrNotFound.
func (s *Store) Get(ctx context.Context, id int64) (Lesson, error) {
	l, err := scan(s.db.QueryRowContext(ctx, "SELECT "+columns+" FROM lesson WHERE id=?", id))
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNotFound
	}
	if err != nil {
		return Lesson{}, fmt.Errorf("lesson %d: %w", id, why(ctx, err))
	}
	return l, nil
}

func scan(row interface{ Scan(...any) error }) (l Lesson, err error) {
	var saved int64
	var files string
	err = row.Scan(&l.ID, &l.Repo, &l.Kind, &l.Run, &saved, &l.IssueKind, &l.Class, &l.Confidence, &l.Commit, &l.Title, &files, &l.Text)
	if err != nil {
		return l, err
	}
	l.Saved = time.UnixMilli(saved).UTC()
	if err := json.Unmarshal([]byte(files), &l.Files); err != nil {
		return l, fmt.Errorf("%w: the files of lesson %d: %w; forget it", ErrBroken, l.ID, err)
	}
	if len(l.Files) == 0 {
		l.Files = nil
	}
	return l, nil
}

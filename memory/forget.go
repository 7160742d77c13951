package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/vector"
)

// Forget deletes the lessons that a filter selects, out of the file's pages too, and tells
// how many. The zero Filter is refused with ErrInvalid; Clear is for all. Vectors, from
// which a text can be guessed at, go as well if [Config] names their store; an error that
// comes with a number above 0 means that they may still be there.
func (s *Store) Forget(ctx context.Context, f Filter) (int, error) {
	if f == (Filter{}) {
		return 0, fmt.Errorf("forget: want a lesson, a repository or a kind: %w", ErrInvalid)
	}
	return s.forget(ctx, f)
}

// Clear is Forget for all lessons.
func (s *Store) Clear(ctx context.Context) (int, error) { return s.forget(ctx, Filter{}) }

func (s *Store) forget(ctx context.Context, f Filter) (n int, err error) {
	if err := s.same(); err != nil {
		return 0, err
	}
	ids := map[string][]string{} // of items, by the repository
	err = s.change(ctx, func(tx *sql.Tx) error { return remove(ctx, tx, f, ids) })
	if err != nil {
		return 0, fmt.Errorf("forget lessons: %w", err)
	}
	for _, some := range ids {
		n += len(some)
	}
	// The log still has the text. A process that reads keeps it there until the next time.
	if _, err := s.db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return n, fmt.Errorf("%d lessons are forgotten, but not yet written over: %w", n, why(ctx, err))
	}
	if err := s.forgetVectors(ctx, f, ids); err != nil {
		return n, fmt.Errorf("%d lessons are forgotten, but not their vectors: %w", n, err)
	}
	return n, nil
}

func remove(ctx context.Context, tx *sql.Tx, f Filter, ids map[string][]string) error {
	where, args := f.where()
	rows, err := tx.QueryContext(ctx, "DELETE FROM lesson"+where+" RETURNING id, repo", args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var repo string
		if err := rows.Scan(&id, &repo); err != nil {
			return err
		}
		ids[repo] = append(ids[repo], strconv.FormatInt(id, 10))
	}
	return rows.Err()
}

// forgetVectors removes what was made of lessons, by whatever model. Of a whole repository
// the collection goes, with all that earlier times left in it.
func (s *Store) forgetVectors(ctx context.Context, f Filter, ids map[string][]string) error {
	if s.cfg.Vectors == nil {
		return nil
	}
	all, err := s.cfg.Vectors.List(ctx)
	errs := []error{err}
	for _, c := range all {
		switch {
		case !strings.HasPrefix(c.Key.Repo, s.prefix()): // not ours
		case f == Filter{} || f == Filter{Repo: f.Repo} && c.Key.Repo == s.key(f.Repo).Repo:
			errs = append(errs, s.cfg.Vectors.Remove(ctx, c.Key))
		default:
			for repo, some := range ids {
				if c.Key.Repo == s.key(repo).Repo {
					errs = append(errs, s.drop(ctx, c, some))
				}
			}
		}
	}
	return errors.Join(errs...)
}

func (s *Store) drop(ctx context.Context, c vector.Info, ids []string) error {
	kept, err := s.cfg.Vectors.Open(ctx, c.Key, c.Dim)
	if err != nil {
		return err
	}
	return errors.Join(kept.Delete(ctx, ids...), kept.Close())
}

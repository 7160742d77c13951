package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/vector"
)

// Recall gives the lessons of a repository and kind that fit a question, or none. Where
// vectors fail it compares words and says so in a note; an error is of the memory file, of
// the question (ErrInvalid), or the end of ctx.
func (s *Store) Recall(ctx context.Context, q Query) (Recall, error) {
	if err := checkPlace(q.Repo, q.Kind); err != nil {
		return Recall{}, fmt.Errorf("recall lessons: %w", err)
	}
	q.Title, q.Body = text(q.Title, MaxTitle), text(q.Body, maxBody)
	if some, err := s.some(ctx, q); err != nil || !some {
		return Recall{}, err
	}
	m, notes := s.tryMeaning(ctx, q)
	lessons, err := s.List(ctx, Filter{Repo: q.Repo, Kind: q.Kind})
	if err != nil {
		return Recall{}, errors.Join(err, m.close())
	}
	if m != nil {
		notes = append(notes, s.finish(ctx, m, q, lessons)...)
	}
	if ctx.Err() != nil {
		return Recall{}, context.Cause(ctx)
	}
	fit, err := choose(q, lessons, m)
	return Recall{Lessons: fit, Notes: notes}, err
}

// some says whether there is anything to compare.
func (s *Store) some(ctx context.Context, q Query) (some bool, err error) {
	if strings.TrimSpace(q.Title+q.Body) == "" {
		return false, nil
	}
	row := s.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM lesson WHERE repo=? AND kind=?)", q.Repo, q.Kind)
	if err := row.Scan(&some); err != nil {
		return false, fmt.Errorf("recall lessons: %w", why(ctx, err))
	}
	return some, nil
}

// tryMeaning is ask, with a note in place of an error.
func (s *Store) tryMeaning(ctx context.Context, q Query) (*meaning, []string) {
	if s.cfg.Encoder == nil {
		return nil, nil
	}
	m, err := s.ask(ctx, q)
	if err != nil {
		err = s.mend(ctx, q, err)
		return nil, []string{fmt.Sprintf("earlier lessons were compared by words alone: %v", err)}
	}
	return m, nil
}

// finish completes the vectors and lets go of them.
func (s *Store) finish(ctx context.Context, m *meaning, q Query, lessons []Lesson) (notes []string) {
	left, err := m.complete(ctx, lessons)
	if err = errors.Join(err, m.close()); err != nil {
		notes = append(notes, fmt.Sprintf("the vectors of earlier lessons are not complete: %v", s.mend(ctx, q, err)))
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%d earlier lessons have no vectors yet and were compared by words alone", left))
	}
	return notes
}

// mend removes a collection that is of no use, to be filled again: all that it had can be
// made from the lessons.
func (s *Store) mend(ctx context.Context, q Query, err error) error {
	if errors.Is(err, vector.ErrBroken) || errors.Is(err, vector.ErrDimension) {
		if no := s.cfg.Vectors.Remove(ctx, s.key(q.Repo)); no != nil && !errors.Is(no, vector.ErrNotFound) {
			return errors.Join(err, fmt.Errorf("remove the collection: %w", no))
		}
	}
	return err
}

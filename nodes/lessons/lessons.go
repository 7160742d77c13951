// Package lessons recalls what earlier runs found, and keeps what a run found, for every
// workflow.
package lessons

import (
	"context"
	"fmt"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/memory"
	"github.com/repomind/repomind/nodes/place"
)

// Store keeps lessons of past runs.
type Store interface {
	Recall(ctx context.Context, q memory.Query) (memory.Recall, error)
	Save(ctx context.Context, l memory.Lesson) error
}

// most is how many lessons are recalled.
const most = 3

// Recall gives what fits a question about a repository, but for what the run itself
// taught. A store that fails is a warning; the error is the end of ctx.
func Recall(ctx context.Context, s Store, places place.Opener, from repo.Origin, run string, q memory.Query) (all []report.Lesson, warnings []string, err error) {
	q.Repo, q.Limit = repository(from), most
	got, err := s.Recall(ctx, q)
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, []string{fmt.Sprintf("earlier runs were not recalled: %v", err)}, nil
	}
	for _, l := range got.Lessons {
		if l.Run == run || from.Repo.Name == "" && !has(ctx, places, from, l.Commit) {
			continue // of a directory: another repository stood there
		}
		all = append(all, report.Lesson{Run: l.Run, Title: l.Title, Text: l.Text, Class: l.Class, Commit: source.Commit(l.Commit), Saved: l.Saved, Why: l.Why})
	}
	return all, got.Notes, nil
}

// Save keeps a lesson of a repository. A store that fails is a warning; the error is the
// end of ctx.
func Save(ctx context.Context, s Store, from repo.Origin, l memory.Lesson) (warning string, err error) {
	l.Repo = repository(from)
	err = s.Save(ctx, l)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return fmt.Sprintf("the lesson was not kept: %v", err), nil
	}
	return "", nil
}

// has says whether a repository has a commit.
func has(ctx context.Context, places place.Opener, from repo.Origin, commit string) bool {
	clone, err := places.Clone(ctx, from)
	if err != nil {
		return false
	}
	_, err = clone.Resolve(ctx, commit)
	return err == nil
}

// repository names a repository in the same way each time: by where it lives if that is
// known, else by its directory.
func repository(from repo.Origin) string {
	if r := from.Repo; r.Name != "" {
		return r.HostName() + "/" + r.Owner + "/" + r.Name
	}
	return from.Dir
}

package issue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue/triage"
	"github.com/repomind/repomind/rag"
)

const (
	maxSuspectFiles = 4
	maxSuspects     = 6
	fileLog         = 12 // commits of one file that are looked at
)

// gatherGit finds the commits that may have brought a regression: those that changed the
// likeliest files since the version that is said to have worked.
func (n nodes) gatherGit(ctx context.Context, g gathering, place *Place) (update, error) {
	x, err := place.Index(ctx)
	if err != nil {
		return nil, err
	}
	res, err := x.Search(ctx, g.query(), rag.Options{Files: maxSuspectFiles, Symbols: -1, Chunks: -1})
	if err != nil {
		return nil, err
	}
	after, note, err := n.good(ctx, g)
	if err != nil {
		return nil, err
	}
	changes, err := suspects(ctx, place.Snapshot, res.Files, after)
	if err != nil {
		return nil, err
	}
	part := Part{Source: FromGit, Notes: []string{note}}
	var b strings.Builder
	for _, c := range changes {
		part.Suspects = append(part.Suspects, report.Change{SHA: c.Commit, Date: c.Time, Subject: c.Subject()})
		fmt.Fprintf(&b, "%s  %s  %s  (%s)\n", c.Commit.Short(), c.Time.UTC().Format(time.DateOnly), clip(c.Subject(), 200), c.Path)
	}
	if b.Len() > 0 {
		part.Pieces = []Piece{{Name: "commits that changed the likeliest files, the newest first", Text: b.String(), Why: note, Source: FromGit}}
	}
	return update{fParts.Set([]Part{part})}, nil
}

// good is when the version was made that is said to have worked.
func (n nodes) good(ctx context.Context, g gathering) (after time.Time, note string, err error) {
	if g.Regression.Good == "" {
		return after, "No version is named that worked, so these are the last changes.", nil
	}
	clone, err := n.Places.Clone(ctx, g.Origin)
	if err != nil {
		return after, "", err
	}
	tags, err := clone.Tags(ctx)
	if err != nil {
		return after, "", err
	}
	names := make([]string, len(tags))
	for i, t := range tags {
		names[i] = t.Name
	}
	tag, ok := triage.Tag(g.Regression.Good, names, g.Origin.Repo.Name)
	if !ok {
		return after, fmt.Sprintf("Version %s, which is said to have worked, has no tag, so these are the last changes.", g.Regression.Good), nil
	}
	return tags[slices.Index(names, tag)].Time, fmt.Sprintf("Changes since %s, which is said to have worked.", tag), nil
}

func suspects(ctx context.Context, s *repo.Snapshot, files []rag.File, after time.Time) ([]repo.Change, error) {
	var out []repo.Change
	seen := map[string]bool{}
	for _, f := range files {
		h, err := s.Log(ctx, f.Path, 0, fileLog)
		if err != nil {
			return nil, err
		}
		for _, c := range h.Changes {
			if c.Time.After(after) && !seen[string(c.Commit)] {
				seen[string(c.Commit)] = true
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b repo.Change) int { return b.Time.Compare(a.Time) })
	return out[:min(len(out), maxSuspects)], nil
}

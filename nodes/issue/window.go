package issue

import (
	"context"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/issue/triage"
	"github.com/repomind/repomind/rag"
)

// window is the part of the history that a regression came in.
type window struct {
	clone *repo.Clone
	last  *repo.Snapshot // whose history is searched
	good  source.Commit  // in whose history it is not; "" where that is not known
	note  string         // the window in words
}

// windowOf finds the window by the versions that the issue names: by their tags, or by
// the commits that announce them. One that cannot be found leaves the window open there.
func (n nodes) windowOf(ctx context.Context, g gathering, s *repo.Snapshot) (window, error) {
	clone, err := n.Places.Clone(ctx, g.Origin)
	if err != nil {
		return window{}, err
	}
	w := window{clone: clone, last: s}
	good, goodName, err := w.release(ctx, g.Regression.Good, g.Origin.Repo.Name)
	if err != nil {
		return w, err
	}
	bad, badName, err := w.release(ctx, g.Regression.Bad, g.Origin.Repo.Name)
	if err != nil {
		return w, err
	}
	if bad != "" && bad != s.Commit() {
		if w.last, err = s.At(ctx, string(bad)); err != nil {
			return w, err
		}
	}
	w.good, w.note = good, describe(g.Regression.Good, goodName)
	if badName != "" {
		w.note += fmt.Sprintf(" Up to %s, which is said not to.", badName)
	}
	return w, nil
}

func describe(version, name string) string {
	switch {
	case version == "":
		return "No version is named that worked, so these are the last changes."
	case name == "":
		return fmt.Sprintf("Version %s, which is said to have worked, is not known here, so these are the last changes.", version)
	}
	return fmt.Sprintf("Changes since %s, which is said to have worked.", name)
}

// announced is how many commits that name a version are looked at.
const announced = 50

// release finds the commit of a version in the history, and what told it; "" for one that
// is not there.
func (w window) release(ctx context.Context, version, project string) (source.Commit, string, error) {
	if version == "" {
		return "", "", nil
	}
	tags, err := w.clone.Tags(ctx)
	if err != nil {
		return "", "", err
	}
	names := make([]string, len(tags))
	for i, t := range tags {
		names[i] = t.Name
	}
	if tag, ok := triage.Tag(version, names, project); ok {
		at := tags[slices.Index(names, tag)].Commit
		if in, err := w.clone.Before(ctx, at, w.last.Commit()); err != nil || in {
			return at, tag, err
		}
	}
	h, err := w.last.Commits(ctx, []string{version}, "", 0, announced)
	if err != nil {
		return "", "", err
	}
	for _, c := range h.Changes {
		if triage.Release(c.Subject(), version, project) {
			return c.Commit, fmt.Sprintf("%s (%s)", version, c.Commit.Short()), nil
		}
	}
	return "", "", nil
}

// suspects are the commits of the window that changed files, the newest first.
func (w window) suspects(ctx context.Context, files []rag.File) ([]repo.Change, error) {
	var out []repo.Change
	seen := map[source.Commit]bool{}
	for _, f := range files {
		h, err := w.last.Log(ctx, f.Path, 0, fileLog)
		if err != nil {
			return nil, err
		}
		for _, c := range h.Changes {
			if seen[c.Commit] {
				continue
			}
			seen[c.Commit] = true
			old, err := w.old(ctx, c.Commit)
			if err != nil {
				return nil, err
			}
			if old {
				continue
			}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b repo.Change) int { return b.Time.Compare(a.Time) })
	return out[:min(len(out), maxSuspects)], nil
}

// old says whether the version that worked held a commit already.
func (w window) old(ctx context.Context, c source.Commit) (bool, error) {
	if w.good == "" {
		return false, nil
	}
	return w.clone.Before(ctx, c, w.good)
}

package repo_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
)

func TestTagsLeadToCommits(t *testing.T) {
	r := repotest.New(t, history...)
	r.Git("tag", "v1", r.Commits[0])
	r.Git("tag", "-a", "-m", "second", "rel/v2", r.Commits[1])
	r.Git("tag", "a-tree", r.Commits[1]+"^{tree}")
	got, err := open(t, newCache(t, repo.Config{}), r.Dir).Tags(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]source.Commit{}
	for _, tag := range got {
		names[tag.Name] = tag.Commit
		if tag.Time.Year() < 2024 {
			t.Errorf("%s is of %v", tag.Name, tag.Time)
		}
	}
	want := map[string]source.Commit{"v1": source.Commit(r.Commits[0]), "rel/v2": source.Commit(r.Commits[1])}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestLastBefore(t *testing.T) {
	r := repotest.New(t, history...) // a commit a day from 2024-01-01 on
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	made := func(i int) time.Time {
		s, err := c.Snapshot(t.Context(), source.Commit(r.Commits[i]))
		if err != nil {
			t.Fatal(err)
		}
		return s.Time()
	}
	for i, want := range r.Commits {
		if got, err := c.LastBefore(t.Context(), "HEAD", made(i).Add(time.Hour)); err != nil || string(got) != want {
			t.Errorf("an hour after commit %d it is %s, %v", i, got, err)
		}
	}
	if got, err := c.LastBefore(t.Context(), "HEAD", made(0).Add(-time.Hour)); !errors.Is(err, repo.ErrNoCommit) {
		t.Errorf("before the first commit it is %s, %v", got, err)
	}
	if _, err := c.LastBefore(t.Context(), "nope", made(0)); !errors.Is(err, repo.ErrNoCommit) {
		t.Errorf("of no branch: %v", err)
	}
}

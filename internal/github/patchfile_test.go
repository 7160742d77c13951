package github_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
)

// A patch of what one commit did gives that commit's files, and the same commit each time.
func TestReadPatch(t *testing.T) {
	r := repotest.New(t,
		"Begin\n-- a.py --\nx = 1\ny = 2\n-- old.py --\nz = 3\nq = 4\nw = 5\n-- gone.py --\nv = 1\n",
		"Change it\n\nBecause.\n-- a.py --\nx = 1\ny = 3\n-- old.py --\n(deleted)\n-- new.py --\nz = 3\nq = 4\nw = 6\n-- gone.py --\n(deleted)\n-- added/b.py --\nn = 1\n")
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clone.Close)
	at := source.Commit(r.Commits[0])
	for name, patch := range map[string]string{"diff": r.Git("diff", r.Commits[0], r.Commits[1]), "mail": r.Git("format-patch", "--stdout", "-1", r.Commits[1])} {
		p, err := github.ReadPatch(t.Context(), clone, at, "my.patch", []byte(patch))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := github.ReadPatch(t.Context(), clone, at, "my.patch", []byte(patch))
		if err != nil || again.Head.Commit != p.Head.Commit || p.Base.Commit != at {
			t.Errorf("%s: %v then %v, %v", name, p.Head.Commit, again.Head.Commit, err)
		}
		want := map[string][2]string{"diff": {"my.patch", ""}, "mail": {"Change it", "Because."}}[name]
		if p.Title != want[0] || p.Body != want[1] {
			t.Errorf("%s is called %q, %q", name, p.Title, p.Body)
		}
		left, err := clone.Changes(t.Context(), p.Head.Commit, source.Commit(r.Commits[1]))
		if err != nil || len(left) > 0 {
			t.Errorf("%s: what is different is %+v, %v", name, left, err)
		}
	}
}

func TestPatchesThatDoNotApply(t *testing.T) {
	r := repotest.New(t, "Begin\n-- a.py --\nx = 1\n")
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clone.Close)
	at := source.Commit(r.Commits[0])
	for patch, want := range map[string]string{
		"nothing": "p holds no diff, as git diff or git format-patch write it",
		"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 2\n+x = 3\n": "p does not apply to " + at.Short() + ": a.py: line 1 is not what the hunk says",
		"--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x = 2\n+x = 3\n": "p does not apply to " + at.Short() + ": b.py: no such file",
		"--- a/a.py\n+++ b/a.py\n@@ -1,2 +1 @@\n-x = 2\n":       "p does not apply to " + at.Short() + ": a.py: line 4 of the diff: the hunk ends 1 old and 1 new lines too early",
		"--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n":        "p does not apply to " + at.Short() + ": ../x is no path of a file",
		"--- /dev/null\n+++ b/.git/config\n@@ -0,0 +1 @@\n+x\n": "p does not apply to " + at.Short() + ": .git/config is no path of a file",
		strings.Repeat("x", github.MaxFile+1):                   "p has more than",
	} {
		if _, err := github.ReadPatch(t.Context(), clone, at, "p", []byte(patch)); err == nil || !strings.HasPrefix(err.Error(), want) || !errors.Is(err, github.ErrInput) {
			t.Errorf("%.60q gives %v, want %s", patch, err, want)
		}
	}
}

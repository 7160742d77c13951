package github_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
)

func TestReadLocalDiff(t *testing.T) {
	r := repotest.New(t, "Start\n-- a.py --\na = 1\n-- old.py --\nx = 1\ny = 2\nz = 3\n", "Ahead\n-- main.py --\nm = 1\n")
	r.Git("checkout", "-q", "-b", "topic", r.Commits[0])
	r.Commit("First step\n\nFixes #12.\n-- a.py --\na = 2\n")
	r.Commit("Second step\n-- old.py --\n(deleted)\n-- new.py --\nx = 1\ny = 2\nz = 3\n")
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	defer clone.Close()
	got, err := github.ReadLocalDiff(t.Context(), clone, "main...topic")
	if err != nil {
		t.Fatal(err)
	}
	want := github.PullRequest{
		Title: "Second step", Body: "Fixes #12.", State: "open", Author: github.Author{Login: "Ada"},
		Base: github.Ref{Commit: source.Commit(r.Commits[0])}, Head: github.Ref{Commit: source.Commit(r.Commits[3])},
		Files: []github.File{
			{Path: "a.py", Status: "modified", Additions: 1, Deletions: 1, Patch: "@@ -1 +1 @@\n-a = 1\n+a = 2"},
			{Path: "new.py", Previous: "old.py", Status: "renamed"},
		},
		Commits: []github.Commit{
			{SHA: source.Commit(r.Commits[2]), Message: "First step\n\nFixes #12.", Author: "Ada"},
			{SHA: source.Commit(r.Commits[3]), Message: "Second step", Author: "Ada"},
		},
	}
	ignore := cmpopts.IgnoreFields(github.PullRequest{}, "Created", "Linked")
	if diff := cmp.Diff(want, got, ignore, cmpopts.IgnoreFields(github.Commit{}, "Date")); diff != "" {
		t.Error(diff)
	}
	if got, err = github.ReadLocalDiff(t.Context(), clone, "main..topic"); err != nil || len(got.Files) != 3 || got.Files[1].Path != "main.py" || got.Files[1].Status != "removed" {
		t.Errorf("main..topic changes %+v, %v", got.Files, err)
	}
	for span, want := range map[string]string{
		"main":         `"main" is no range of commits: base...head is needed, such as main...HEAD`,
		"main...nope":  `no such commit: "nope" (a branch, a tag, HEAD or a commit hash is needed)`,
		"--output=x..": `no such commit: "--output=x" is no branch, tag or commit hash`,
	} {
		if _, err := github.ReadLocalDiff(t.Context(), clone, span); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", span, err, want)
		}
	}
}

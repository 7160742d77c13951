package github_test

import (
	"errors"
	"fmt"
	"strings"
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
	clone := open(t, r)
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
	if _, err := github.ReadLocalDiff(t.Context(), clone, "main"); !errors.Is(err, github.ErrInput) {
		t.Errorf("error %v", err)
	}
}

func open(t *testing.T, r *repotest.Repo) *repo.Clone {
	t.Helper()
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clone.Close)
	return clone
}

// A patch holds the hunks of its own file and nothing else, whatever git puts around
// them.
func TestLocalPatchesAreHunksOfTheFile(t *testing.T) {
	r := repotest.New(t, "Start\n-- link.py --\na = 1\nb = 2\n-- turned/a.py --\nx = 1\n-- tab\tname.py --\nt = 1\n-- é.py --\n++ 1\n-- 2\n-- gone --\nz\n")
	r.Commit("Change\n-- link.py --\n(link) turned\n-- turned/a.py --\n(deleted)\n-- tab\tname.py --\nt = 2\n-- é.py --\n-- 2\ndiff --git a/x b/x\n-- gone --\n(deleted)\n-- gone/in.py --\ny = 1\n")
	got, err := github.ReadLocalDiff(t.Context(), open(t, r), "HEAD~1...HEAD")
	if err != nil {
		t.Fatal(err)
	}
	want := []github.File{
		{Path: "gone", Status: "removed", Deletions: 1, Patch: "@@ -1 +0,0 @@\n-z"},
		{Path: "gone/in.py", Status: "added", Additions: 1, Patch: "@@ -0,0 +1 @@\n+y = 1"},
		{Path: "link.py", Status: "modified", Additions: 1, Deletions: 2, Patch: "@@ -1,2 +0,0 @@\n-a = 1\n-b = 2\n@@ -0,0 +1 @@\n+turned\n\\ No newline at end of file"},
		{Path: "tab\tname.py", Status: "modified", Additions: 1, Deletions: 1, Patch: "@@ -1 +1 @@\n-t = 1\n+t = 2"},
		{Path: "turned/a.py", Status: "removed", Deletions: 1, Patch: "@@ -1 +0,0 @@\n-x = 1"},
		{Path: "é.py", Status: "modified", Additions: 1, Deletions: 1, Patch: "@@ -1,2 +1,2 @@\n-++ 1\n -- 2\n+diff --git a/x b/x"},
	}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Incomplete != nil {
		t.Errorf("incomplete: %q", got.Incomplete)
	}
}

// Each patch has a bound, and all together have one; what that leaves out is said.
func TestLocalPatchesAreBounded(t *testing.T) {
	r := repotest.New(t, "Start\n-- small.py --\na = 1\n")
	large := strings.Repeat(strings.Repeat("x", 99)+"\n", 12_000)
	for i := range 65 {
		r.Write(fmt.Sprintf("%02d.txt", i), large)
	}
	r.Commit("Large\n-- small.py --\na = 2\n")
	got, err := github.ReadLocalDiff(t.Context(), open(t, r), "HEAD~1...HEAD")
	if err != nil {
		t.Fatal(err)
	}
	size, with := 0, 0
	for _, f := range got.Files {
		size += len(f.Patch)
		if f.Patch != "" {
			with++
		}
	}
	lines := strings.Split(got.Files[0].Patch, "\n")
	if last := lines[len(lines)-1]; lines[0] != "@@ -0,0 +1,12000 @@" || last != "+"+strings.Repeat("x", 99) {
		t.Errorf("the first patch is from %q to %q", lines[0], last)
	}
	if size > 64<<20 || with != 64 {
		t.Errorf("%d patches have %d bytes", with, size)
	}
	want := []string{
		"The patch of 64 files is too large and is cut: 00.txt, 01.txt, 02.txt, 03.txt, 04.txt, 05.txt, 06.txt, 07.txt, 08.txt, 09.txt, 10.txt, 11.txt, 12.txt, 13.txt, 14.txt, 15.txt, 16.txt, 17.txt, 18.txt, 19.txt and 44 more.",
		"The patch of 2 files is left out, as all patches together would have more than 64 MB: 64.txt, small.py.",
	}
	if diff := cmp.Diff(want, got.Incomplete); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

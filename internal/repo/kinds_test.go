package repo_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
)

// A checkout of CI has a commit and nothing before it.
func TestShallowOrigin(t *testing.T) {
	r := repotest.New(t, history...)
	dir := filepath.Join(t.TempDir(), "shallow")
	r.Git("clone", "-q", "--depth", "1", "file://"+r.Dir, dir)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), dir), "HEAD")
	if string(s.Commit()) != r.Commits[2] || len(s.Files()) != 4 {
		t.Errorf("the snapshot is of %s with %d files", s.Commit(), len(s.Files()))
	}
	const note = "the repository that was cloned is shallow: what "
	if h, err := s.Log(t.Context(), "", 0, 5); err != nil || len(h.Changes) != 1 || !strings.HasPrefix(h.Note, note) {
		t.Errorf("the log is %+v, %v", h, err)
	}
	if b, got, err := s.Blame(t.Context(), "app/main.py", 1, 1); err != nil || len(b) != 1 || !strings.HasPrefix(got, note) {
		t.Errorf("the blame is %+v, %q, %v", b, got, err)
	}
}

func TestSHA256(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	run("init", "-q", "-b", "main", "--object-format=sha256")
	os.WriteFile(filepath.Join(dir, "a.py"), []byte("a = 1\n"), 0o644) //nolint:errcheck // git add fails then
	run("add", "a.py")
	run("commit", "-q", "-m", "One")
	cache := newCache(t, repo.Config{})
	for range 2 {
		s := snapshot(t, open(t, cache, dir), "HEAD")
		if data, err := s.Read(t.Context(), "a.py"); err != nil || string(data) != "a = 1\n" || len(s.Commit()) != 64 {
			t.Errorf("a.py at %s is %q, %v", s.Commit(), data, err)
		}
	}
}

func TestHeadWithoutACommit(t *testing.T) {
	r := repotest.New(t, history[:1]...)
	r.Git("symbolic-ref", "HEAD", "refs/heads/none")
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	if at, err := c.Resolve(t.Context(), "main"); err != nil || string(at) != r.Commits[0] {
		t.Errorf("main is %s, %v", at, err)
	}
	if _, err := c.Resolve(t.Context(), "HEAD"); err == nil || !strings.HasSuffix(err.Error(), "HEAD points to a branch without a commit; name a branch or commit") {
		t.Error(err)
	}
	_, err := newCache(t, repo.Config{}).Open(t.Context(), repo.Origin{Dir: repotest.New(t).Dir})
	if !errors.Is(err, repo.ErrNoCommit) || !strings.HasSuffix(err.Error(), "the repository has no commit yet") {
		t.Error(err)
	}
}

// A git that was killed leaves its locks, which must not keep the next one out.
func TestLeftLocks(t *testing.T) {
	r := repotest.New(t, history...)
	dir := t.TempDir()
	cache := newCache(t, repo.Config{Dir: dir})
	open(t, cache, r.Dir).Close()
	clones, _ := filepath.Glob(filepath.Join(dir, "*.git"))
	for _, name := range []string{"packed-refs.lock", "config.lock", "refs/heads/main.lock", "shallow.lock", "objects/pack/tmp_pack_x"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(clones[0], name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(clones[0], name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	last := r.Commit("Another\n-- b.py --\nb = 1\n")
	if s := snapshot(t, open(t, cache, r.Dir), "HEAD"); string(s.Commit()) != last {
		t.Errorf("HEAD is %s, want %s", s.Commit(), last)
	}
}

// What a merge did is what it brought to the branch that it stands on.
func TestPatchOfAMerge(t *testing.T) {
	r := repotest.New(t, "One\n-- a --\na\n")
	r.Git("checkout", "-q", "-b", "topic")
	r.Commit("Topic\n-- topic --\nt\n")
	r.Git("checkout", "-q", "main")
	r.Commit("Main\n-- main --\nm\n")
	r.Git("merge", "-q", "--no-ff", "-m", "Merge", "topic")
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	h, err := s.Log(t.Context(), "", 0, 1)
	if err != nil || len(h.Changes) != 1 || h.Changes[0].Subject() != "Merge" {
		t.Fatalf("the log is %+v, %v", h, err)
	}
	patch, err := s.Patch(t.Context(), h.Changes[0], "")
	if err != nil || !strings.Contains(patch, "b/topic") || strings.Contains(patch, "b/main") {
		t.Errorf("%v\n%s", err, patch)
	}
}

func TestManyRenames(t *testing.T) {
	var files strings.Builder
	for i := range 500 {
		fmt.Fprintf(&files, "-- aaa/f%03d --\nthe text of file %d\n", i, i)
	}
	r := repotest.New(t, "One\n"+files.String())
	r.Git("mv", "aaa", "zzz")
	r.Commit("Two\n")
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	changes, err := c.Changes(t.Context(), source.Commit(r.Commits[0]), source.Commit(r.Commits[1]))
	renamed := 0
	for _, ch := range changes {
		if ch.Status == "renamed" && strings.TrimPrefix(ch.Path, "zzz/") == strings.TrimPrefix(ch.OldPath, "aaa/") {
			renamed++
		}
	}
	if err != nil || renamed != 500 || len(changes) != 500 {
		t.Errorf("%d of %d changes are renames, %v", renamed, len(changes), err)
	}
}

// A file may be called like a commit.
func TestFilesNamedLikeCommits(t *testing.T) {
	r := repotest.New(t, "One\n-- a --\na\n")
	r.Commit("Two\n-- " + r.Commits[0] + " --\nx\n-- zz --\nz\n")
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	h, err := s.Log(t.Context(), "", 0, 5)
	var got [][]string
	for _, c := range h.Changes {
		got = append(got, c.Files)
	}
	if diff := cmp.Diff([][]string{{r.Commits[0], "zz"}, {"a"}}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestCommitWithoutADate(t *testing.T) {
	r := repotest.New(t, "One\n-- a --\na\n")
	for _, when := range []string{"", " 99999999999999999999 +0000", " 08 +0000"} {
		text := fmt.Sprintf("tree %sparent %sauthor A <a@x>%s\ncommitter A <a@x>%s\n\nodd\n", r.Git("rev-parse", "HEAD^{tree}"), r.Git("rev-parse", "HEAD"), when, when)
		cmd := exec.Command("git", "-C", r.Dir, "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		r.Git("update-ref", "refs/heads/main", strings.TrimSpace(string(out)))
	}
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	h, err := s.Commits(t.Context(), []string{"odd"}, "", 0, 5)
	if err != nil || len(h.Changes) != 3 || h.Changes[0].Time.Unix() != 8 || !h.Changes[1].Time.IsZero() || !h.Changes[2].Time.IsZero() {
		t.Errorf("%+v, %v", h, err)
	}
}

// A version that is too large to be in the clone hides what came before it, and no more.
func TestBlameBehindALargeVersion(t *testing.T) {
	r := repotest.New(t, "Large\n-- a.txt --\n"+strings.Repeat("0123456789\n", 20_000), "Small\n-- a.txt --\none\ntwo\n", "Third\n-- a.txt --\none\ntwo\nthree\n")
	s := snapshot(t, open(t, newCache(t, repo.Config{MaxBlob: 100 << 10}), r.Dir), "HEAD")
	lines, note, err := s.Blame(t.Context(), "a.txt", 1, 3)
	if err != nil || len(lines) != 3 || lines[0].Subject != "Small" || lines[2].Subject != "Third" {
		t.Fatalf("%+v, %v", lines, err)
	}
	if want := "versions before " + r.Commits[1][:12] + " are too large to be in the clone: what is put down to it may be older"; note != want {
		t.Errorf("note %q, want %q", note, want)
	}
}

// A tree of half a million paths to one file, in a few hundred bytes.
func TestGrepOfAWideTree(t *testing.T) {
	r := repotest.New(t, "One\n-- a --\n"+strings.Repeat(strings.Repeat("a", 299)+"\n", 200))
	blob := strings.TrimSpace(r.Git("rev-parse", "HEAD:a"))
	var leaves, dirs strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&leaves, "100644 blob %s\tf%04d\n", blob, i)
	}
	dir := mktree(t, r, leaves.String())
	for i := range 499 {
		fmt.Fprintf(&dirs, "040000 tree %s\td%03d\n", dir, i)
	}
	commit := strings.TrimSpace(r.Git("commit-tree", "-m", "wide", mktree(t, r, dirs.String())))
	r.Git("update-ref", "refs/heads/main", commit)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	found, err := s.Grep(t.Context(), repo.Query{Pattern: "a", Context: 10, Max: 150})
	if err != nil || found.Total != 499*1000*200 || found.Files != 499_000 || len(found.Matches) != 150 {
		t.Errorf("%d matches of %d in %d files, %v", len(found.Matches), found.Total, found.Files, err)
	}
}

func TestGrepPathsAndBytes(t *testing.T) {
	r := repotest.New(t, "One\n-- app/[slug]/page.tsx --\ndef x\n-- app/b.ts --\ndef y\n-- bom.py --\n\ufeffdef z\n-- latin.txt --\ncaf\xe9\n")
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	for _, tt := range []struct {
		q    repo.Query
		want []string
	}{
		{repo.Query{Pattern: "def", Paths: []string{"app/[slug]"}}, []string{"app/[slug]/page.tsx:1"}},
		{repo.Query{Pattern: "def", Paths: []string{"/app/[slug]/page.tsx"}}, []string{"app/[slug]/page.tsx:1"}},
		{repo.Query{Pattern: "def", Paths: []string{"*.{ts,tsx}"}}, []string{"app/[slug]/page.tsx:1", "app/b.ts:1"}},
		{repo.Query{Pattern: "^def", Paths: []string{"bom.py"}}, []string{"bom.py:1"}},
		{repo.Query{Pattern: "caf\ufffd"}, []string{"latin.txt:1"}},
	} {
		found, err := s.Grep(t.Context(), tt.q)
		var got []string
		for _, m := range found.Matches {
			got = append(got, m.Span.String())
		}
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%+v: %v %s", tt.q, err, diff)
		}
	}
	if l, err := s.ReadLines(t.Context(), "bom.py", 1, 1); err != nil || l.Text[0] != "def z" {
		t.Errorf("bom.py starts with %q, %v", l.Text, err)
	}
}

func TestPipesInTheRepositoryItself(t *testing.T) {
	r := repotest.New(t, history[:1]...)
	if err := exec.Command("mkfifo", filepath.Join(r.Dir, ".git", "packed-refs")).Run(); err != nil {
		t.Skip("no pipes here: ", err)
	}
	_, err := newCache(t, repo.Config{}).Open(t.Context(), repo.Origin{Dir: r.Dir})
	if !errors.Is(err, repo.ErrAccess) || !strings.HasSuffix(err.Error(), "packed-refs is no file") {
		t.Error(err)
	}
}

func TestRemoveUnknownClone(t *testing.T) {
	dir := t.TempDir()
	cache := newCache(t, repo.Config{Dir: dir})
	for _, name := range []string{"none", "none.git", "../x.git", ""} {
		if err := cache.Remove(name); !errors.Is(err, repo.ErrNoClone) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("the cache holds %v", left)
	}
}

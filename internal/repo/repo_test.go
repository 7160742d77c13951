package repo_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
)

var history = []string{`Start
-- app/main.py --
import os

def run(name):
    return os.path.join("x", name)
-- app/util.py --
def helper():
    return 1
-- README.md --
# Demo
-- link.py --
(link) app/main.py
`, `Rename helper (#2)
-- app/util.py --
(deleted)
-- app/tools.py --
def helper():
    return 1
`, `Fix run for empty names

Fixes #3.
-- app/main.py --
import os

def run(name):
    if not name:
        return ""
    return os.path.join("x", name)
`}

func newCache(t *testing.T, cfg repo.Config) *repo.Cache {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	c, err := repo.NewCache(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func open(t *testing.T, c *repo.Cache, dir string, want ...string) *repo.Clone {
	t.Helper()
	clone, err := c.Open(t.Context(), repo.Origin{Dir: dir}, want...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clone.Close)
	return clone
}

func snapshot(t *testing.T, c *repo.Clone, rev string) *repo.Snapshot {
	t.Helper()
	at, err := c.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Snapshot(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTree(t *testing.T) {
	r := repotest.New(t, history...)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	var got []string
	for _, f := range s.Files() {
		got = append(got, f.Path)
	}
	if diff := cmp.Diff([]string{"README.md", "app/main.py", "app/tools.py", "link.py"}, got); diff != "" {
		t.Error(diff)
	}
	entries, err := s.List("")
	want := []repo.Entry{
		{Name: "app", Mode: source.Dir, Files: 2}, {Name: "README.md", Size: 7}, {Name: "link.py", Mode: source.Symlink, Size: 11},
	}
	if diff := cmp.Diff(want, entries); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if got := string(s.Commit()); got != r.Commits[2] {
		t.Errorf("the snapshot is of %s, want %s", got, r.Commits[2])
	}
	if want := time.Date(2024, 1, 3, 12, 0, 0, 0, time.UTC); !s.Time().Equal(want) {
		t.Errorf("its time is %v, want %v", s.Time(), want)
	}
}

func TestReadLines(t *testing.T) {
	r := repotest.New(t, history...)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	got, err := s.ReadLines(t.Context(), "app/main.py", 3, 4)
	want := repo.Lines{Span: source.Span{Path: "app/main.py", Start: 3, End: 4}, Total: 6, Text: []string{"def run(name):", "    if not name:"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, tt := range []struct {
		path, err string
		is        error
	}{
		{"app/none.py", "no such file: app/none.py", repo.ErrNotExist},
		{"app", "not a text file: app is a directory", repo.ErrNoText},
		{"link.py", "not a text file: link.py is a link to app/main.py", repo.ErrNoText},
		{"../etc/passwd", `the path "../etc/passwd" leads out of the repository`, nil},
	} {
		_, err := s.ReadLines(t.Context(), tt.path, 1, 0)
		if err == nil || err.Error() != tt.err || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %v, want %s", tt.path, err, tt.err)
		}
	}
}

func TestResolve(t *testing.T) {
	r := repotest.New(t, history...)
	r.Git("tag", "v1", r.Commits[0])
	r.Git("branch", "feature/x", r.Commits[1])
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	for rev, want := range map[string]int{
		"HEAD": 2, "@": 2, "main": 2, "HEAD~2": 0, "main^": 1, "v1": 0, "feature/x": 1, "refs/tags/v1": 0, r.Commits[1]: 1, r.Commits[0][:8]: 0,
	} {
		if at, err := c.Resolve(t.Context(), rev); err != nil || string(at) != r.Commits[want] {
			t.Errorf("%s is %s, %v; want %s", rev, at, err, r.Commits[want])
		}
	}
	for _, bad := range []string{"", "nope", "--output=/tmp/x", "-h", "v1..main", "v1:README.md", "HEAD@{1}", "a b", ":/Fix", "main^{/Fix}", "HEAD~9", "0000000000"} {
		if at, err := c.Resolve(t.Context(), bad); !errors.Is(err, repo.ErrNoCommit) {
			t.Errorf("%q is %s, %v", bad, at, err)
		}
	}
}

// What came after the commit is the answer that an evaluation must not see.
func TestSnapshotHidesLaterHistory(t *testing.T) {
	r := repotest.New(t, history...)
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	s := snapshot(t, c, r.Commits[1])
	for _, rev := range []string{r.Commits[2], "main"} {
		if at, err := s.Resolve(t.Context(), rev); !errors.Is(err, repo.ErrNoCommit) {
			t.Errorf("%s can be seen as %s, %v", rev, at, err)
		}
	}
	if at, err := s.Resolve(t.Context(), "HEAD"); err != nil || string(at) != r.Commits[1] {
		t.Errorf("HEAD is %s, %v", at, err)
	}
	if at, err := s.Resolve(t.Context(), "HEAD~1"); err != nil || string(at) != r.Commits[0] {
		t.Errorf("HEAD~1 is %s, %v", at, err)
	}
	h, err := s.Commits(t.Context(), []string{"fix"}, "", 0, 0)
	if err != nil || len(h.Changes) != 0 {
		t.Errorf("the search finds %v, %v", h.Changes, err)
	}
	h, err = s.Log(t.Context(), "app/main.py", 0, 0)
	if err != nil || len(h.Changes) != 1 || h.Changes[0].Subject() != "Start" {
		t.Errorf("the log of main.py is %v, %v", h.Changes, err)
	}
	data, err := s.Read(t.Context(), "app/main.py")
	if err != nil || strings.Contains(string(data), "not name") {
		t.Errorf("main.py is %s, %v", data, err)
	}
}

func TestLogFollowsRenames(t *testing.T) {
	r := repotest.New(t, history...)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	got, err := s.Log(t.Context(), "app/tools.py", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := repo.History{Changes: []repo.Change{
		{Commit: source.Commit(r.Commits[1]), Parents: []source.Commit{source.Commit(r.Commits[0])}, Author: "Ada",
			Time: time.Date(2024, 1, 2, 12, 0, 0, 0, time.UTC), Message: "Rename helper (#2)", Files: []string{"app/tools.py", "app/util.py"}, Path: "app/tools.py", OldPath: "app/util.py"},
		{Commit: source.Commit(r.Commits[0]), Author: "Ada", Time: time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC), Message: "Start",
			Files: []string{"README.md", "app/main.py", "app/util.py", "link.py"}, Path: "app/util.py"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, err = s.Log(t.Context(), "app/tools.py", 1, 1); err != nil || len(got.Changes) != 1 || got.Changes[0].Subject() != "Start" || got.More {
		t.Errorf("the second page is %+v, %v", got, err)
	}
	got, err = s.Log(t.Context(), "", 0, 1)
	if err != nil || !got.More || len(got.Changes) != 1 || got.Changes[0].Message != "Fix run for empty names\n\nFixes #3." {
		t.Errorf("the last commit is %+v, %v", got, err)
	}
}

func TestCommits(t *testing.T) {
	r := repotest.New(t, history...)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	for _, tt := range []struct {
		words []string
		path  string
		want  []string
	}{
		{[]string{"FIX"}, "", []string{"Fix run for empty names"}},
		{[]string{"run", "#3"}, "", []string{"Fix run for empty names"}},
		{[]string{"run", "#2"}, "", nil},
		{[]string{"re"}, "app/main.py", nil},
		{[]string{".*"}, "", nil},
		{nil, "app/util.py", []string{"Rename helper (#2)", "Start"}},
		{[]string{"--output=x"}, "", nil},
	} {
		h, err := s.Commits(t.Context(), tt.words, tt.path, 0, 0)
		var got []string
		for _, c := range h.Changes {
			got = append(got, c.Subject())
		}
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%q %s: %v %s", tt.words, tt.path, err, diff)
		}
	}
}

func TestBlame(t *testing.T) {
	r := repotest.New(t, history...)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	got, _, err := s.Blame(t.Context(), "app/main.py", 3, 4)
	want := []repo.Blamed{
		{Line: 3, Text: "def run(name):", Commit: source.Commit(r.Commits[0]), Author: "Ada", Time: time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC), Subject: "Start", Path: "app/main.py", Was: 3, First: true},
		{Line: 4, Text: "    if not name:", Commit: source.Commit(r.Commits[2]), Author: "Ada", Time: time.Date(2024, 1, 3, 12, 0, 0, 0, time.UTC), Subject: "Fix run for empty names", Path: "app/main.py", Was: 4},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	_, _, err = s.Blame(t.Context(), "app/main.py", 99, 0)
	if err == nil || err.Error() != "app/main.py has 6 lines; line 99 is behind the last" {
		t.Error(err)
	}
	change, patch, err := s.LastChange(t.Context(), "app/main.py", 4)
	if err != nil || change.Subject() != "Fix run for empty names" || !strings.Contains(patch, "+    if not name:\n") {
		t.Errorf("line 4 was last changed by %+v, %v:\n%s", change, err, patch)
	}
}

func TestChanges(t *testing.T) {
	r := repotest.New(t, history...)
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	base, head := source.Commit(r.Commits[0]), source.Commit(r.Commits[2])
	got, err := c.Changes(t.Context(), base, head)
	want := []repo.FileChange{
		{Status: "modified", Path: "app/main.py", Added: 2},
		{Status: "renamed", Path: "app/tools.py", OldPath: "app/util.py"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	patch, err := c.PatchOf(t.Context(), base, head, got[0])
	if err != nil || !strings.Contains(patch, "@@ -1,4 +1,6 @@") {
		t.Errorf("%v\n%s", err, patch)
	}
}

func TestBetween(t *testing.T) {
	r := repotest.New(t, history...)
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	for _, tt := range []struct {
		base, head, max int
		want            []string
		more            bool
	}{
		{0, 2, 0, []string{"Fix run for empty names", "Rename helper (#2)"}, false},
		{0, 2, 1, []string{"Fix run for empty names"}, true},
		{2, 0, 0, nil, false},
	} {
		h, err := c.Between(t.Context(), source.Commit(r.Commits[tt.base]), source.Commit(r.Commits[tt.head]), tt.max)
		var got []string
		for _, ch := range h.Changes {
			got = append(got, ch.Subject())
		}
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" || h.More != tt.more {
			t.Errorf("%d..%d: %v, more %v %s", tt.base, tt.head, err, h.More, diff)
		}
	}
}

func TestMergeBase(t *testing.T) {
	r := repotest.New(t, history[:2]...)
	r.Git("checkout", "-q", "-b", "feature", r.Commits[0])
	r.Commit("On the branch\n-- b.py --\nb = 1\n")
	r.Git("checkout", "-q", "--orphan", "other")
	r.Commit("Alone\n-- c.py --\nc = 1\n")
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	got, err := c.MergeBase(t.Context(), source.Commit(r.Commits[1]), source.Commit(r.Commits[2]))
	if err != nil || string(got) != r.Commits[0] {
		t.Errorf("merge base %s, %v; want %s", got, err, r.Commits[0])
	}
	_, err = c.MergeBase(t.Context(), source.Commit(r.Commits[1]), source.Commit(r.Commits[3]))
	if err == nil || !strings.HasSuffix(err.Error(), "have no common history") {
		t.Error(err)
	}
}

func TestGrep(t *testing.T) {
	r := repotest.New(t, history[0], "Binary\n-- data.bin --\nrun\x00run\n-- long.js --\n"+strings.Repeat("x", 1000)+"run"+strings.Repeat("y", 1000)+"\n-- dos.txt --\nrun\r\nend\r\n")
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	at := func(path string, line int) source.Span { return source.Span{Path: path, Start: line, End: line} }
	long := "[925 bytes] …" + strings.Repeat("x", 75) + "run" + strings.Repeat("y", 222) + "… [778 bytes]"
	for _, tt := range []struct {
		q    repo.Query
		want repo.Found
	}{
		{repo.Query{Pattern: "run"}, repo.Found{Total: 3, Files: 3, Binary: 1, Matches: []repo.Match{
			{Span: at("app/main.py", 3), Text: "def run(name):"}, {Span: at("long.js", 1), Text: long}, {Span: at("dos.txt", 1), Text: "run"}}}},
		{repo.Query{Pattern: "run", Max: 1, Context: 1}, repo.Found{Total: 3, Files: 3, Binary: 1, Matches: []repo.Match{
			{Span: at("app/main.py", 3), Text: "def run(name):", Before: []string{""}, After: []string{`    return os.path.join("x", name)`}}}}},
		{repo.Query{Pattern: "RUN$", IgnoreCase: true, Paths: []string{"*.txt"}}, repo.Found{Total: 1, Files: 1, Matches: []repo.Match{{Span: at("dos.txt", 1), Text: "run"}}}},
		{repo.Query{Pattern: `def (run|helper)\(`, Paths: []string{"app"}}, repo.Found{Total: 2, Files: 2, Matches: []repo.Match{
			{Span: at("app/main.py", 3), Text: "def run(name):"}, {Span: at("app/util.py", 1), Text: "def helper():"}}}},
		{repo.Query{Pattern: `^\s+return \d`, Paths: []string{"**/*.py"}}, repo.Found{Total: 1, Files: 1, Matches: []repo.Match{{Span: at("app/util.py", 2), Text: "    return 1"}}}},
		{repo.Query{Pattern: "nothing like it", Paths: []string{"app/util.py"}}, repo.Found{}},
	} {
		got, err := s.Grep(t.Context(), tt.q)
		if diff := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%+v: %v %s", tt.q, err, diff)
		}
	}
	for _, bad := range []repo.Query{{Pattern: "("}, {Pattern: strings.Repeat("x", 2001)}, {Pattern: "((a{100}){100}){100}"}, {Pattern: "x", Paths: []string{"nowhere"}}, {Pattern: "x", Paths: []string{"*.nowhere"}}, {Pattern: "x", Paths: []string{"["}}} {
		if got, err := s.Grep(t.Context(), bad); err == nil {
			t.Errorf("%+v finds %+v", bad, got)
		}
	}
}

func TestOpenAgainOnlyFetches(t *testing.T) {
	r := repotest.New(t, history[:1]...)
	var events []string
	cache := newCache(t, repo.Config{Notify: func(e string) { events = append(events, e) }})
	open(t, cache, r.Dir)
	second := r.Commit(history[1])
	c := open(t, cache, r.Dir, second)
	if at, err := c.Resolve(t.Context(), "HEAD"); err != nil || string(at) != second {
		t.Errorf("HEAD is %s, %v; want %s", at, err, second)
	}
	if diff := cmp.Diff([]string{"cloning " + source.Quote(c.Origin().Dir)}, events); diff != "" {
		t.Error(diff)
	}
	// All that is wanted is there: the origin is not needed any more.
	if err := os.Rename(r.Dir+"/.git", r.Dir+"/gone"); err != nil {
		t.Fatal(err)
	}
	open(t, cache, r.Dir, second)
	if _, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir}); !errors.Is(err, repo.ErrAccess) {
		t.Errorf("with no origin: %v", err)
	}
}

func TestOpenBadWant(t *testing.T) {
	r := repotest.New(t, history[:1]...)
	cache := newCache(t, repo.Config{})
	for want, is := range map[string]error{
		strings.Repeat("12", 20): repo.ErrNoCommit, "refs/pull/7/head": repo.ErrNoCommit, "main": nil, "--upload-pack=x": nil, "refs/../x": nil,
	} {
		if _, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir}, want); err == nil || is != nil && !errors.Is(err, is) {
			t.Errorf("%s: %v", want, err)
		}
	}
	open(t, cache, r.Dir)
}

func TestBrokenCloneIsMadeAgain(t *testing.T) {
	r := repotest.New(t, history...)
	dir := t.TempDir()
	for name, harm := range map[string]func(t *testing.T, clone string){
		"no marker": func(t *testing.T, clone string) { remove(t, filepath.Join(clone, "repomind.json")) },
		"no pack": func(t *testing.T, clone string) {
			packs, _ := filepath.Glob(filepath.Join(clone, "objects", "*"))
			for _, p := range packs {
				os.RemoveAll(p)
			}
			os.Mkdir(filepath.Join(clone, "objects", "pack"), 0o755) //nolint:errcheck // it may be kept
		},
		"empty": func(t *testing.T, clone string) { os.RemoveAll(clone); os.Mkdir(clone, 0o755) }, //nolint:errcheck // as meant
	} {
		t.Run(name, func(t *testing.T) {
			cache := newCache(t, repo.Config{Dir: dir})
			open(t, cache, r.Dir).Close()
			clones, _ := filepath.Glob(filepath.Join(dir, "*.git"))
			harm(t, clones[0])
			s := snapshot(t, open(t, cache, r.Dir), "HEAD")
			if _, err := s.Read(t.Context(), "app/main.py"); err != nil {
				t.Error(err)
			}
		})
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

func TestTwoAtOnceMakeOneClone(t *testing.T) {
	r := repotest.New(t, history...)
	dir := t.TempDir()
	errs := make(chan error, 4)
	for range 4 {
		go func() {
			cache, err := repo.NewCache(repo.Config{Dir: dir})
			if err == nil {
				var c *repo.Clone
				if c, err = cache.Open(t.Context(), repo.Origin{Dir: r.Dir}); err == nil {
					_, err = c.Resolve(t.Context(), "HEAD")
					c.Close()
				}
			}
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if clones, _ := filepath.Glob(filepath.Join(dir, "*.git*")); len(clones) != 3 { // the clone and two locks
		t.Errorf("the cache holds %v", clones)
	}
}

func TestEviction(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	cache := newCache(t, repo.Config{Dir: dir, Now: func() time.Time { now = now.Add(time.Hour); return now }})
	a, b, c := repotest.New(t, history[:1]...), repotest.New(t, history[:1]...), repotest.New(t, history[:1]...)
	open(t, cache, a.Dir).Close()
	open(t, cache, b.Dir).Close()
	inUse := open(t, cache, c.Dir)
	open(t, cache, a.Dir).Close()
	origins := func() (got []string) {
		kept, err := cache.List()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range kept {
			got = append(got, k.Origin)
		}
		return got
	}
	if diff := cmp.Diff([]string{a.Dir, c.Dir, b.Dir}, origins()); diff != "" {
		t.Error("before:", diff)
	}
	kept, _ := cache.List()
	if err := cache.Evict(kept[0].Size + kept[1].Size); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{a.Dir, c.Dir}, origins()); diff != "" {
		t.Error("by size:", diff)
	}
	if err := cache.Evict(0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{c.Dir}, origins()); diff != "" {
		t.Error("what is in use stays:", diff)
	}
	if err := cache.Remove(kept[1].Name); err == nil || !strings.HasSuffix(err.Error(), "is in use") {
		t.Error(err)
	}
	inUse.Close()
	if err := cache.Remove(kept[1].Name); err != nil {
		t.Error(err)
	}
	if err := cache.Remove("../" + filepath.Base(a.Dir) + ".git"); err == nil {
		t.Error("a name out of the cache is taken")
	}
}

func TestUnsaved(t *testing.T) {
	r := repotest.New(t, history...)
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	if got, err := s.Unsaved(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("a clean tree has %v, %v", got, err)
	}
	r.Write("app/main.py", "changed\n")
	r.Write("new.py", "new\n")
	r.Write(".gitignore", "*.log\n")
	r.Write("x.log", "ignored\n")
	r.Write("README.md", "# Demo\r\n")
	remove(t, filepath.Join(r.Dir, "app/tools.py"))
	got, err := s.Unsaved(t.Context())
	if diff := cmp.Diff([]string{".gitignore", "app/main.py", "app/tools.py", "new.py"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

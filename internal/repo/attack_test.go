package repo_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
)

// readAll does with a repository all that this package can do.
func readAll(t *testing.T, cache *repo.Cache, dir string) *repo.Snapshot {
	t.Helper()
	c := open(t, cache, dir)
	s := snapshot(t, c, "HEAD")
	ctx := t.Context()
	for _, f := range s.Files() {
		if f.Mode.Text() && f.Size >= 0 {
			s.Read(ctx, f.Path)        //nolint:errcheck // what happens beside counts
			s.Blame(ctx, f.Path, 1, 1) //nolint:errcheck
			s.Log(ctx, f.Path, 0, 5)   //nolint:errcheck
		}
	}
	if _, err := s.Grep(ctx, repo.Query{Pattern: "a"}); err != nil {
		t.Error(err)
	}
	if _, err := s.Commits(ctx, []string{"a"}, "", 0, 5); err != nil {
		t.Error(err)
	}
	if first, err := s.Resolve(ctx, "HEAD~1"); err == nil {
		changes, err := c.Changes(ctx, first, s.Commit())
		if err != nil {
			t.Error(err)
		}
		for _, ch := range changes {
			c.PatchOf(ctx, first, s.Commit(), ch) //nolint:errcheck
		}
	}
	if _, err := s.Unsaved(ctx); err != nil {
		t.Error(err)
	}
	return s
}

// hostile makes a repository whose own configuration runs a command at each chance.
// Each command leaves a file in the directory that is given back.
func hostile(t *testing.T) (r *repotest.Repo, canaries string) {
	t.Helper()
	canaries = t.TempDir()
	touch := func(name string) string { return fmt.Sprintf("touch %s/%s; cat", canaries, name) }
	r = repotest.New(t, "One\n-- .gitattributes --\n*.py filter=evil diff=evil merge=evil\n-- a.py --\na = 1\n", "Two\n-- a.py --\na = 2\n")
	for key, value := range map[string]string{
		"core.fsmonitor": touch("fsmonitor"), "filter.evil.clean": touch("clean"), "filter.evil.smudge": touch("smudge"), "filter.evil.required": "true",
		"diff.evil.textconv": touch("textconv"), "diff.external": touch("external"), "diff.evil.command": touch("driver"), "core.sshCommand": touch("ssh"),
		"core.pager": touch("pager"), "core.editor": touch("editor"), "gpg.program": touch("gpg"), "log.showSignature": "true",
		"uploadpack.packObjectsHook": touch("packhook"), "credential.helper": "!" + touch("credential"), "core.askPass": touch("askpass"),
		"core.gitProxy": touch("proxy"), "core.alternateRefsCommand": touch("alternates"), "protocol.allow": "always", "protocol.ext.allow": "always",
	} {
		r.Git("config", key, value)
	}
	hooks := filepath.Join(r.Dir, ".git", "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, h := range strings.Fields("pre-commit post-checkout post-merge pre-auto-gc reference-transaction post-index-change fsmonitor-watchman pre-receive update proc-receive post-rewrite") {
		if err := os.WriteFile(filepath.Join(hooks, h), []byte("#!/bin/sh\ntouch "+canaries+"/hook-"+h+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return r, canaries
}

func fired(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A5: what a handed-over .git could run.
func TestForeignConfigurationRunsNothing(t *testing.T) {
	r, canaries := hostile(t)
	readAll(t, newCache(t, repo.Config{}), r.Dir)
	if names := fired(t, canaries); len(names) > 0 {
		t.Errorf("these ran: %v", names)
	}
	// The traps are set: plain git walks into them.
	cmd := exec.Command("git", "-C", r.Dir, "diff", "HEAD~1")
	cmd.Run() //nolint:errcheck // it may fail, as its filters do
	if names := fired(t, canaries); len(names) == 0 {
		t.Error("the payloads do not work at all, so the test above shows nothing")
	}
}

// A5: a partial clone would ask its own remote for what is missing.
func TestForeignPromisorIsNotAsked(t *testing.T) {
	r, canaries := hostile(t)
	blob := strings.TrimSpace(r.Git("-c", "core.fsmonitor=false", "rev-parse", "HEAD:a.py"))
	remove(t, filepath.Join(r.Dir, ".git", "objects", blob[:2], blob[2:]))
	r.Git("config", "remote.origin.url", r.Dir)
	r.Git("config", "remote.origin.promisor", "true")
	r.Git("config", "extensions.partialClone", "origin")
	r.Git("config", "remote.origin.uploadpack", "touch "+canaries+"/uploadpack; git-upload-pack")
	s := readAll(t, newCache(t, repo.Config{}), r.Dir)
	if names := fired(t, canaries); len(names) > 0 {
		t.Errorf("these ran: %v", names)
	}
	if got := s.Unseen(); len(got) != 1 || got[0].Path != "a.py" {
		t.Errorf("unseen: %v, want a.py", got)
	}
	found, err := s.Grep(t.Context(), repo.Query{Pattern: "a"})
	if err != nil || len(found.Unseen) != 1 {
		t.Errorf("grep does not say what it could not see: %+v, %v", found, err)
	}
}

// A6: a directory in the work tree that git takes for a repository.
func TestEmbeddedBareRepository(t *testing.T) {
	canaries := t.TempDir()
	r := repotest.New(t, "One\n-- a.py --\na = 1\n")
	r.Git("init", "-q", "--bare", "evil")
	r.Git("--git-dir=evil", "config", "core.fsmonitor", "touch "+canaries+"/bare")
	r.Git("--git-dir=evil", "config", "core.worktree", r.Dir)
	r.Git("init", "-q", "nested")
	r.Git("-C", "nested", "config", "core.fsmonitor", "touch "+canaries+"/nested")
	readAll(t, newCache(t, repo.Config{}), r.Dir)
	if names := fired(t, canaries); len(names) > 0 {
		t.Errorf("these ran: %v", names)
	}
}

// A7: what looks like an option, a remote helper or a file outside.
func TestArgumentInjection(t *testing.T) {
	r := repotest.New(t, history...)
	trap := filepath.Join(t.TempDir(), "written")
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	s := snapshot(t, c, "HEAD")
	ctx := t.Context()
	for _, evil := range []string{"--output=" + trap, "-O" + trap, "--upload-pack=touch " + trap, "ext::sh -c touch% " + trap, "--exec=touch " + trap, "$(touch " + trap + ")", "`touch " + trap + "`", ":(exclude)a", "-", "--"} {
		c.Resolve(ctx, evil)                                          //nolint:errcheck // only the trap counts
		s.Resolve(ctx, evil)                                          //nolint:errcheck
		s.Read(ctx, evil)                                             //nolint:errcheck
		s.Log(ctx, evil, 0, 1)                                        //nolint:errcheck
		s.Blame(ctx, evil, 1, 1)                                      //nolint:errcheck
		s.Patch(ctx, repo.Change{Commit: s.Commit()}, evil)           //nolint:errcheck
		s.Commits(ctx, []string{evil}, evil, 0, 1)                    //nolint:errcheck
		s.Grep(ctx, repo.Query{Pattern: evil, Paths: []string{evil}}) //nolint:errcheck
		c.Changes(ctx, source.Commit(evil), s.Commit())               //nolint:errcheck
		c.MergeBase(ctx, source.Commit(evil), s.Commit())             //nolint:errcheck
		c.Snapshot(ctx, source.Commit(evil))                          //nolint:errcheck
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a file was written")
	}
	cache := newCache(t, repo.Config{})
	for _, dir := range []string{"ext::sh -c 'touch " + trap + "'", "--upload-pack=touch " + trap} {
		if _, err := cache.Open(ctx, repo.Origin{Dir: dir}); err == nil {
			t.Errorf("%s is taken for a repository", dir)
		}
	}
	for _, bad := range []source.Repo{{Owner: "-o", Name: "x"}, {Owner: "a", Name: "../../x"}, {Host: "evil/x", Owner: "a", Name: "b"}} {
		if _, err := cache.Open(ctx, repo.Origin{Repo: bad}); err == nil {
			t.Errorf("%v is taken for a repository", bad)
		}
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a file was written")
	}
}

// A8: 228 bytes of trees that stand for ten thousand million files.
func TestTreeBomb(t *testing.T) {
	r := repotest.New(t, "One\n-- a --\na\n")
	entry := "100644 blob " + strings.TrimSpace(r.Git("rev-parse", "HEAD:a"))
	var tree string
	for range 10 {
		var list strings.Builder
		for i := range 10 {
			fmt.Fprintf(&list, "%s\tf%d\n", entry, i)
		}
		tree = mktree(t, r, list.String())
		entry = "040000 tree " + tree
	}
	commit := strings.TrimSpace(r.Git("commit-tree", "-m", "bomb", tree))
	r.Git("update-ref", "refs/heads/main", commit)
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	if _, err := c.Snapshot(t.Context(), source.Commit(commit)); !errors.Is(err, repo.ErrLimit) || !strings.HasSuffix(err.Error(), "more than 500000 files") {
		t.Error(err)
	}
}

func TestDeepTree(t *testing.T) {
	r := repotest.New(t, "Deep\n-- "+strings.Repeat("d/", 101)+"x --\nx\n")
	c := open(t, newCache(t, repo.Config{}), r.Dir)
	if _, err := c.Snapshot(t.Context(), source.Commit(r.Commits[0])); !errors.Is(err, repo.ErrLimit) || !strings.HasSuffix(err.Error(), "directories more than 100 deep") {
		t.Error(err)
	}
}

func mktree(t *testing.T, r *repotest.Repo, list string) string {
	t.Helper()
	cmd := exec.Command("git", "-C", r.Dir, "mktree")
	cmd.Stdin = strings.NewReader(list)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// A8: a large file is not brought, and everything says so.
func TestLargeBlob(t *testing.T) {
	noise := make([]byte, 300<<10)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(noise) //nolint:errcheck // it cannot fail
	r := repotest.New(t, "One\n-- a.py --\na = 1\n")
	if err := os.WriteFile(filepath.Join(r.Dir, "big.py"), bytes.ReplaceAll(noise, []byte{0}, []byte{1}), 0o644); err != nil {
		t.Fatal(err)
	}
	r.Commit("Two\n-- b.py --\nb = 1\n")
	c := open(t, newCache(t, repo.Config{MaxBlob: 100 << 10}), r.Dir)
	s := snapshot(t, c, "HEAD")
	if got := s.Unseen(); len(got) != 1 || got[0].Path != "big.py" || got[0].Size != -1 {
		t.Errorf("unseen: %v, want big.py", got)
	}
	if _, err := s.Read(t.Context(), "big.py"); !errors.Is(err, repo.ErrUnseen) {
		t.Errorf("read: %v", err)
	}
	if found, err := s.Grep(t.Context(), repo.Query{Pattern: "= 1"}); err != nil || found.Total != 2 || len(found.Unseen) != 1 {
		t.Errorf("grep: %+v, %v", found, err)
	}
	changes, err := c.Changes(t.Context(), source.Commit(r.Commits[0]), source.Commit(r.Commits[1]))
	want := []repo.FileChange{{Status: "added", Path: "b.py", Added: 1}, {Status: "added", Path: "big.py", Unseen: true}}
	if diff := cmp.Diff(want, changes); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestQuota(t *testing.T) {
	noise := make([]byte, 300<<10)
	random := rand.NewChaCha8([32]byte{1})
	random.Read(noise) //nolint:errcheck // it cannot fail
	r := repotest.New(t, "One\n-- noise --\n"+string(noise))
	dir := t.TempDir()
	cache := newCache(t, repo.Config{Dir: dir, MaxClone: 200 << 10})
	if _, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir}); !errors.Is(err, repo.ErrQuota) {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); left != nil {
		t.Errorf("%v is left", left)
	}
}

// A8: a submodule is a hash and nothing else.
func TestSubmoduleIsNotFetched(t *testing.T) {
	trap := filepath.Join(t.TempDir(), "trap")
	r := repotest.New(t, "One\n-- .gitmodules --\n[submodule \"s\"]\n\tpath = s\n\turl = ext::touch "+trap+"\n\tupdate = !touch "+trap+"\n")
	r.Git("update-index", "--add", "--cacheinfo", "160000,"+r.Commits[0]+",s")
	r.Git("commit", "-q", "-m", "Two")
	s := readAll(t, newCache(t, repo.Config{}), r.Dir)
	if _, err := os.Stat(trap); err == nil {
		t.Error("the submodule's command ran")
	}
	if _, err := s.Read(t.Context(), "s"); !errors.Is(err, repo.ErrNoText) || !strings.HasSuffix(err.Error(), "s is a submodule at "+r.Commits[0]) {
		t.Error(err)
	}
}

// A9: links are not followed, and a pipe is not waited for.
func TestLinksAndPipes(t *testing.T) {
	r := repotest.New(t, "One\n-- etc --\n(link) /etc\n-- up/passwd --\n(link) ../../../../../../../../etc/passwd\n-- a.py --\na = 1\n")
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	for _, p := range []string{"etc", "etc/passwd", "up/passwd", "/etc/passwd", "a.py/../../../etc/passwd"} {
		if data, err := s.Read(t.Context(), p); err == nil {
			t.Errorf("%s is %q", p, data)
		}
	}
	remove(t, filepath.Join(r.Dir, "a.py"))
	if err := syscall.Mkfifo(filepath.Join(r.Dir, "a.py"), 0o644); err != nil {
		t.Skip("no pipes here: ", err)
	}
	if got, err := s.Unsaved(t.Context()); err != nil || len(got) != 1 || got[0] != "a.py" {
		t.Errorf("unsaved: %v, %v", got, err)
	}
}

// A14: a line as long as the file.
func TestGrepOfOneLongLine(t *testing.T) {
	r := repotest.New(t, "One\n-- a.js --\n"+strings.Repeat("aaaaaaaaab", 400_000)+"\n")
	s := snapshot(t, open(t, newCache(t, repo.Config{}), r.Dir), "HEAD")
	for _, p := range []string{"a", "(a+)+$", "(a|aa)+b", "[^x]+"} {
		found, err := s.Grep(t.Context(), repo.Query{Pattern: p})
		if err != nil || len(found.Matches) > 1 {
			t.Fatalf("%s: %v", p, err)
		}
		for _, m := range found.Matches {
			if len(m.Text) > 400 {
				t.Errorf("%s gives %d bytes", p, len(m.Text))
			}
		}
	}
}

// A15: the token goes to git in no argument and no file, and comes back in no error.
func TestTokenIsNotSeen(t *testing.T) {
	const token = "ghp_canary0123456789"
	srv := httptest.NewTLSServer(nil)
	defer srv.Close()
	dir := t.TempDir()
	var events []string
	cache := newCache(t, repo.Config{Dir: dir, Token: func(string) (string, error) { return token, nil }, Notify: func(e string) { events = append(events, e) }})
	origin := source.Repo{Host: strings.TrimPrefix(srv.URL, "https://"), Owner: "o", Name: "r"}
	_, err := cache.Open(t.Context(), repo.Origin{Repo: origin})
	if err == nil {
		t.Fatal("a server with an unknown certificate is trusted")
	}
	seen := fmt.Sprintf("%v %+v %#v %v", err, err, err, events)
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			seen += path + string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{token, "eC1hY2Nlc3MtdG9rZW46Z2hwX2NhbmFyeT"} {
		if strings.Contains(seen, secret) {
			t.Errorf("the token is in what is seen: %s", seen)
		}
	}
}

// A21: names that would steer a terminal.
func TestHostileNames(t *testing.T) {
	const name = "a\x1b[31m\n:(top)\"b\t.py"
	r := repotest.New(t, "One\n")
	if err := os.WriteFile(filepath.Join(r.Dir, name), []byte("a = 1\n"), 0o644); err != nil {
		t.Skip("the file system does not take such a name: ", err)
	}
	r.Commit("Two\x1b[2J\n")
	s := readAll(t, newCache(t, repo.Config{}), r.Dir)
	if got := s.Files(); len(got) != 1 || got[0].Path != name {
		t.Fatalf("the tree is %+v", got)
	}
	found, err := s.Grep(t.Context(), repo.Query{Pattern: "a"})
	if err != nil || found.Matches[0].String() != `"a\x1b[31m\n:(top)\"b\t.py":1` {
		t.Errorf("grep: %+v, %v", found, err)
	}
	b, _, err := s.Blame(t.Context(), name, 1, 1)
	if err != nil || b[0].Path != name {
		t.Errorf("blame: %+v, %v", b, err)
	}
	h, err := s.Log(t.Context(), name, 0, 0)
	if err != nil || len(h.Changes) != 1 || len(h.Changes[0].Files) != 1 || h.Changes[0].Files[0] != name {
		t.Errorf("log: %+v, %v", h, err)
	}
}

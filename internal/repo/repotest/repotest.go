// Package repotest makes small git repositories for tests.
package repotest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// Repo is a repository with a work tree.
type Repo struct {
	Dir     string
	Commits []string // the hashes, the first commit first
	t       testing.TB
}

// New makes a repository with a commit for each txtar archive. The archive's comment
// is the message, its files are written over those of the commit before; a file whose
// content is "(deleted)" is removed, one that starts with "(link) " is a link. Commits
// are a day apart, from 2024-01-01 on, so that hashes are the same in each run.
func New(t testing.TB, commits ...string) *Repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &Repo{Dir: t.TempDir(), t: t}
	r.Git("init", "-q", "-b", "main", ".")
	for _, c := range commits {
		r.Commit(c)
	}
	return r
}

// History makes a repository of an archive with a file for each commit: the message,
// and then, each behind a line "=== name", the files as for New.
func History(t testing.TB, history *txtar.Archive) *Repo {
	t.Helper()
	var commits []string
	for _, commit := range history.Files {
		message, files, _ := strings.Cut(string(commit.Data), "===")
		archive := txtar.Archive{Comment: []byte(message)}
		for file := range strings.SplitSeq(files, "===") {
			name, data, _ := strings.Cut(file, "\n")
			archive.Files = append(archive.Files, txtar.File{Name: strings.TrimSpace(name), Data: []byte(data)})
		}
		commits = append(commits, string(txtar.Format(&archive)))
	}
	return New(t, commits...)
}

// Commit adds one commit and gives its hash.
func (r *Repo) Commit(archive string) string {
	r.t.Helper()
	a := txtar.Parse([]byte(archive))
	for _, f := range a.Files {
		r.Write(f.Name, string(f.Data))
	}
	r.Git("add", "-A")
	message := strings.TrimSpace(string(a.Comment))
	if message == "" {
		message = fmt.Sprintf("commit %d", len(r.Commits)+1)
	}
	r.Git("commit", "-q", "--allow-empty", "-m", message)
	hash := strings.TrimSpace(r.Git("rev-parse", "HEAD"))
	r.Commits = append(r.Commits, hash)
	return hash
}

// Write puts a file into the work tree, as New would.
func (r *Repo) Write(name, content string) {
	r.t.Helper()
	path := filepath.Join(r.Dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	target, isLink := strings.CutPrefix(strings.TrimSpace(content), "(link) ")
	switch {
	case err != nil:
	case strings.TrimSpace(content) == "(deleted)":
		err = os.Remove(path)
	case isLink:
		os.Remove(path) //nolint:errcheck // there may be none
		err = os.Symlink(target, path)
	default:
		err = os.WriteFile(path, []byte(content), 0o644)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// Git runs git in the work tree and gives what it prints.
func (r *Repo) Git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	day := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, len(r.Commits)).Format(time.RFC3339)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=" + day,
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_COMMITTER_DATE=" + day,
	}
	out, err := cmd.Output()
	if err != nil {
		detail := ""
		if exit, ok := err.(*exec.ExitError); ok {
			detail = string(exit.Stderr)
		}
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, detail)
	}
	return string(out)
}

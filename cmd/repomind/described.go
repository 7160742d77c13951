package main

import (
	"context"
	"os"
	"path/filepath"

	"io"
	"regexp"

	"github.com/repomind/repomind/internal/github"
)

// described keeps what images show in files of the cache.
type described struct{ dir string }

func newDescribed() described {
	dir, err := cacheDir()
	if err != nil {
		return described{}
	}
	return described{filepath.Join(dir, "images")}
}

var isHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Get implements issue.Described.
func (d described) Get(_ context.Context, key string) (string, bool) {
	if !isHash.MatchString(key) {
		return "", false
	}
	data, err := os.ReadFile(filepath.Join(d.dir, key+".txt"))
	return string(data), err == nil && len(data) > 0
}

// Put implements issue.Described. The file is there whole or not at all.
func (d described) Put(_ context.Context, key, text string) error {
	if d.dir == "" || !isHash.MatchString(key) {
		return nil
	}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(d.dir, "part-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // it was renamed
	if _, err = io.WriteString(f, text); err == nil {
		err = f.Close()
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(d.dir, key+".txt"))
}

// newIssues reads issues from the host that they are on.
func newIssues(progress io.Writer) func(context.Context, github.Target) (github.Issue, error) {
	return func(ctx context.Context, t github.Target) (github.Issue, error) {
		client, err := newGitHub(ctx, t.Repo.HostName(), progress)
		if err != nil {
			return github.Issue{}, err
		}
		return client.Issue(ctx, t)
	}
}

// newPulls reads pull requests from the host that they are on.
func newPulls(progress io.Writer) func(context.Context, github.Target) (github.PullRequest, error) {
	return func(ctx context.Context, t github.Target) (github.PullRequest, error) {
		client, err := newGitHub(ctx, t.Repo.HostName(), progress)
		if err != nil {
			return github.PullRequest{}, err
		}
		return client.PullRequest(ctx, t)
	}
}

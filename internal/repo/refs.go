package repo

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Tag is a tag, and the commit that it leads to.
type Tag struct {
	Name   string
	Commit source.Commit
	Time   time.Time // of the tag, or of its commit where it is a plain name
}

// maxTags is more than any repository needs to name its releases.
const maxTags = 20_000

// Tags gives the tags that lead to commits, the newest first and 20,000 at most.
func (c *Clone) Tags(ctx context.Context) ([]Tag, error) {
	out, err := c.git.output(ctx, nil, "for-each-ref", "--sort=-creatordate", fmt.Sprintf("--count=%d", maxTags),
		"--format=%(refname:strip=2)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(creatordate:unix)", "refs/tags")
	if err != nil {
		return nil, fmt.Errorf("list the tags: %w", c.broken(err))
	}
	var tags []Tag
	for line := range strings.Lines(string(out)) {
		if tag, ok := parseTag(strings.TrimSuffix(line, "\n")); ok {
			tags = append(tags, tag)
		}
	}
	return tags, nil
}

// parseTag reads a line of for-each-ref. A tag of a tree, a blob, or another tag is none.
func parseTag(line string) (Tag, bool) {
	f := strings.Split(line, "\x00")
	if len(f) != 6 {
		return Tag{}, false
	}
	hash := f[2]
	switch {
	case f[1] == "tag" && f[3] == "commit":
		hash = f[4]
	case f[1] != "commit":
		return Tag{}, false
	}
	commit, err := source.ParseCommit(hash)
	t := Tag{Name: f[0], Commit: commit}
	if seconds, bad := strconv.ParseInt(f[5], 10, 64); bad == nil {
		t.Time = time.Unix(seconds, 0).UTC()
	}
	return t, err == nil
}

// LastBefore gives the last commit of a branch, named as for Resolve, that was made
// before an instant: of its first parents, so that work on the side counts from when it
// came in. The error is ErrNoCommit where the branch is younger.
func (c *Clone) LastBefore(ctx context.Context, branch string, t time.Time) (source.Commit, error) {
	tip, err := c.Resolve(ctx, branch)
	if err != nil {
		return "", err
	}
	out, err := c.git.output(ctx, nil, "rev-list", "-1", "--first-parent", fmt.Sprintf("--before=%d", t.Unix()), "--end-of-options", string(tip))
	if err != nil {
		return "", fmt.Errorf("look for the last commit before %s: %w", t.UTC().Format(time.DateOnly), c.broken(err))
	}
	if len(out) == 0 {
		return "", fmt.Errorf("%w: %s has none before %s", ErrNoCommit, branch, t.UTC().Format(time.DateOnly))
	}
	return source.ParseCommit(strings.TrimSpace(string(out)))
}

package repo

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Overlay is a file that a commit is to have in place of what its parent has.
type Overlay struct {
	Path string
	Mode source.Mode // Regular or Executable
	Data []byte
	Gone bool // the file is not there
}

// Commit makes a commit in our clone whose tree is that of a parent with some files
// changed, and gives its name: the same for the same files. No branch leads to it, and the
// origin never sees it.
func (c *Clone) Commit(ctx context.Context, parent source.Commit, files []Overlay, message string) (source.Commit, error) {
	dir, err := os.MkdirTemp("", "repomind-index-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // of the system's directory for such
	g := c.git
	g.env = append(g.env[:len(g.env):len(g.env)], "GIT_INDEX_FILE="+filepath.Join(dir, "index"),
		"GIT_AUTHOR_NAME=repomind", "GIT_AUTHOR_EMAIL=repomind@localhost", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=repomind", "GIT_COMMITTER_EMAIL=repomind@localhost", "GIT_COMMITTER_DATE=1700000000 +0000")
	if _, err := g.output(ctx, nil, "read-tree", "--end-of-options", string(parent)); err != nil {
		return "", fmt.Errorf("read the tree of %s: %w", parent.Short(), c.broken(err))
	}
	var lines bytes.Buffer
	for _, f := range files {
		if f.Gone {
			fmt.Fprintf(&lines, "0 %s\t%s\x00", strings.Repeat("0", len(parent)), f.Path)
			continue
		}
		blob, err := g.output(ctx, bytes.NewReader(f.Data), "hash-object", "-w", "--stdin")
		if err != nil {
			return "", fmt.Errorf("store %s: %w", source.Quote(f.Path), err)
		}
		mode := "100644"
		if f.Mode == source.Executable {
			mode = "100755"
		}
		fmt.Fprintf(&lines, "%s %s\t%s\x00", mode, bytes.TrimSpace(blob), f.Path)
	}
	if _, err := g.output(ctx, &lines, "update-index", "-z", "--index-info"); err != nil {
		return "", fmt.Errorf("change the tree: %w", err)
	}
	tree, err := g.output(ctx, nil, "write-tree")
	if err != nil {
		return "", fmt.Errorf("write the tree: %w", err)
	}
	out, err := g.output(ctx, strings.NewReader(message), "commit-tree", "-p", string(parent), string(bytes.TrimSpace(tree)))
	if err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	return source.ParseCommit(string(bytes.TrimSpace(out)))
}

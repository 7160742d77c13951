package github

import (
	"context"
	"fmt"
	"strings"

	gh "github.com/google/go-github/v62/github"

	"github.com/repomind/repomind/internal/source"
)

// File is a file that a pull request changes.
type File struct {
	Path      string `json:"path"`
	Previous  string `json:"previous,omitempty"` // the old path, of a rename or copy
	Status    string `json:"status"`             // added, removed, modified, renamed, copied, changed or unchanged
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	// Patch holds the hunks from the first "@@" on, without file headers. It is
	// empty for a binary file and a mere rename, and where GitHub leaves it out.
	Patch string `json:"patch,omitempty"`
	Blob  string `json:"blob,omitempty"` // the hash of the new content
}

// Whole says whether Patch has every line that the counts tell of. GitHub leaves out
// or cuts the patch of a large file.
func (f File) Whole() bool {
	var plus, minus int
	for line := range strings.SplitSeq(f.Patch, "\n") {
		switch {
		case strings.HasPrefix(line, "+"):
			plus++
		case strings.HasPrefix(line, "-"):
			minus++
		}
	}
	return plus == f.Additions && minus == f.Deletions
}

func (c *call) files(ctx context.Context, got *gh.PullRequest, p *PullRequest) error {
	list, _, err := list(maxFiles, func(o gh.ListOptions) ([]*gh.CommitFile, *gh.Response, error) {
		return c.api.PullRequests.ListFiles(ctx, c.target.Repo.Owner, c.target.Repo.Name, c.target.Number, &o)
	})
	if err = c.soften("the changed files", err, &p.Incomplete); err != nil {
		return err
	}
	p.setFiles(list, got.GetChangedFiles())
	return nil
}

// setFiles compares the files with the number that the pull request tells: GitHub
// stops at 3,000 without a word.
func (p *PullRequest) setFiles(list []*gh.CommitFile, count int) {
	var unread []string
	for _, g := range list {
		f := File{
			Path: g.GetFilename(), Previous: g.GetPreviousFilename(), Status: g.GetStatus(),
			Additions: g.GetAdditions(), Deletions: g.GetDeletions(), Patch: g.GetPatch(), Blob: g.GetSHA(),
		}
		if !f.Whole() {
			unread = append(unread, source.Quote(f.Path))
		}
		p.Files = append(p.Files, f)
	}
	if n := len(p.Files); n != count {
		p.incomplete("%d of %d changed files were read; GitHub gives %d at most.", n, count, maxFiles)
	}
	if len(unread) > 0 {
		p.incomplete("The patch of %s is cut or left out by GitHub: %s.", counted(len(unread), "file"), some(unread, 20))
	}
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func some(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n)
}

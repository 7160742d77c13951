package github

import (
	"context"
	"fmt"
	"time"

	gh "github.com/google/go-github/v62/github"

	"github.com/repomind/repomind/internal/source"
)

// Commit is one of the commits of a pull request.
type Commit struct {
	SHA     source.Commit `json:"sha"`
	Message string        `json:"message"`
	Author  string        `json:"author,omitempty"` // as git has it
	Date    time.Time     `json:"date,omitzero"`
}

// commits compares the last commit with the head, too: if they differ, somebody
// pushed while the parts were read, and the files may belong to either.
func (c *call) commits(ctx context.Context, got *gh.PullRequest, p *PullRequest) error {
	list, cut, err := list(maxCommits, func(o gh.ListOptions) ([]*gh.RepositoryCommit, *gh.Response, error) {
		return c.api.PullRequests.ListCommits(ctx, c.target.Repo.Owner, c.target.Repo.Name, c.target.Number, &o)
	})
	if err = c.soften("the commits", err, &p.Incomplete); err != nil {
		return err
	}
	if p.Commits, err = newCommits(list); err != nil {
		return fmt.Errorf("read the commits of %s: %w", c.target, err)
	}
	n := len(p.Commits)
	switch {
	case cut || n < got.GetCommits():
		p.incomplete("Only %d of %d commits were read; GitHub gives %d at most.", n, max(n, got.GetCommits()), maxCommits)
	case n > 0 && p.Commits[n-1].SHA != p.Head.Commit:
		p.incomplete("The head moved from %s to %s while the pull request was read; its files may be of either.", p.Head.Commit.Short(), p.Commits[n-1].SHA.Short())
	}
	return nil
}

func newCommits(list []*gh.RepositoryCommit) ([]Commit, error) {
	var out []Commit
	for _, g := range list {
		sha, err := source.ParseCommit(g.GetSHA())
		if err != nil {
			return nil, err
		}
		by := g.GetCommit().GetAuthor()
		out = append(out, Commit{SHA: sha, Message: g.GetCommit().GetMessage(), Author: by.GetName(), Date: by.GetDate().Time})
	}
	return out, nil
}

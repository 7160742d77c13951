package github

import (
	"context"
	"time"

	gh "github.com/google/go-github/v62/github"

	"github.com/repomind/repomind/internal/source"
)

// Review is what a reviewer said of the whole.
type Review struct {
	ID        int64         `json:"id"`
	Author    Author        `json:"author"`
	State     string        `json:"state"` // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING
	Body      string        `json:"body,omitempty"`
	Commit    source.Commit `json:"commit,omitempty"` // what was reviewed
	Submitted time.Time     `json:"submitted,omitzero"`
}

// Thread is a conversation on some lines of a file. The REST API does not say
// whether it was resolved.
type Thread struct {
	Path string `json:"path"`
	// Start and End are lines of the file on Side, as of the head; both are 0 where
	// the thread is outdated, or stands on the file as a whole.
	Start    int           `json:"start,omitempty"`
	End      int           `json:"end,omitempty"`
	Side     string        `json:"side,omitempty"`   // LEFT is the base, RIGHT the head
	Commit   source.Commit `json:"commit,omitempty"` // that the first comment was written on
	Hunk     string        `json:"hunk,omitempty"`   // of the diff at that time
	Comments []Comment     `json:"comments"`
}

const maxReviews = 2000

// talk reads the comments below the pull request, the reviews, and the threads.
func (c *call) talk(ctx context.Context, got *gh.PullRequest, p *PullRequest) (err error) {
	if p.Comments, err = c.comments(ctx, got.GetComments(), &p.Incomplete); err != nil {
		return err
	}
	reviews, cut, err := list(maxReviews, func(o gh.ListOptions) ([]*gh.PullRequestReview, *gh.Response, error) {
		return c.api.PullRequests.ListReviews(ctx, c.target.Repo.Owner, c.target.Repo.Name, c.target.Number, &o)
	})
	if err = c.soften("the reviews", err, &p.Incomplete); err != nil {
		return err
	}
	if cut {
		p.incomplete("Only the first %d reviews were read.", len(reviews))
	}
	p.Reviews = newReviews(reviews)
	return c.threads(ctx, got.GetReviewComments(), p)
}

func (c *call) threads(ctx context.Context, count int, p *PullRequest) error {
	got, cut, err := list(c.cfg.MaxComments, func(o gh.ListOptions) ([]*gh.PullRequestComment, *gh.Response, error) {
		return c.api.PullRequests.ListComments(ctx, c.target.Repo.Owner, c.target.Repo.Name, c.target.Number, &gh.PullRequestListCommentsOptions{ListOptions: o})
	})
	if err = c.soften("the review comments", err, &p.Incomplete); err != nil {
		return err
	}
	if cut || len(got) < count {
		p.incomplete("Only %d of %d review comments were read.", len(got), max(count, len(got)))
	}
	p.Threads = newThreads(got)
	return nil
}

func newReviews(got []*gh.PullRequestReview) []Review {
	var out []Review
	for _, g := range got {
		out = append(out, Review{
			ID: g.GetID(), Author: author(g.GetUser(), g.GetAuthorAssociation()), State: g.GetState(), Body: g.GetBody(),
			Commit: commit(g.GetCommitID()), Submitted: g.GetSubmittedAt().Time,
		})
	}
	return out
}

// commit is empty for what is no full hash: GitHub has lost some old ones.
func commit(s string) source.Commit {
	c, _ := source.ParseCommit(s)
	return c
}

// newThreads groups comments under the one that they reply to. A reply to a comment
// that was deleted begins a thread, which later replies to the same one join.
func newThreads(got []*gh.PullRequestComment) []Thread {
	var out []Thread
	at := map[int64]int{} // the thread that a comment is in
	for _, g := range got {
		i, ok := at[g.GetInReplyTo()]
		if g.GetInReplyTo() == 0 || !ok {
			i = len(out)
			out = append(out, newThread(g))
			if g.GetInReplyTo() != 0 {
				at[g.GetInReplyTo()] = i
			}
		}
		at[g.GetID()] = i
		out[i].Comments = append(out[i].Comments, Comment{
			ID: g.GetID(), Author: author(g.GetUser(), g.GetAuthorAssociation()), Body: g.GetBody(),
			Created: g.GetCreatedAt().Time, Updated: g.GetUpdatedAt().Time,
		})
	}
	return out
}

func newThread(g *gh.PullRequestComment) Thread {
	t := Thread{Path: g.GetPath(), End: g.GetLine(), Side: g.GetSide(), Commit: commit(g.GetOriginalCommitID()), Hunk: g.GetDiffHunk()}
	if t.Start = g.GetStartLine(); t.Start == 0 {
		t.Start = t.End
	}
	return t
}

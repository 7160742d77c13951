package github

import (
	"cmp"
	"context"
	"fmt"
	"time"

	gh "github.com/google/go-github/v62/github"

	"github.com/repomind/repomind/internal/source"
)

// Issue is an issue with all that was said on it.
type Issue struct {
	// Target is where it is now; that differs from what was asked for if its
	// repository was renamed or it was moved.
	Target      Target    `json:"target,omitzero"`
	Title       string    `json:"title"`
	Body        string    `json:"body,omitempty"`
	State       string    `json:"state,omitempty"` // open or closed
	StateReason string    `json:"state_reason,omitempty"`
	Labels      []string  `json:"labels,omitempty"`
	Author      Author    `json:"author,omitzero"`
	Created     time.Time `json:"created,omitzero"`
	Closed      time.Time `json:"closed,omitzero"`
	Comments    []Comment `json:"comments,omitempty"`
	// Linked are the pull requests and commits that GitHub ties to it.
	Linked []Link `json:"linked,omitempty"`
	// Images are the addresses of the images in the body and the comments, in order.
	Images []string `json:"images,omitempty"`
	// Incomplete says in sentences what could not be read to the end.
	Incomplete []string `json:"incomplete,omitempty"`
}

// Author is who wrote something, and what they are to the repository in GitHub's
// words: OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, FIRST_TIME_CONTRIBUTOR,
// FIRST_TIMER, MANNEQUIN or NONE.
type Author struct {
	Login       string `json:"login"` // ghost where the account was deleted
	Association string `json:"association,omitempty"`
	Bot         bool   `json:"bot,omitempty"`
}

// Comment is a comment under an issue or pull request.
type Comment struct {
	ID      int64     `json:"id"`
	Author  Author    `json:"author"`
	Body    string    `json:"body"`
	Created time.Time `json:"created,omitzero"`
	Updated time.Time `json:"updated,omitzero"`
}

// Link ties an issue to a pull request or commit, or a pull request to an issue.
type Link struct {
	How    How           `json:"how"`
	Target Target        `json:"target,omitzero"` // zero for a commit
	Commit source.Commit `json:"commit,omitempty"`
	Title  string        `json:"title,omitempty"`
	State  string        `json:"state,omitempty"`
	Merged bool          `json:"merged,omitempty"`
}

// How says what ties two things.
type How string

// The ties, from the strongest.
const (
	Closes    How = "closes"    // a closing keyword, or the commit that closed the issue
	Connected How = "connected" // by hand, on GitHub
	Mentions  How = "mentions"  // one names the other
)

const (
	maxTimeline = 5000
	maxImages   = 100
)

// Issue reads an issue. For the number of a pull request, which is an issue too, it
// gives what the pull request has of one, and Target.Kind says so.
func (c *Client) Issue(ctx context.Context, t Target) (Issue, error) {
	call, err := c.begin(t)
	if err != nil {
		return Issue{}, err
	}
	got, err := call.issue(ctx)
	if err != nil {
		return Issue{}, err
	}
	i := newIssue(got)
	i.Target = call.target
	if i.Comments, err = call.comments(ctx, got.GetComments(), &i.Incomplete); err != nil {
		return Issue{}, err
	}
	if i.Linked, err = call.linked(ctx, KindPull, &i.Incomplete); err != nil {
		return Issue{}, err
	}
	i.findImages()
	return i, nil
}

func newIssue(got *gh.Issue) Issue {
	i := Issue{
		Title: got.GetTitle(), Body: got.GetBody(), State: got.GetState(), StateReason: got.GetStateReason(),
		Author: author(got.GetUser(), got.GetAuthorAssociation()), Created: got.GetCreatedAt().Time, Closed: got.GetClosedAt().Time,
	}
	for _, l := range present(got.Labels) {
		i.Labels = append(i.Labels, l.GetName())
	}
	return i
}

func author(u *gh.User, association string) Author {
	return Author{Login: cmp.Or(u.GetLogin(), "ghost"), Association: association, Bot: u.GetType() == "Bot"}
}

func (i *Issue) findImages() {
	texts := []string{i.Body}
	for _, c := range i.Comments {
		texts = append(texts, c.Body)
	}
	i.Images = bounded(Images(texts...), &i.Incomplete)
}

func bounded(images []string, incomplete *[]string) []string {
	if n := len(images); n > maxImages {
		*incomplete = append(*incomplete, fmt.Sprintf("Only the first %d of %d images are listed.", maxImages, n))
		return images[:maxImages]
	}
	return images
}

// comments reads what is said under an issue or pull request; count is how many
// comments GitHub says there are.
func (c *call) comments(ctx context.Context, count int, incomplete *[]string) ([]Comment, error) {
	got, cut, err := list(c.cfg.MaxComments, func(o gh.ListOptions) ([]*gh.IssueComment, *gh.Response, error) {
		return c.api.Issues.ListComments(ctx, c.target.Repo.Owner, c.target.Repo.Name, c.target.Number, &gh.IssueListCommentsOptions{ListOptions: o})
	})
	if err = c.soften("the comments", err, incomplete); err != nil {
		return nil, err
	}
	if cut || len(got) < count {
		*incomplete = append(*incomplete, fmt.Sprintf("Only %d of %d comments were read.", len(got), max(count, len(got))))
	}
	return newComments(got), nil
}

func newComments(got []*gh.IssueComment) []Comment {
	var out []Comment
	for _, g := range got {
		out = append(out, Comment{
			ID: g.GetID(), Author: author(g.GetUser(), g.GetAuthorAssociation()), Body: g.GetBody(),
			Created: g.GetCreatedAt().Time, Updated: g.GetUpdatedAt().Time,
		})
	}
	return out
}

package github

import (
	"context"
	"errors"
	"fmt"
	"time"

	gh "github.com/google/go-github/v62/github"

	"github.com/repomind/repomind/internal/source"
)

// PullRequest is a pull request with its changes and all that was said on it. One
// that is made from a local diff has no Target, and of Base and Head only what the
// diff tells.
type PullRequest struct {
	Target   Target    `json:"target,omitzero"`
	Title    string    `json:"title"`
	Body     string    `json:"body,omitempty"`
	State    string    `json:"state,omitempty"` // open or closed
	Draft    bool      `json:"draft,omitempty"`
	Merged   bool      `json:"merged,omitempty"`
	Labels   []string  `json:"labels,omitempty"`
	Author   Author    `json:"author,omitzero"`
	Created  time.Time `json:"created,omitzero"`
	Base     Ref       `json:"base"`
	Head     Ref       `json:"head"`
	Files    []File    `json:"files,omitempty"`
	Commits  []Commit  `json:"commits,omitempty"`
	Linked   []Link    `json:"linked,omitempty"` // issues
	Comments []Comment `json:"comments,omitempty"`
	Reviews  []Review  `json:"reviews,omitempty"`
	Threads  []Thread  `json:"threads,omitempty"`
	// Images are the addresses of the images in the body and the comments, in order.
	Images []string `json:"images,omitempty"`
	// Incomplete says in sentences what could not be read to the end.
	Incomplete []string `json:"incomplete,omitempty"`
}

// Ref is an end of a pull request. Base.Commit is the tip of the base branch, not
// the merge base. Head.Repo is zero where the fork was deleted; its commits are
// still in the base repository under refs/pull/N/head.
type Ref struct {
	Repo   source.Repo   `json:"repo,omitzero"`
	Branch string        `json:"branch,omitempty"`
	Commit source.Commit `json:"commit"`
}

const (
	maxFiles   = 3000 // what GitHub gives of a pull request at most
	maxCommits = 250  // the same
	maxLinks   = 500
)

// PullRequest reads a pull request.
func (c *Client) PullRequest(ctx context.Context, t Target) (PullRequest, error) {
	call, err := c.begin(t)
	if err != nil {
		return PullRequest{}, err
	}
	call.target.Kind = KindPull
	got, _, err := call.api.PullRequests.Get(ctx, t.Repo.Owner, t.Repo.Name, t.Number)
	if err = call.explained(err); err != nil {
		return PullRequest{}, err
	}
	if err := call.follow(got.GetHTMLURL()); err != nil {
		return PullRequest{}, err
	}
	p, err := newPull(got, call.cfg.Host)
	if err != nil {
		return PullRequest{}, fmt.Errorf("read %s: %w", call.target, err)
	}
	p.Target = call.target
	for _, part := range []func(context.Context, *gh.PullRequest, *PullRequest) error{call.files, call.commits, call.talk, call.ties} {
		if err := part(ctx, got, &p); err != nil {
			return PullRequest{}, err
		}
	}
	p.findImages()
	return p, nil
}

func (c *call) explained(err error) error {
	if err == nil {
		return nil
	}
	err = c.explain("", err)
	var e *Error
	if errors.As(err, &e) && errors.Is(err, ErrNotFound) {
		e.Hint += "; an issue may have this number"
	}
	return err
}

func newPull(got *gh.PullRequest, host string) (PullRequest, error) {
	p := PullRequest{
		Title: got.GetTitle(), Body: got.GetBody(), State: got.GetState(), Draft: got.GetDraft(), Merged: got.GetMerged(),
		Author: author(got.GetUser(), got.GetAuthorAssociation()), Created: got.GetCreatedAt().Time,
	}
	for _, l := range present(got.Labels) {
		p.Labels = append(p.Labels, l.GetName())
	}
	var err error
	if p.Base, err = newRef(got.GetBase(), host); err != nil {
		return PullRequest{}, fmt.Errorf("its base: %w", err)
	}
	if p.Head, err = newRef(got.GetHead(), host); err != nil {
		return PullRequest{}, fmt.Errorf("its head: %w", err)
	}
	return p, nil
}

func newRef(b *gh.PullRequestBranch, host string) (Ref, error) {
	sha, err := source.ParseCommit(b.GetSHA())
	if err != nil {
		return Ref{}, err
	}
	r := Ref{Branch: b.GetRef(), Commit: sha}
	if b.GetRepo() == nil {
		return r, nil
	}
	r.Repo, err = source.NewRepo(host, b.GetRepo().GetOwner().GetLogin(), b.GetRepo().GetName())
	return r, err
}

// ties finds the issues: those that the body and the commits say are closed, then
// those of the timeline.
func (c *call) ties(ctx context.Context, _ *gh.PullRequest, p *PullRequest) error {
	links, err := c.linked(ctx, KindIssue, &p.Incomplete)
	p.link(links)
	return err
}

func (p *PullRequest) link(more []Link) {
	texts := []string{p.Body}
	for _, commit := range p.Commits {
		texts = append(texts, commit.Message)
	}
	issues := closes(p.Target, texts...)
	if n := len(issues); n > maxLinks {
		p.incomplete("Only the first %d of %d issues that it closes are listed.", maxLinks, n)
		issues = issues[:maxLinks]
	}
	for _, t := range issues {
		p.Linked = append(p.Linked, Link{How: Closes, Target: t})
	}
	for _, l := range more {
		p.Linked = addLink(p.Linked, l)
	}
}

func (p *PullRequest) incomplete(format string, args ...any) {
	p.Incomplete = append(p.Incomplete, fmt.Sprintf(format, args...))
}

func (p *PullRequest) findImages() {
	texts := []string{p.Body}
	for _, c := range p.Comments {
		texts = append(texts, c.Body)
	}
	for _, r := range p.Reviews {
		texts = append(texts, r.Body)
	}
	for _, t := range p.Threads {
		for _, c := range t.Comments {
			texts = append(texts, c.Body)
		}
	}
	p.Images = bounded(Images(texts...), &p.Incomplete)
}

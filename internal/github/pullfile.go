package github

import (
	"encoding/json"
	"fmt"
	"strings"

	gh "github.com/google/go-github/v62/github"
)

type pullFile struct {
	Pull           *gh.PullRequest          `json:"pull_request"`
	Files          []*gh.CommitFile         `json:"files"`
	Commits        []*gh.RepositoryCommit   `json:"commits"`
	Comments       []*gh.IssueComment       `json:"comments"`
	Reviews        []*gh.PullRequestReview  `json:"reviews"`
	ReviewComments []*gh.PullRequestComment `json:"review_comments"`
}

// ReadPullRequestFile reads a pull request from JSON of the REST API: one alone, or
// {"pull_request": …, "files": […], "commits": […], "comments": […], "reviews": […],
// "review_comments": […]}. An error gives the line, and is an [ErrInput].
func ReadPullRequestFile(name string, data []byte) (PullRequest, error) {
	data, err := fileText(name, data)
	if err != nil {
		return PullRequest{}, inputError{err}
	}
	p, err := readPull(name, data)
	if err != nil {
		return PullRequest{}, inputError{err}
	}
	return p, nil
}

func readPull(name string, data []byte) (PullRequest, error) {
	var probe struct {
		Pull json.RawMessage `json:"pull_request"`
	}
	var parts pullFile
	err := decode(name, data, &probe)
	switch {
	case err != nil:
	case probe.Pull != nil:
		err = decode(name, data, &parts)
	default:
		err = decode(name, data, &parts.Pull)
	}
	if err == nil {
		err = parts.check(name)
	}
	if err != nil {
		return PullRequest{}, fmt.Errorf("%w; JSON is taken as \"gh api repos/OWNER/REPO/pulls/N\" prints it", err)
	}
	parts.tidy()
	return parts.request(name)
}

func (f *pullFile) tidy() {
	f.Files, f.Commits = present(f.Files), present(f.Commits)
	f.Comments, f.Reviews, f.ReviewComments = present(f.Comments), present(f.Reviews), present(f.ReviewComments)
}

func (f *pullFile) check(name string) error {
	switch {
	case f.Pull.GetBase() == nil || f.Pull.GetHead() == nil:
		return fmt.Errorf("%s:1: the pull request has no base or no head", name)
	case strings.TrimSpace(f.Pull.GetTitle()) == "":
		return fmt.Errorf("%s:1: the pull request has no title", name)
	}
	return nil
}

func (f *pullFile) request(name string) (PullRequest, error) {
	t, err := targetOf(name, f.Pull.GetHTMLURL())
	if err != nil {
		return PullRequest{}, err
	}
	p, err := newPull(f.Pull, t.Repo.Host)
	if err != nil {
		return PullRequest{}, fmt.Errorf("%s:1: %w", name, err)
	}
	if p.Commits, err = newCommits(f.Commits); err != nil {
		return PullRequest{}, fmt.Errorf("%s:1: the commits: %w", name, err)
	}
	p.Target = t
	p.setFiles(f.Files, f.Pull.GetChangedFiles())
	p.Comments, p.Reviews, p.Threads = newComments(f.Comments), newReviews(f.Reviews), newThreads(f.ReviewComments)
	p.missing(f)
	p.link(nil)
	p.findImages()
	return p, nil
}

// missing compares what the file holds with the numbers that the pull request tells.
func (p *PullRequest) missing(f *pullFile) {
	for _, part := range []struct {
		noun        string
		have, wants int
	}{
		{"commits", len(f.Commits), f.Pull.GetCommits()},
		{"comments", len(f.Comments), f.Pull.GetComments()},
		{"review comments", len(f.ReviewComments), f.Pull.GetReviewComments()},
	} {
		if part.have < part.wants {
			p.incomplete("Only %d of %d %s are in the file.", part.have, part.wants, part.noun)
		}
	}
}

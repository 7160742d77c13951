package github

import (
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// ReadLocalDiff makes a pull request of a range of a clone's commits, with no network:
// base...head is what head has done since it parted from base, as on GitHub, and
// base..head compares the two as they are. The title is the newest commit's subject,
// the body the rest of all messages. A span of another form is an [ErrInput].
func ReadLocalDiff(ctx context.Context, clone *repo.Clone, span string) (PullRequest, error) {
	base, head, err := ends(ctx, clone, span)
	if err != nil {
		return PullRequest{}, err
	}
	history, err := clone.Between(ctx, base, head, maxCommits)
	if err != nil {
		return PullRequest{}, err
	}
	r := clone.Origin().Repo
	p := PullRequest{State: "open", Base: Ref{Repo: r, Commit: base}, Head: Ref{Repo: r, Commit: head}, Title: span}
	for i := range history.Changes {
		c := history.Changes[len(history.Changes)-1-i] // GitHub has the oldest first
		p.Commits = append(p.Commits, Commit{SHA: c.Commit, Message: c.Message, Author: c.Author, Date: c.Time})
	}
	if n := len(p.Commits); n > 0 {
		p.Title, p.Author = history.Changes[0].Subject(), Author{Login: p.Commits[n-1].Author}
		p.Created = p.Commits[n-1].Date
	}
	p.Body = bodies(p.Commits)
	if history.More {
		p.incomplete("Only the last %d commits were read.", maxCommits)
	}
	if err := p.localFiles(ctx, clone, base, head); err != nil {
		return PullRequest{}, err
	}
	p.link(nil)
	return p, nil
}

func ends(ctx context.Context, clone *repo.Clone, span string) (base, head source.Commit, err error) {
	from, to, both := strings.Cut(span, "...")
	if !both {
		if from, to, both = strings.Cut(span, ".."); !both {
			return "", "", inputError{fmt.Errorf("%q is no range of commits: base...head is needed, such as main...HEAD", span)}
		}
	}
	if from == "" {
		from = "HEAD"
	}
	if to == "" {
		to = "HEAD"
	}
	if base, err = clone.Resolve(ctx, from); err != nil {
		return "", "", err
	}
	if head, err = clone.Resolve(ctx, to); err != nil {
		return "", "", err
	}
	if strings.Contains(span, "...") {
		base, err = clone.MergeBase(ctx, base, head)
	}
	return base, head, err
}

// bodies joins what the messages say behind their first lines.
func bodies(commits []Commit) string {
	var parts []string
	for _, c := range commits {
		if _, rest, ok := strings.Cut(c.Message, "\n"); ok && strings.TrimSpace(rest) != "" {
			parts = append(parts, strings.TrimSpace(rest))
		}
	}
	return strings.Join(parts, "\n\n")
}

func (p *PullRequest) localFiles(ctx context.Context, clone *repo.Clone, base, head source.Commit) error {
	changes, err := clone.Changes(ctx, base, head)
	if err != nil {
		return err
	}
	if n := len(changes); n > maxFiles {
		p.incomplete("Only the first %d of %d changed files were read.", maxFiles, n)
		changes = changes[:maxFiles]
	}
	patches := patches{clone: clone, base: base, head: head}
	for _, c := range changes {
		f := File{Path: c.Path, Previous: c.OldPath, Status: c.Status, Additions: c.Added, Deletions: c.Deleted}
		if f.Patch, err = patches.of(ctx, c); err != nil {
			return fmt.Errorf("the patch of %s: %w", source.Quote(c.Path), err)
		}
		p.Files = append(p.Files, f)
	}
	patches.report(p)
	return nil
}

package issue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/issue/triage"
)

// fetchIssue reads the issue and chooses the commit.
func (n nodes) fetchIssue(ctx context.Context, s State) (update, error) {
	is, err := n.issue(ctx, s.Input)
	if err != nil {
		return nil, err
	}
	clone, err := n.Places.Clone(ctx, s.Origin())
	if err != nil {
		return nil, err
	}
	choice, err := choose(ctx, clone, s.Input, is)
	if err != nil {
		return nil, err
	}
	lang := s.Input.Lang
	if lang == "" {
		lang = triage.Language(is)
	}
	return update{
		fRun.Set(graph.Info(ctx).Thread), fIssue.Set(is), fCommit.Set(choice), fLang.Set(lang),
		fWarnings.Set(append(slices.Clip(is.Incomplete), steers(is)...)),
	}, nil
}

func (n nodes) issue(ctx context.Context, in Input) (github.Issue, error) {
	if in.Issue != nil {
		return *in.Issue, nil
	}
	if n.Issues == nil {
		return github.Issue{}, errors.New("there is nobody to read issues")
	}
	return n.Issues(ctx, in.Target)
}

// Origin is where the repository comes from.
func (s State) Origin() repo.Origin {
	if s.Input.From == (repo.Origin{}) {
		return repo.Origin{Repo: s.Input.Target.Repo}
	}
	return s.Input.From
}

// choose takes the commit that a person names; else the tag of the version that the
// issue names; else what was newest when the issue was opened.
func choose(ctx context.Context, clone *repo.Clone, in Input, is github.Issue) (Choice, error) {
	head, err := clone.Resolve(ctx, "HEAD")
	if err != nil && in.At == "" {
		return Choice{}, err
	}
	c := Choice{Head: head}
	if in.At != "" {
		c.Commit, err = clone.Resolve(ctx, in.At)
		c.Why = "asked for as " + in.At
		if strings.HasPrefix(string(c.Commit), in.At) {
			c.Why = "asked for"
		}
		return c, err
	}
	note, err := c.byVersion(ctx, clone, is, in)
	if err != nil || c.Commit != "" {
		return c, err
	}
	if is.Created.IsZero() {
		c.Commit, c.Why = head, "the newest; it is not known when the issue was opened"+note
		return c, nil
	}
	c.Commit, err = clone.LastBefore(ctx, "HEAD", is.Created)
	c.Why = "the last before the issue was opened on " + is.Created.UTC().Format(time.DateOnly) + note
	if errors.Is(err, repo.ErrNoCommit) {
		c.Commit, c.Why, err = head, "the newest; there is none before the issue was opened"+note, nil
	}
	return c, err
}

// byVersion takes the tag of the version that the issue names. The note says why it is
// not taken.
func (c *Choice) byVersion(ctx context.Context, clone *repo.Clone, is github.Issue, in Input) (note string, err error) {
	project := clone.Origin().Repo.Name
	if project == "" {
		project = in.Target.Repo.Name
	}
	version, _ := triage.Version(is, project)
	if version == "" {
		return "", nil
	}
	tags, err := clone.Tags(ctx)
	if err != nil {
		return "", err
	}
	names := make([]string, len(tags))
	at := map[string]source.Commit{}
	for i, t := range tags {
		names[i], at[t.Name] = t.Name, t.Commit
	}
	tag, ok := triage.Tag(version, names, project)
	if !ok {
		return fmt.Sprintf("; version %s, which it names, has no tag", version), nil
	}
	c.Commit, c.Why = at[tag], fmt.Sprintf("the tag %s of the version that the issue names", tag)
	return "", nil
}

// query is the issue as text: the body, and what its author and the maintainers added.
// Robots and passers-by are left out, since they mostly speak of something else.
func query(is github.Issue) (title, body string) {
	const most = 256 << 10
	var b strings.Builder
	b.WriteString(is.Body)
	for _, c := range is.Comments {
		if b.Len() > most {
			break
		}
		if weighty(c.Author, is) {
			fmt.Fprintf(&b, "\n\n%s", c.Body)
		}
	}
	return is.Title, b.String()
}

// weighty says whether a comment is by somebody who knows: the reporter or a maintainer.
func weighty(a github.Author, is github.Issue) bool {
	return !a.Bot && (a.Login != "" && a.Login == is.Author.Login || maintainer(a))
}

func maintainer(a github.Author) bool {
	switch a.Association {
	case "OWNER", "MEMBER", "COLLABORATOR":
		return !a.Bot
	}
	return false
}

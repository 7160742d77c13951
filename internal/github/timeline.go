package github

import (
	"context"
	"fmt"
	"slices"

	gh "github.com/google/go-github/v62/github"

	"github.com/repomind/repomind/internal/source"
)

// linked reads the timeline for what is tied to the target: for an issue the pull
// requests, and the commit that closed it; for a pull request the issues.
func (c *call) linked(ctx context.Context, want Kind, incomplete *[]string) ([]Link, error) {
	events, cut, err := list(maxTimeline, func(o gh.ListOptions) ([]*gh.Timeline, *gh.Response, error) {
		return c.api.Issues.ListIssueTimeline(ctx, c.target.Repo.Owner, c.target.Repo.Name, c.target.Number, &o)
	})
	if err = c.soften("the timeline", err, incomplete); err != nil {
		return nil, err
	}
	if cut {
		*incomplete = append(*incomplete, fmt.Sprintf("Only the first %d events of the timeline were read; later links are unknown.", len(events)))
	}
	links, unnamed := c.links(events, want)
	if unnamed > 0 {
		*incomplete = append(*incomplete, fmt.Sprintf("%s made by hand cannot be named: the REST API does not say to what.", counted(unnamed, "link")))
	}
	return links, nil
}

// links gives the links among events, and the number of those that are made by hand
// and do not say to what: GitHub leaves the source out of a "connected" event.
func (c *call) links(events []*gh.Timeline, want Kind) (links []Link, unnamed int) {
	for _, e := range events {
		switch e.GetEvent() {
		case "cross-referenced":
			links = c.addSource(links, e, want, Mentions)
		case "connected":
			if e.GetSource() == nil {
				unnamed++
			}
			links = c.addSource(links, e, want, Connected)
		case "disconnected":
			unnamed = max(0, unnamed-1)
		case "closed":
			if sha, err := source.ParseCommit(e.GetCommitID()); err == nil && want == KindPull {
				links = addLink(links, Link{How: Closes, Commit: sha})
			}
		}
	}
	return links, unnamed
}

func (c *call) addSource(links []Link, e *gh.Timeline, want Kind, how How) []Link {
	i := e.GetSource().GetIssue()
	t, err := ParseTarget(i.GetHTMLURL(), c.cfg.Host)
	if err != nil || t.Kind != want || t.Repo.HostName() != c.cfg.Host {
		return links // the other kind, or what this client could not read either
	}
	return addLink(links, Link{How: how, Target: t, Title: i.GetTitle(), State: i.GetState(), Merged: !i.GetPullRequestLinks().GetMergedAt().IsZero()})
}

// addLink adds l unless a link to the same is there; of two, the stronger tie is
// kept, with the title that either has.
func addLink(links []Link, l Link) []Link {
	at := slices.IndexFunc(links, func(o Link) bool { return o.Target == l.Target && o.Commit == l.Commit })
	if at < 0 {
		return append(links, l)
	}
	old := &links[at]
	if strength(l.How) > strength(old.How) {
		old.How = l.How
	}
	if old.Title == "" {
		old.Title, old.State, old.Merged = l.Title, l.State, l.Merged
	}
	return links
}

func strength(h How) int { return slices.Index([]How{Mentions, Connected, Closes}, h) }

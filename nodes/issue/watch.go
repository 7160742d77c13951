package issue

import (
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/told"
)

// Look fetches the issue and chooses the commit, as a run would.
func Look(ctx context.Context, c Config, in Input) (github.Issue, Choice, error) {
	n := nodes{c}
	is, err := n.issue(ctx, in)
	if err != nil {
		return is, Choice{}, err
	}
	clone, err := c.Places.Clone(ctx, State{Input: in}.Origin())
	if err != nil {
		return is, Choice{}, err
	}
	choice, err := choose(ctx, clone, in, is)
	return is, choice, err
}

// Subject names what a run is about: owner/repo#12, or the directory.
func (s State) Subject() string {
	if t := s.Input.Target; t.Number != 0 {
		return fmt.Sprintf("%s#%d", t.Repo, t.Number)
	}
	return s.Origin().String()
}

// Told is what a node found, in a few words, "" for nothing to tell.
func Told(u graph.Update[State]) string {
	if c, ok := told.Field[Choice](u, fCommit.Name()); ok {
		return fmt.Sprintf("at %s, %s", c.Commit.Short(), c.Why)
	}
	if r, ok := told.Field[Route](u, fRoute.Name()); ok {
		return fmt.Sprintf("%s, %s", r.Kind, r.Severity)
	}
	if r, ok := told.Field[report.Regression](u, fRegression.Name()); ok && r.Is {
		return "it worked before"
	}
	if parts, ok := told.Field[[]Part](u, fParts.Name()); ok {
		return tellParts(parts)
	}
	if f, ok := told.Field[FixChoice](u, fFix.Name()); ok {
		return string(f.Class)
	}
	if f, ok := told.Field[Finding](u, fFinding.Name()); ok {
		return fmt.Sprintf("%s, %d removed", plural(f.Checked.Claims, "claim"), len(f.Checked.Removed))
	}
	if c, ok := told.Field[Critique](u, fCritique.Name()); ok {
		return fmt.Sprintf("confidence %.2f", c.Score)
	}
	return ""
}

func tellParts(parts []Part) string {
	var out []string
	for _, p := range parts {
		switch {
		case p.Ranking != nil && len(p.Ranking.Places) > 0:
			out = append(out, p.Ranking.Places[0].Path+" first")
		case len(p.Suspects) > 0:
			out = append(out, plural(len(p.Suspects), "commit"))
		case len(p.Pieces) > 0:
			out = append(out, plural(len(p.Pieces), "definition"))
		}
	}
	return strings.Join(out, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

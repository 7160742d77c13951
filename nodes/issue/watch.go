package issue

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
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

// written gives what an update of a run, as an event carries it, writes to a field.
func written[V any](data any, field string) (v V, ok bool) {
	u, isUpdate := data.(update)
	if !isUpdate {
		return v, false
	}
	for _, w := range u {
		if w.Field() == field {
			if got, is := w.Value().(V); is {
				v, ok = got, true
			}
		}
	}
	return v, ok
}

// Warnings are those that a node's update adds.
func Warnings(data any) (all []string) {
	u, _ := data.(update)
	for _, w := range u {
		if list, ok := w.Value().([]string); ok && w.Field() == fWarnings.Name() {
			all = append(all, list...)
		}
	}
	return all
}

// Cost is what a node took: its name, which tells the sides of the fan apart, its time,
// and what its models took.
func Cost(node string, data any) (name string, took time.Duration, usage llm.Usage) {
	times, _ := written[map[string]time.Duration](data, fTimes.Name())
	for name, took = range times {
		node = name
	}
	u, _ := data.(update)
	for _, w := range u {
		if by, ok := w.Value().(map[string]llm.Usage); ok {
			for _, one := range by {
				usage = usage.Add(one)
			}
		}
	}
	return node, took, usage
}

// Told is what a node found, in a few words, "" for nothing to tell.
func Told(data any) string {
	if c, ok := written[Choice](data, fCommit.Name()); ok {
		return fmt.Sprintf("at %s, %s", c.Commit.Short(), c.Why)
	}
	if r, ok := written[Route](data, fRoute.Name()); ok {
		return fmt.Sprintf("%s, %s", r.Kind, r.Severity)
	}
	if r, ok := written[report.Regression](data, fRegression.Name()); ok && r.Is {
		return "it worked before"
	}
	if parts, ok := written[[]Part](data, fParts.Name()); ok {
		return tellParts(parts)
	}
	if f, ok := written[FixChoice](data, fFix.Name()); ok {
		return string(f.Class)
	}
	if f, ok := written[Finding](data, fFinding.Name()); ok {
		return fmt.Sprintf("%s, %d removed", plural(f.Checked.Claims, "claim"), len(f.Checked.Removed))
	}
	if c, ok := written[Critique](data, fCritique.Name()); ok {
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

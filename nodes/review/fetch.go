package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// fetchPR reads the change, finds what it has to be compared with, and sorts its files.
func (n nodes) fetchPR(ctx context.Context, s State) (update, error) {
	p, ends, err := n.look(ctx, s.Input)
	if err != nil {
		return nil, err
	}
	clone, err := n.Places.Clone(ctx, s.Origin())
	if err != nil {
		return nil, err
	}
	from := ends.Base
	if s.Input.Since != "" {
		from = s.Input.Since
	}
	changes, err := clone.Changes(ctx, from, ends.Head)
	if err != nil {
		return nil, err
	}
	warnings := slices.Concat(unlike(p, changes, s.Input.Since != ""), steers(p))
	base, err := n.Places.At(ctx, s.Origin(), ends.Base)
	if err != nil {
		return nil, err
	}
	policy, err := n.policy(ctx, base.Snapshot, changes)
	if err != nil {
		return nil, err
	}
	files, err := sorted(ctx, base.Snapshot, changes, policy)
	if err != nil {
		return nil, err
	}
	issues, more, err := n.issues(ctx, p)
	if err != nil {
		return nil, err
	}
	lang := cmp.Or(s.Input.Lang, policy.Lang, "en")
	p.Files = nil // ours are told by the commits themselves
	return update{
		fRun.Set(graph.Info(ctx).Thread), fPull.Set(p), fCompared.Set(ends), fPolicy.Set(policy), fFiles.Set(files), fIssues.Set(issues), fLang.Set(lang),
		fWarnings.Set(append(warnings, more...)),
	}, nil
}

// policy reads how the project wants to be reviewed, as the base has it: a change cannot
// loosen its own review.
func (n nodes) policy(ctx context.Context, base *repo.Snapshot, changes []repo.FileChange) (Policy, error) {
	if n.Policy == nil {
		return Policy{}, nil
	}
	seen := map[string]bool{}
	for _, c := range changes {
		for dir := path.Dir(c.Path); dir != "." && dir != "/"; dir = path.Dir(dir) {
			seen[dir] = true
		}
	}
	read := reader(base)
	return n.Policy(ctx, func(p string) ([]byte, error) { return read(ctx, p) }, slices.Sorted(maps.Keys(seen)))
}

// Look gives a change and its ends, as a run would see them now.
func Look(ctx context.Context, c Config, in Input) (github.PullRequest, Ends, error) {
	return nodes{Config: c}.look(ctx, in)
}

func (n nodes) look(ctx context.Context, in Input) (p github.PullRequest, e Ends, err error) {
	switch {
	case in.Pull != nil:
		p = *in.Pull
	case n.Pulls == nil:
		return p, e, errors.New("there is nobody to read pull requests")
	default:
		if p, err = n.Pulls(ctx, in.Target); err != nil {
			return p, e, err
		}
	}
	e.Head = p.Head.Commit
	if in.Pull != nil && in.Target.Number == 0 {
		e.Base, e.Why = p.Base.Commit, "as asked for"
		return p, e, nil
	}
	// The base is where the change left the branch of the target repository. The fork's own
	// idea of that branch may be old, and the tip of the branch has work of others.
	tip, from := p.Base.Commit, (State{Input: in}).Origin()
	for _, at := range []source.Commit{e.Head, tip} {
		if _, err := n.Places.At(ctx, from, at); err != nil { // fetches it
			return p, e, err
		}
	}
	clone, err := n.Places.Clone(ctx, from)
	if err != nil {
		return p, e, err
	}
	if e.Base, err = clone.MergeBase(ctx, tip, e.Head); err != nil {
		return p, e, fmt.Errorf("find where the change left %s: %w", source.Quote(p.Base.Branch), err)
	}
	e.Why = "where it left " + p.Base.Branch
	return p, e, nil
}

// Origin is where the repository comes from.
func (s State) Origin() repo.Origin {
	if s.Input.From == (repo.Origin{}) {
		return repo.Origin{Repo: s.Input.Target.Repo}
	}
	return s.Input.From
}

// unlike compares the files that the host lists with those that the commits tell. The
// host stops at 3,000, and counts from a base of its own.
func unlike(p github.PullRequest, changes []repo.FileChange, part bool) []string {
	if part || len(p.Files) == 0 {
		return p.Incomplete
	}
	ours := map[string]bool{}
	for _, c := range changes {
		ours[c.Path] = true
	}
	var missing []string
	for _, f := range p.Files {
		if !ours[f.Path] {
			missing = append(missing, source.Quote(f.Path))
		}
	}
	if len(missing) == 0 {
		return nil // what the host left out is here
	}
	return []string{fmt.Sprintf("the host lists %d changed files that are not between the commits, as %s", len(missing), missing[0])}
}

// maxIssues is how many of the issues that a change names are read.
const maxIssues = 3

// issues reads those that the change says it closes.
func (n nodes) issues(ctx context.Context, p github.PullRequest) (out []github.Issue, warnings []string, err error) {
	if n.Issues == nil {
		return nil, nil, nil
	}
	for _, l := range p.Linked {
		if l.How != github.Closes || l.Target.Kind == github.KindPull || l.Target.Repo != p.Target.Repo || len(out) == maxIssues {
			continue
		}
		is, err := n.Issues(ctx, l.Target)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("%s, which it names, was not read: %v", l.Target, err))
			continue
		}
		out = append(out, is)
	}
	return out, warnings, nil
}

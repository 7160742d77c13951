package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/contract"
	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/place"
	"github.com/repomind/repomind/nodes/review/rule"
	"github.com/repomind/repomind/nodes/steer"
)

// rules looks at the whole change without a model, also where models look at what came
// since the last review: what a rule finds no more is then mended.
func (n nodes) rules(ctx context.Context, l look, _ string) (update, error) {
	v := View{Lens: report.LensRules, Try: l.Try}
	files, err := n.whole(ctx, l.Origin, l.Whole, l.Ends, l.Files)
	if err != nil {
		return nil, err
	}
	changed, err := n.diff(ctx, l.Origin, l.Whole, files)
	if err != nil {
		return nil, err
	}
	base, err := n.Places.At(ctx, l.Origin, l.Whole.Base)
	if err != nil {
		return nil, err
	}
	head, err := n.Places.At(ctx, l.Origin, l.Whole.Head)
	if err != nil {
		return nil, err
	}
	c := rule.Change{
		Tree: func(p string) bool { _, err := head.Snapshot.Stat(p); return err == nil },
		Base: reader(base.Snapshot), Head: reader(head.Snapshot),
	}
	for _, f := range files {
		c.Files = append(c.Files, ruleFile(f, changed[f.Path]))
	}
	if c.Commits, err = commits(ctx, base.Snapshot); err != nil {
		return nil, err
	}
	if v.Rules, err = rule.Check(ctx, c); err != nil {
		return nil, err
	}
	broken, err := stale(ctx, base, head, files, c)
	if err != nil {
		return nil, err
	}
	v.Rules = append(v.Rules, broken...)
	return update{fViews.Set([]View{v}), fWarnings.Set(spoken(c.Files))}, nil
}

// spoken tells of added lines that speak to a program that reviews. They change nothing
// here; a maintainer wants to know of them.
func spoken(files []rule.File) (out []string) {
	const most = 5
	for _, f := range files {
		for _, l := range f.Added {
			if said := steer.Find(l.Text); said != "" && len(out) < most {
				out = append(out, fmt.Sprintf("%s tries to steer the review: %q", source.Span{Path: f.Path, Start: l.Number}, said))
			}
		}
	}
	return out
}

// history is how many of the last commits say what changes together.
const history = 500

func commits(ctx context.Context, s *repo.Snapshot) (out [][]string, err error) {
	h, err := s.Log(ctx, "", 0, history)
	if err != nil {
		return nil, err
	}
	for _, c := range h.Changes {
		out = append(out, c.Files)
	}
	return out, nil
}

func ruleFile(f File, d diff.File) rule.File {
	out := rule.File{Path: f.Path, Old: f.OldPath, Status: f.Status}
	for _, h := range d.Hunks {
		for _, l := range h.Lines {
			switch l.Op {
			case diff.Insert:
				out.Added = append(out.Added, rule.Line{Number: l.New, Text: l.Text})
			case diff.Delete:
				out.Removed = append(out.Removed, rule.Line{Number: l.Old, Text: l.Text})
			}
		}
	}
	return out
}

// reader reads files, nil for what is not there or no text.
func reader(s *repo.Snapshot) func(context.Context, string) ([]byte, error) {
	return func(ctx context.Context, p string) ([]byte, error) {
		data, err := s.Read(ctx, p)
		if errors.Is(err, repo.ErrNotExist) || errors.Is(err, repo.ErrNoText) || errors.Is(err, repo.ErrUnseen) {
			return nil, nil
		}
		return data, err
	}
}

// stale finds callers that a changed signature left behind.
func stale(ctx context.Context, base, head *place.Place, files []File, c rule.Change) ([]report.Finding, error) {
	in := contract.Input{Read: c.Head, Max: 50}
	for _, f := range files {
		if !hasSignatures(f) {
			continue
		}
		pair := contract.Pair{Path: f.Path, OldPath: f.OldPath}
		var err error
		if f.Status != "added" && f.Status != "copied" {
			if pair.Before, err = c.Base(ctx, before(f)); err != nil {
				return nil, err
			}
		}
		if f.Status != "removed" {
			if pair.After, err = c.Head(ctx, f.Path); err != nil {
				return nil, err
			}
		}
		if pair.Before != nil || pair.After != nil {
			in.Files = append(in.Files, pair)
		}
	}
	if !slices.ContainsFunc(in.Files, func(p contract.Pair) bool { return p.Before != nil }) {
		return nil, nil // all is new
	}
	if err := both(ctx, &in, base, head); err != nil {
		return nil, err
	}
	broken, err := contract.Check(ctx, in)
	if err != nil {
		return nil, err
	}
	var out []report.Finding
	for _, b := range broken {
		out = append(out, report.Finding{
			Lens: report.LensRules, Rule: "stale-caller", Severity: report.High, Confidence: 0.9, Path: b.Caller.Path, Side: report.Right,
			Start: b.Caller.Start, End: max(b.Caller.End, b.Caller.Start), Quote: b.Quote,
			Message: fmt.Sprintf("A caller of %s was not updated: %s.", b.Symbol, strings.TrimSuffix(b.Why, ".")),
			Why:     fmt.Sprintf("At %s: %s.", b.Def, strings.TrimSuffix(b.What, ".")),
		})
	}
	return out, nil
}

// both loads the symbols of the base and the head at once.
func both(ctx context.Context, in *contract.Input, base, head *place.Place) error {
	var wg sync.WaitGroup
	var errs [2]error
	wg.Go(func() { in.Base, errs[0] = base.Code(ctx) })
	wg.Go(func() { in.Head, errs[1] = head.Code(ctx) })
	wg.Wait()
	return errors.Join(errs[:]...)
}

func before(f File) string {
	if f.OldPath != "" {
		return f.OldPath
	}
	return f.Path
}

// hasSignatures says whether a changed file may change what others call.
func hasSignatures(f File) bool {
	switch source.LanguageOf(f.Path, nil) {
	case source.Go, source.Python, source.JavaScript, source.TypeScript, source.TSX:
		return !f.Unseen && !f.Binary && source.RoleOf(f.Path) != source.Vendored
	}
	return false
}

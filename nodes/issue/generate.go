package issue

import (
	"context"
	"slices"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/place"
)

// generateReport puts the report together. Nothing new is claimed here.
func (n nodes) generateReport(ctx context.Context, s State) (update, error) {
	a := report.Analysis{
		SchemaVersion: report.SchemaVersion, Tool: n.Tool, RunID: s.Run, Doc: "analyze", Lang: s.Lang, Subject: s.subject(),
		Status: report.Completed, StopReason: report.StopDone, IssueKind: s.Route.Kind, KindWhy: s.Route.Why,
		Severity: s.Route.Severity, SeverityWhy: s.Route.SeverityWhy,
		Usage: paid.Bill(s.Usage, s.Times, n.Names), Duration: n.now().Sub(s.Began).Milliseconds(), Warnings: s.Warnings, Lessons: s.Lessons,
	}
	if s.Approval.Asked {
		a.Approval = &report.Approval{Approved: s.Approval.Approve, By: s.Approval.By, Note: s.Approval.Note, At: s.Approval.At}
	}
	if s.rejected() {
		a.Status, a.StopReason, a.Lessons = report.Rejected, report.StopApproval, nil
		translate(&a)
		return update{fReport.Set(a)}, nil
	}
	s.fill(&a)
	if err := n.lookUp(ctx, s, &a); err != nil {
		return nil, err
	}
	links, err := n.linked(ctx, s)
	if err != nil {
		return nil, err
	}
	a.LinkedFixes = links
	translate(&a)
	return update{fReport.Set(a)}, nil
}

func (s State) rejected() bool { return s.Approval.Asked && !s.Approval.Approve }

func (s State) subject() report.Subject {
	sub := place.Subject(s.Origin(), s.Commit.Commit)
	sub.Number, sub.Title, sub.URL, sub.ChosenBy = s.Issue.Target.Number, s.Issue.Title, s.url(), s.Commit.Why
	return sub
}

// fill writes what was found into the report.
func (s State) fill(a *report.Analysis) {
	f := s.Finding
	a.Confidence, a.Critic, a.CriticBefore = s.Critique.Score, s.Critique.Objections, s.Critique.Before
	a.Retries = max(s.Tries-1, 0)
	a.Locations, a.Evidence, a.Hypotheses, a.Checked = f.Locations, f.Evidence, f.Hypotheses, f.Checked
	if s.Draft.ByModel && s.Draft.Severity != "" && s.Route.Kind == report.Bug && a.SeverityWhy == "" {
		a.Severity = report.Severity(s.Draft.Severity)
	}
	switch s.Route.Kind {
	case report.Feature:
		a.Feature = f.Feature
		if a.Feature == nil {
			a.Feature = &report.FeaturePlan{Exists: "unknown"}
		} else if a.Feature.Plan == "" {
			a.Feature.Plan = f.Statement
		}
	case report.Question:
		a.Answer = &report.Answer{Usage: f.Usage, Design: f.Design, Quotes: list(f.Quotes), IsBug: s.Draft.IsBug, Missing: f.Missing}
	default:
		class, why := s.class()
		a.RootCause = &report.RootCause{Class: class, Why: why, Statement: f.Statement, Evidence: list(s.supporting()), Missing: list(f.Missing)}
		if s.Regression.Is {
			r := s.Regression
			if f.Since != nil { // then the suspects are of no more interest
				r.Since, r.Suspects = f.Since, nil
			}
			a.Regression = &r
		}
		if s.Fix.Class != "" || f.Fix != "" {
			a.Fix = &report.Fix{Class: s.Fix.Class, Why: s.Fix.Why, Suggestion: f.Fix, Files: list(f.FixFiles)}
		}
	}
	s.settle(a)
}

// lookUp looks up what models said beside the finding: they are judgements, and name
// things all the same.
func (n nodes) lookUp(ctx context.Context, s State, a *report.Analysis) error {
	if !s.usedModels() {
		return nil
	}
	v, err := n.verifier(ctx, s)
	if err != nil {
		return err
	}
	v.Evidence = s.Finding.Evidence
	say := func(text string) string { return v.prose("note", text) }
	a.KindWhy, a.SeverityWhy = say(a.KindWhy), say(a.SeverityWhy)
	if a.Fix != nil {
		a.Fix.Why = say(a.Fix.Why)
	}
	a.Critic, a.CriticBefore = each(a.Critic, say), each(a.CriticBefore, say)
	a.Checked.Claims += v.Checked.Claims
	a.Checked.Removed = append(slices.Clip(a.Checked.Removed), v.Checked.Removed...)
	return context.Cause(ctx)
}

func each(all []string, do func(string) string) (out []string) {
	for _, s := range all {
		out = append(out, do(s))
	}
	return out
}

func list(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}

// supporting are the quotes that the root cause rests on.
func (s State) supporting() []string {
	h, _ := s.chosen()
	return h.Supporting
}

// settle says how the run ended.
func (s State) settle(a *report.Analysis) {
	switch {
	case s.Trouble.Stop != "":
		a.Status, a.StopReason = report.Partial, s.Trouble.Stop
	case !s.usedModels():
		a.StopReason = report.StopNoModel
	case s.Draft.Budget:
		a.Status, a.StopReason = report.Partial, report.StopBudget
	case s.Draft.Limit != "":
		a.StopReason = report.StopMaxSteps
	}
	if s.Draft.Limit != "" {
		a.Warnings = append(slices.Clip(a.Warnings), s.Draft.Limit)
	}
}

// linked says of the changes that the host ties to the issue as its fix whether the
// newest commit holds them.
func (n nodes) linked(ctx context.Context, s State) ([]report.Linked, error) {
	var out []report.Linked
	for _, l := range s.Issue.Linked {
		if l.How != github.Closes || l.Commit == "" && l.Target.Kind != github.KindPull {
			continue
		}
		fix := report.Linked{Commit: l.Commit, Title: l.Title, Merged: l.Merged || l.Commit != "", InHead: "unknown"}
		if l.Target.Number != 0 {
			fix.URL = l.Target.URL()
		}
		if l.Commit != "" && s.Commit.Head != "" {
			clone, err := n.Places.Clone(ctx, s.Origin())
			if err != nil {
				return nil, err
			}
			fix.InHead = inHead(clone.Before(ctx, l.Commit, s.Commit.Head))
		}
		if l.Commit == "" && !l.Merged {
			fix.InHead = "no"
		}
		out = append(out, fix)
	}
	return out, context.Cause(ctx)
}

func inHead(in bool, err error) string {
	switch {
	case err != nil:
		return "unknown" // the commit is not in the clone
	case in:
		return "yes"
	}
	return "no"
}

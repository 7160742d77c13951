package review

import (
	"context"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/place"
)

// generateReport puts the report together. Nothing new is claimed here.
func (n nodes) generateReport(ctx context.Context, s State) (update, error) {
	changed, err := n.diff(ctx, s.Origin(), s.span(), s.Files)
	if err != nil {
		return nil, err
	}
	p := s.Policy
	r := report.Review{
		SchemaVersion: report.SchemaVersion, Tool: n.Tool, RunID: s.Run, Doc: "review", Lang: s.Lang, Subject: s.subject(),
		Status: report.Completed, StopReason: report.StopDone, Confidence: s.Critique.Score, FailOn: p.FailOn,
		Coverage: s.coverage(changed), Findings: s.Verified.Findings, Settles: s.Verified.Settles, Checked: s.Verified.Checked,
		Critic: s.Critique.Objections, CriticBefore: s.Critique.Before, Retries: max(s.Tries-1, 0), Lessons: s.Lessons,
		Usage: paid.Bill(s.Usage, s.Times, n.Names), Duration: n.now().Sub(s.Began).Milliseconds(), Warnings: s.Warnings,
	}
	if r.Findings == nil {
		r.Findings = []report.Finding{}
	}
	r.Verdict, r.VerdictWhy = s.verdict(r)
	if p.MaxFindings > 0 && len(r.Findings) > p.MaxFindings {
		r.Left = len(r.Findings) - p.MaxFindings
		r.Findings = r.Findings[:p.MaxFindings] // the worst are first
	}
	switch {
	case s.Trouble.Stop != "":
		r.Status, r.StopReason = report.Partial, s.Trouble.Stop
	case !s.usedModels() && len(s.Bundles) > 0:
		r.StopReason = report.StopNoModel
	}
	return update{fReport.Set(r)}, nil
}

func (s State) subject() report.Compared {
	c := report.Compared{Subject: place.Subject(s.Origin(), s.Compared.Base), Head: s.Compared.Head, Author: s.Pull.Author.Login, Since: s.Input.Since}
	c.Number, c.Title, c.ChosenBy = s.Pull.Target.Number, s.Pull.Title, s.Compared.Why
	if s.Pull.Target.Number != 0 {
		c.URL = s.Pull.Target.URL()
	}
	return c
}

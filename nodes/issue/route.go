package issue

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue/triage"
)

type kind report.Kind

// Enum lists the kinds for the model.
func (kind) Enum() []string { return []string{"bug", "feature", "question", "security"} }

type severity report.Severity

// Enum lists the severities for the model.
func (severity) Enum() []string { return []string{"critical", "high", "medium", "low"} }

// routing is what a model says that an issue is.
type routing struct {
	Kind        kind     `json:"kind" jsonschema:"bug: something does not work as it should; feature: something new is asked for; question: somebody wants to know how or why; security: a weakness that can be exploited"`
	Why         string   `json:"why" jsonschema:"one short sentence"`
	Severity    severity `json:"severity" jsonschema:"critical: data loss, security, or nobody can use it; high: crash, hang, regression on a common path; medium: wrong behaviour of limited scope; low: messages, cosmetics, or a question"`
	SeverityWhy string   `json:"severity_why" jsonschema:"one short sentence"`
}

// routeIssue tells the kind and severity. Labels and clear signs decide; a model is asked
// about the rest. Security by the rules stays security: the gate is not the model's to open.
func (n nodes) routeIssue(ctx context.Context, s State) (update, error) {
	k := triage.Kind(s.Issue)
	sev := triage.Severity(s.Issue, k.Value)
	r := Route{Kind: k.Value, Why: k.Why, Severity: sev.Value, SeverityWhy: sev.Why, Sure: k.Sure}
	models, ok := n.models(s)
	if !ok || s.guarded() || k.Sure && sev.Sure {
		return update{fRoute.Set(r)}, nil
	}
	f, err := n.fence(ctx)
	if err != nil {
		return nil, err
	}
	got, u, ok, err := ask[routing](ctx, f, "route_issue", models.Small, "route_issue", s.brief(f, 1500), 600)
	if err != nil {
		return nil, err
	}
	if ok && !k.Sure {
		r.Kind, r.Why, r.Sure = report.Kind(got.Kind), "as a model reads it: "+got.Why, true
	}
	if ok && !sev.Sure {
		r.Severity, r.SeverityWhy = report.Severity(got.Severity), got.SeverityWhy
	}
	return append(u, fRoute.Set(r)), nil
}

// guarded says whether a person has to allow it before a model sees anything of the issue.
func (s State) guarded() bool {
	return s.Input.Security || triage.Kind(s.Issue).Value == report.Security
}

type since struct {
	Is   bool   `json:"is_regression" jsonschema:"true only if the text says that it worked in an earlier version or before a change"`
	Why  string `json:"why,omitempty" jsonschema:"the words that say so, quoted"`
	Good string `json:"last_good_version,omitempty"`
	Bad  string `json:"first_bad_version,omitempty"`
}

// detectRegression tells whether it once worked.
func (n nodes) detectRegression(ctx context.Context, s State) (update, error) {
	r := triage.Regression(s.Issue)
	models, ok := n.models(s)
	if r.Is && r.Good != "" || !ok {
		return update{fRegression.Set(r)}, nil
	}
	f, err := n.fence(ctx)
	if err != nil {
		return nil, err
	}
	got, u, ok, err := ask[since](ctx, f, "detect_regression", models.Small, "detect_regression", s.brief(f, 1500), 400)
	if err != nil {
		return nil, err
	}
	said := s.said()
	good, bad := said.version(got.Good), said.version(got.Bad)
	switch {
	case ok && r.Is: // the wording says so; the versions may stand elsewhere
		r.Good, r.Bad = cmp.Or(r.Good, good), cmp.Or(r.Bad, bad)
	case ok && got.Is && said.words(got.Why):
		r = report.Regression{Is: true, Why: got.Why, Good: good, Bad: bad}
	case ok && got.Is:
		u = append(u, fWarnings.Set([]string{"a model calls it a regression, by words that do not stand in the issue"}))
	}
	return append(u, fRegression.Set(r)), nil
}

// Question is what a person is shown at the gate.
type Question struct {
	Title  string `json:"title"`
	URL    string `json:"url,omitempty"`
	Why    string `json:"why"`
	Repo   string `json:"repo"`
	Commit string `json:"commit"`
	// Will says what happens after a yes.
	Will string `json:"will"`
}

// Decision is what a person answers.
type Decision struct {
	Approve bool      `json:"approve"`
	Note    string    `json:"note,omitempty"`
	By      string    `json:"by,omitempty"`
	At      time.Time `json:"at,omitzero"`
}

// humanGate waits for a person.
func (n nodes) humanGate(ctx context.Context, s State) (update, error) {
	q := Question{
		Title: s.Issue.Title, URL: s.url(), Why: s.Route.Why, Repo: s.Origin().String(), Commit: string(s.Commit.Commit),
		Will: "The issue is analysed on this machine with no model.",
	}
	if s.Input.Security && s.Route.Kind != report.Security {
		q.Why = "asked for with --security"
	}
	if _, ok := n.models(s); ok {
		q.Will = fmt.Sprintf("The issue and parts of the code go to %s%s.", n.Names["main"], n.where())
	}
	if s.usedModels() {
		q.Will = fmt.Sprintf("A model has read the issue to sort it. %s", q.Will)
	}
	d, err := graph.Interrupt[Decision](ctx, "security", q)
	if err != nil {
		return nil, err
	}
	return update{fApproval.Set(Approval{Approve: d.Approve, Note: d.Note, By: d.By, At: d.At, Asked: true})}, nil
}

// url is where the issue can be seen, "" for one from a file.
func (s State) url() string {
	if s.Issue.Target.Number == 0 {
		return ""
	}
	return s.Issue.Target.URL()
}

package review

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/nodes/snip"
)

// look is what one task of the fan is told.
type look struct {
	Lens         report.Lens `json:"lens"`
	Bundle       int         `json:"bundle"`
	Bundles      int         `json:"bundles"`
	Try          int         `json:"try"`
	Repo         string      `json:"repo,omitempty"`
	Origin       repo.Origin `json:"origin"`
	Ends         Ends        `json:"ends"`
	Whole        Ends        `json:"whole"` // of the change; Ends may be a part of it
	Files        []File      `json:"files"`
	Paths        []string    `json:"paths,omitempty"`
	Title        string      `json:"title"`
	Body         string      `json:"body,omitempty"`
	Issues       []piece     `json:"issues,omitempty"`
	Lessons      []piece     `json:"lessons,omitempty"`
	Map          string      `json:"map,omitempty"`
	Instructions []string    `json:"instructions,omitempty"`
	Objections   []string    `json:"objections,omitempty"`
	Before       []string    `json:"before,omitempty"`
	Lang         string      `json:"lang"`
	NoModel      bool        `json:"no_model,omitempty"`
}

// piece is text for a fence.
type piece struct{ Origin, Text string }

// Claim is a finding before it was looked up.
type Claim struct {
	Path       string   `json:"path" jsonschema:"of the changed file, from the root of the repository"`
	Quote      string   `json:"quote" jsonschema:"1 to 6 whole lines of the diff that are wrong, copied as they are, without the mark at their beginning"`
	Hunk       int      `json:"hunk,omitempty" jsonschema:"the number of the hunk that the quote is from"`
	Message    string   `json:"message" jsonschema:"what is wrong, one or two sentences; no praise"`
	Why        string   `json:"why" jsonschema:"an input, a state or a sequence of calls that shows it, and what happens then"`
	Severity   severity `json:"severity" jsonschema:"critical: data loss or an exploitable weakness; high: wrong results or a crash on a usual path; medium: wrong in a rare case, or costly later; low: the rest"`
	Confidence float64  `json:"confidence" jsonschema:"0 to 1: how sure it is that this is wrong and that the change brings or touches it"`
	Suggestion string   `json:"suggestion,omitempty" jsonschema:"whole lines that replace the quoted ones, with their indentation; only if that is all that is needed"`
}

type severity report.Severity

// Enum lists the severities for the model.
func (severity) Enum() []string { return []string{"critical", "high", "medium", "low"} }

// settled is what a lens says of an issue that the change names.
type settled struct {
	Issue  string `json:"issue" jsonschema:"the issue, as it is named above"`
	Answer answer `json:"answer"`
	Why    string `json:"why" jsonschema:"one sentence"`
}

type answer string

// Enum lists the answers for the model.
func (answer) Enum() []string { return []string{"yes", "partly", "no", "unclear"} }

// seen is what a model answers.
type seen struct {
	Findings []Claim   `json:"findings" jsonschema:"at most eight, the worst first; an empty list if nothing is wrong"`
	Settles  []settled `json:"settles,omitempty" jsonschema:"for each issue that the change names: does it mend it"`
	Looked   []string  `json:"looked_at" jsonschema:"the changed files that you read through, by their paths"`
}

// rounds bounds a lens, as the seed of the project has it.
func rounds(l report.Lens) int {
	if l == report.LensStyle {
		return 6
	}
	return 10
}

// runReview looks at a bundle through a lens.
func (n nodes) runReview(ctx context.Context, l look) (update, error) {
	begin := n.now()
	name := string(l.Lens)
	if l.Bundles > 1 && l.Lens != report.LensRules {
		name = fmt.Sprintf("%s %d/%d", l.Lens, l.Bundle+1, l.Bundles)
	}
	do := n.lens
	if l.Lens == report.LensRules {
		do = n.rules
	}
	u, err := do(ctx, l, name)
	if err != nil {
		return nil, err
	}
	return append(u, took("review "+name, n.now().Sub(begin))), nil
}

// lens has a model look. A lens that fails is a view that says so.
func (n nodes) lens(ctx context.Context, l look, name string) (update, error) {
	place, err := n.Places.At(ctx, l.Origin, l.Ends.Head)
	if err != nil {
		return nil, err
	}
	f, err := paid.Fence(ctx, n.Nonce)
	if err != nil {
		return nil, err
	}
	task, short, err := n.task(ctx, f, l)
	if err != nil {
		return nil, err
	}
	loop := react.Loop{
		Model: n.Models.Main, Tools: place.Tools, JSON: n.JSONTools, Fence: f,
		MaxRounds: rounds(l.Lens), Window: n.window(), TurnTokens: 3000, ShowBytes: 9000,
	}
	v := View{Lens: l.Lens, Bundle: l.Bundle, Try: l.Try, Paths: l.Paths, Cut: short}
	got, res, err := react.Answer[seen](ctx, loop, task)
	u := spent("review "+name, res.Usage)
	switch stop := paid.Stop(err); {
	case err == nil:
		v.take(got, res)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, react.ErrNoAnswer):
		v.Failed = "the model gave no usable answer: " + err.Error()
	case stop != "":
		v.Failed = "the model failed: " + err.Error()
		u = append(u, fTrouble.Set(paid.Trouble{Stop: stop, Why: err.Error()}))
	default:
		return nil, err
	}
	v.clean(f)
	if v.Failed != "" {
		u = append(u, fWarnings.Set([]string{fmt.Sprintf("the %s lens: %s", name, v.Failed)}))
	}
	return append(u, fViews.Set([]View{v})), nil
}

const maxClaims = 8

// take keeps an answer. One that looked at nothing of a change is none.
func (v *View) take(got seen, res react.Result) {
	v.Findings, v.Settles = got.Findings[:min(len(got.Findings), maxClaims)], got.Settles
	switch res.End {
	case react.EndBudget:
		v.Limit = "the budget ran out while it looked"
	case react.EndStuck:
		v.Limit = "it did not get on and had to answer"
	}
	for _, p := range v.Paths {
		if !slices.Contains(got.Looked, p) && !slices.ContainsFunc(got.Findings, func(c Claim) bool { return c.Path == p }) {
			v.Missed = append(v.Missed, p)
		}
	}
}

// clean takes the nonce of the fence out of what a model said.
func (v *View) clean(f prompt.Fence) {
	for i := range v.Findings {
		c := &v.Findings[i]
		for _, s := range []*string{&c.Path, &c.Quote, &c.Message, &c.Why, &c.Suggestion} {
			*s = f.Forget(*s)
		}
	}
	for i := range v.Settles {
		v.Settles[i].Issue, v.Settles[i].Why = f.Forget(v.Settles[i].Issue), f.Forget(v.Settles[i].Why)
	}
	v.Failed = snip.Clip(f.Forget(v.Failed), 500)
}

func spent(node string, u llm.Usage) update {
	if u.Calls == 0 {
		return nil
	}
	return update{fUsage.Set(map[string]llm.Usage{node: u})}
}

package review

import (
	"context"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/snip"
)

// judgement is what the critic says.
type judgement struct {
	Score      float64  `json:"confidence" jsonschema:"0 to 1: how sure one can be that the findings are right and nothing of weight is missed; below 0.7 means that it has to be reviewed again"`
	Objections []string `json:"objections,omitempty" jsonschema:"what is wrong with a finding, or which fault is missed and where; each one sentence"`
}

const maxObjections = 6

// reflect has a critic judge the review, who did not make it. Without a model nobody does.
func (n nodes) reflect(ctx context.Context, s State) (update, error) {
	c := Critique{Before: append(slices.Clip(s.Critique.Before), s.Critique.Objections...)}
	models, ok := n.models(s)
	if !ok || !s.looked() {
		return update{fCritique.Set(c)}, nil
	}
	f, err := paid.Fence(ctx, n.Nonce)
	if err != nil {
		return nil, err
	}
	rule, err := f.Rule()
	if err != nil {
		return nil, err
	}
	data := sight{
		Rule: rule, Title: snip.Clip(s.Pull.Title, 500), Body: snip.Middle(s.Pull.Body, 2000), Findings: s.told(), Removed: len(s.Verified.Checked.Removed), Chinese: s.Lang == "zh",
	}
	changed, err := n.diff(ctx, s.Origin(), s.span(), s.Files)
	if err != nil {
		return nil, err
	}
	room := bundleTokens
	for _, b := range s.Bundles {
		for _, p := range b.Paths {
			part, _ := cut(shown(changed[p], nil), min(room, bundleTokens/2))
			if room -= len(part) / bytesPerToken; room > 0 {
				data.Changes = append(data.Changes, piece{p, part})
			}
		}
	}
	text, err := prompts.Render(f, "reflect", data)
	if err != nil {
		return nil, err
	}
	got, err := paid.Ask[judgement](ctx, models.Critic, "reflect", text, 900)
	u := spent("reflect_pr", got.Usage)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && paid.Stop(err) == "":
		return nil, err
	case err != nil:
		u = append(append(u, spent("reflect_pr", paid.Used(err))...), fTrouble.Set(paid.Trouble{Stop: paid.Stop(err), Why: err.Error()}),
			fWarnings.Set([]string{fmt.Sprintf("the critic could not be asked: %v", err)}))
	case got.Fault != "":
		u = append(u, fWarnings.Set([]string{"the critic gave no usable answer: " + got.Fault}))
	default:
		c.Score, c.Asked = min(max(got.Value.Score, 0), 1), true
		for _, o := range got.Value.Objections[:min(len(got.Value.Objections), maxObjections)] {
			c.Objections = append(c.Objections, f.Forget(o))
		}
	}
	return append(u, fCritique.Set(c)), nil
}

// looked says whether a model saw anything in the last try.
func (s State) looked() bool {
	return slices.ContainsFunc(s.views(), func(v View) bool { return v.Lens != report.LensRules && v.Failed == "" })
}

// told are the findings in short, for a prompt.
func (s State) told() (out []string) {
	for _, f := range s.Verified.Findings {
		text := fmt.Sprintf("[%s, %s] %s: %s", f.Severity, f.Lens, f.Span(), f.Message)
		if f.Why != "" {
			text += " Because: " + f.Why
		}
		out = append(out, snip.Clip(text, 800))
	}
	return out
}

package review

import (
	"context"
	"errors"
	"fmt"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/nodes/snip"
)

// refutation is what the second look says of a finding.
type refutation struct {
	Holds      bool    `json:"holds" jsonschema:"true only if it cannot be refuted by what is shown"`
	Confidence float64 `json:"confidence" jsonschema:"0 to 1: how sure it is that the finding is right and worth a change"`
	Why        string  `json:"why" jsonschema:"one sentence"`
}

// maxRefuted is how many findings get a second look, the worst first.
const maxRefuted = 15

// refuteAll has a model that did not make the findings try to refute each. One that gets
// no second look is no finding, and keeps the change from being approved.
func (n nodes) refuteAll(ctx context.Context, s State, v *verifier) (u update, err error) {
	models, ok := n.models(s)
	if !ok {
		return nil, nil
	}
	f, err := paid.Fence(ctx, n.Nonce)
	if err != nil {
		return nil, err
	}
	var kept []report.Finding
	asked := 0
	v.order()
	for i, found := range v.Findings {
		if found.Lens == report.LensRules {
			kept = append(kept, found)
			continue
		}
		if asked++; asked > maxRefuted {
			v.removed("%s: %s: there are more than %d findings, and this got no second look", found.Lens, found.Span(), maxRefuted)
			v.Unsure = append(v.Unsure, fmt.Sprintf("more than %d findings: some were not looked at a second time", maxRefuted))
			continue
		}
		got, res, err := n.refute(ctx, f, models.Critic, v, found)
		u = append(u, spent("verify_findings", res.Usage)...)
		switch stop := paid.Stop(err); {
		case err != nil && ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil && stop == "" && !errors.Is(err, react.ErrNoAnswer):
			return nil, err
		case err != nil:
			v.Unsure = append(v.Unsure, fmt.Sprintf("the finding at %s could not be looked at a second time", found.Span()))
			kept = append(kept, found)
			if stop != "" {
				v.Findings = append(kept, v.Findings[i+1:]...)
				return append(u, fTrouble.Set(paid.Trouble{Stop: stop, Why: err.Error()})), nil
			}
		case !got.Holds:
			v.removed("%s: %s did not hold: %s", found.Lens, found.Span(), snip.Clip(f.Forget(got.Why), 300))
		default:
			found.Confidence = min(found.Confidence, min(max(got.Confidence, 0), 1))
			kept = append(kept, found)
		}
	}
	v.Findings = kept
	return u, nil
}

// refuteRounds bounds the second look: it has tools, as what a finding rests on, such as
// that nothing sets a value, is seldom in the code around it.
const refuteRounds = 4

func (n nodes) refute(ctx context.Context, f prompt.Fence, m llm.Model, v *verifier, found report.Finding) (refutation, react.Result, error) {
	data := sight{
		Lens: string(found.Lens), Severity: string(found.Severity), Message: found.Message, Why: found.Why,
		Place: found.Span().String(), Quote: found.Quote,
	}
	data.Diff, _ = cut(shown(v.changed[found.Path], v.index), 3000)
	if found.Side == report.Right && found.Start > 0 {
		data.Origin, data.Code = v.around(found)
	}
	system, err := prompts.Render(f, "refute", nil)
	if err != nil {
		return refutation{}, react.Result{}, err
	}
	user, err := prompts.Render(f, "finding", data)
	if err != nil {
		return refutation{}, react.Result{}, err
	}
	loop := react.Loop{
		Name: "refute " + string(found.Lens) + found.Fingerprint, Model: m, Tools: v.head.Tools, JSON: n.JSONTools, Fence: f,
		MaxRounds: refuteRounds, Window: n.window(), TurnTokens: 1000, ShowBytes: 6000,
	}
	return react.Answer[refutation](ctx, loop, react.Task{System: system, User: user})
}

// aroundLines is how much of the code around a finding is shown.
const aroundLines = 80

// around is the definition that a finding is in, or the lines around it.
func (v *verifier) around(found report.Finding) (origin, text string) {
	span := source.Span{Path: found.Path, Start: found.Start - aroundLines/2, End: found.End + aroundLines/2}
	if sym, ok := v.index.Enclosing(found.Path, found.Start); ok && sym.Span.Lines() <= aroundLines {
		span = sym.Span
	}
	lines := v.content(found.Path)
	span.Start, span.End = max(span.Start, 1), min(span.End, len(lines))
	if span.Start > span.End {
		return "", ""
	}
	return span.String(), snip.Numbered(span.Start, lines[span.Start-1:span.End])
}

// models gives the models that a run may still call.
func (n nodes) models(s State) (llm.Set, bool) {
	if n.Models == nil || s.Input.NoModel || s.Trouble.Stop != "" {
		return llm.Set{}, false
	}
	return *n.Models, true
}

package review

import (
	"context"
	"fmt"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/snip"
)

// refutation is what the second look says of a finding.
type refutation struct {
	Holds      bool    `json:"holds" jsonschema:"true only if it cannot be refuted by what is shown"`
	Confidence float64 `json:"confidence" jsonschema:"0 to 1: how sure it is that the finding is right and worth a change"`
	Why        string  `json:"why" jsonschema:"one sentence"`
}

// maxRefuted is how many findings get a second look; the least are left out first.
const maxRefuted = 15

// refuteAll has a model that did not make the findings try to refute each.
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
	for _, found := range v.Findings {
		if found.Lens == report.LensRules {
			kept = append(kept, found)
			continue
		}
		if asked++; asked > maxRefuted {
			v.removed("%s: %s: there are more than %d findings, and this got no second look", found.Lens, found.Span(), maxRefuted)
			continue
		}
		got, err := n.refute(ctx, f, models.Critic, v, found)
		u = append(u, spent("verify_findings", got.Usage)...)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil && paid.Stop(err) == "":
			return nil, err
		case err != nil || got.Fault != "":
			v.Unsure = append(v.Unsure, fmt.Sprintf("the finding at %s could not be looked at a second time", found.Span()))
			kept = append(kept, found)
			if err != nil {
				u = append(append(u, spent("verify_findings", paid.Used(err))...), fTrouble.Set(paid.Trouble{Stop: paid.Stop(err), Why: err.Error()}))
				return u, nil
			}
		case !got.Value.Holds:
			v.removed("%s: %s did not hold: %s", found.Lens, found.Span(), snip.Clip(f.Forget(got.Value.Why), 300))
		default:
			found.Confidence = min(found.Confidence, min(max(got.Value.Confidence, 0), 1))
			kept = append(kept, found)
		}
	}
	v.Findings = kept
	return u, nil
}

func (n nodes) refute(ctx context.Context, f prompt.Fence, m llm.Model, v *verifier, found report.Finding) (paid.Answer[refutation], error) {
	rule, err := f.Rule()
	if err != nil {
		return paid.Answer[refutation]{}, err
	}
	data := sight{
		Rule: rule, Lens: string(found.Lens), Severity: string(found.Severity), Message: found.Message, Why: found.Why,
		Place: found.Span().String(), Quote: found.Quote,
	}
	data.Diff, _ = cut(shown(v.changed[found.Path]), 3000)
	if found.Side == report.Right && found.Start > 0 {
		data.Origin, data.Code = v.around(found)
	}
	text, err := prompts.Render(f, "refute", data)
	if err != nil {
		return paid.Answer[refutation]{}, err
	}
	return paid.Ask[refutation](ctx, m, "refute "+string(found.Lens)+found.Fingerprint, text, 400)
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

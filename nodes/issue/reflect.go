package issue

import (
	"context"
	"slices"
)

// judgement is what the critic says.
type judgement struct {
	Score      float64  `json:"confidence" jsonschema:"0 to 1: how sure one can be of the conclusion from the evidence alone; below 0.7 means that it has to be looked into again"`
	Objections []string `json:"objections,omitempty" jsonschema:"what is not shown, what contradicts it, which other cause fits as well; each one sentence that says what to look at"`
}

// maxObjections bounds what the critic may have against an answer.
const maxObjections = 6

// reflect has a critic judge the finding, who knows the issue, the conclusion and the
// quotes, and nothing of the way there. Without a model the rules judge.
func (n nodes) reflect(ctx context.Context, s State) (update, error) {
	models, ok := n.models(s)
	if !ok || !s.Draft.ByModel {
		return update{fCritique.Set(s.ruled())}, nil
	}
	f, err := n.fence(ctx)
	if err != nil {
		return nil, err
	}
	data := struct {
		brief
		Statement  string
		Hypotheses []string
		Places     []string
		Evidence   []shownPiece
		Since      *shownPiece
		Removed    int
		Missing    []string
		Commit     string
		Limit      string
		Code       []shownPiece
	}{
		brief: s.brief(f, 2500), Statement: s.conclusion(), Evidence: s.quotes(), Removed: len(s.Finding.Checked.Removed),
		Missing: s.Finding.Missing, Commit: s.Commit.Commit.Short(), Limit: s.Draft.Limit,
	}
	data.Hypotheses = s.hypotheses()
	for _, l := range s.Finding.Locations {
		data.Places = append(data.Places, located(l.Span(), l.Symbol)+": "+l.Why)
	}
	if data.Code, err = n.around(ctx, s); err != nil {
		return nil, err
	}
	if data.Since, err = n.since(ctx, s); err != nil {
		return nil, err
	}
	got, u, ok, err := ask[judgement](ctx, f, "reflect", models.Critic, "reflect", data, 900)
	if err != nil {
		return nil, err
	}
	if !ok {
		return append(u, fCritique.Set(s.ruled())), nil
	}
	c := Critique{Score: min(max(got.Score, 0), 1), Objections: got.Objections[:min(len(got.Objections), maxObjections)], Asked: true}
	c.Before = append(slices.Clip(s.Critique.Before), s.Critique.Objections...)
	return append(u, fCritique.Set(c)), nil
}

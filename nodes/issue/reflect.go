package issue

import (
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/report"
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
		Evidence   []report.Evidence
		Removed    int
		Missing    []string
		Commit     string
		Limit      string
		Code       []shownPiece
	}{
		brief: s.brief(f, 2500), Statement: s.conclusion(), Evidence: s.Finding.Evidence, Removed: len(s.Finding.Checked.Removed),
		Missing: s.Draft.Missing, Commit: s.Commit.Commit.Short(), Limit: s.Draft.Limit,
	}
	for _, h := range s.Finding.Hypotheses {
		data.Hypotheses = append(data.Hypotheses, fmt.Sprintf("(%s) %s Because: %s", h.State, h.Statement, h.Reason))
	}
	for _, l := range s.Finding.Locations {
		data.Places = append(data.Places, located(l.Span(), l.Symbol)+": "+l.Why)
	}
	if data.Code, err = n.around(ctx, s); err != nil {
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
	return append(u, fCritique.Set(c)), nil
}

const (
	maxAround      = 2  // places whose code the critic sees
	maxAroundLines = 60 // of each
)

// around is the code of the first places: what a quote leaves out may speak against it.
func (n nodes) around(ctx context.Context, s State) ([]shownPiece, error) {
	place, err := n.Places.At(ctx, s.origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	idx, err := place.Code(ctx)
	if err != nil {
		return nil, err
	}
	var out []shownPiece
	for _, l := range s.Finding.Locations[:min(len(s.Finding.Locations), maxAround)] {
		span := l.Span()
		if sym, ok := idx.Enclosing(l.Path, max(l.Start, 1)); ok {
			span = sym.Span
		}
		if span.Start == 0 || span.Lines() > maxAroundLines {
			span.Start = max(1, l.Start-maxAroundLines/2)
			span.End = span.Start + maxAroundLines - 1
		}
		lines, err := place.Snapshot.ReadLines(ctx, span.Path, span.Start, span.End)
		if err != nil {
			continue // it is no text
		}
		out = append(out, shownPiece{lines.Span.String(), numbered(lines.Span.Start, lines.Text)})
	}
	return out, ctx.Err()
}

// conclusion is what the critic judges.
func (s State) conclusion() string {
	var parts []string
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+text)
		}
	}
	add("", s.Finding.Statement)
	add("How to use it: ", s.Draft.Usage)
	add("Why it is so: ", s.Draft.Design)
	if p := s.Draft.Feature; p != nil {
		add("Exists: ", p.Exists)
		add("Plan: ", p.Plan)
	}
	add("Proposed fix: ", s.Finding.Fix)
	return strings.Join(parts, "\n\n")
}

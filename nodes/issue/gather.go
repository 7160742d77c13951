package issue

import (
	"context"
	"fmt"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/snip"
	"github.com/repomind/repomind/rag"
)

// gathering is what one gatherer is told.
type gathering struct {
	From       Source            `json:"from"`
	Title      string            `json:"title"`
	Body       string            `json:"body"`
	Kind       report.Kind       `json:"kind"`
	Origin     repo.Origin       `json:"origin"`
	Commit     source.Commit     `json:"commit"`
	Frames     []Frame           `json:"frames,omitempty"`
	Regression report.Regression `json:"regression,omitzero"`
	NoModel    bool              `json:"no_model,omitempty"`
}

// maxGathered is how much of an issue's text context is gathered by.
const maxGathered = 64 << 10

func (n nodes) gathering(s State, from Source) gathering {
	title, body := query(s.Issue)
	for _, p := range s.Images {
		body += "\n\n" + p.Text
	}
	_, ok := n.models(s)
	kind := report.Bug // whose weights do the least harm where the kind is a guess
	if s.Route.Sure {
		kind = s.Route.Kind
	}
	return gathering{
		From: from, Title: snip.Clip(title, 4000), Body: snip.Middle(body, maxGathered), Kind: kind, Origin: s.Origin(), Commit: s.Commit.Commit,
		Frames: s.Frames, Regression: s.Regression, NoModel: !ok,
	}
}

// brief is the issue as far as the gatherer knows it.
func (g gathering) state() State {
	return State{Issue: github.Issue{Title: g.Title, Body: g.Body}, Input: Input{NoModel: g.NoModel}}
}

func (g gathering) query() rag.Query {
	kind := rag.Bug
	switch g.Kind {
	case report.Feature:
		kind = rag.Feature
	case report.Question:
		kind = rag.Question
	}
	return rag.Query{Title: g.Title, Body: g.Body, Kind: kind}
}

// prepareContext has nothing to do but to fan out.
func (n nodes) prepareContext(context.Context, State) (update, error) { return nil, nil }

// gatherContextPart gathers context from one side.
func (n nodes) gatherContextPart(ctx context.Context, g gathering) (update, error) {
	begin := n.now()
	place, err := n.Places.At(ctx, g.Origin, g.Commit)
	if err != nil {
		return nil, err
	}
	var u update
	switch g.From {
	case FromEntry:
		u, err = n.gatherEntry(ctx, g, place)
	case FromRAG:
		u, err = n.gatherRAG(ctx, g, place)
	case FromGit:
		u, err = n.gatherGit(ctx, g, place)
	default:
		err = fmt.Errorf("nothing is gathered from %q", g.From)
	}
	if err != nil {
		return nil, err
	}
	return append(u, took("gather "+string(g.From), n.now().Sub(begin))), nil
}

// contextTokens is what the model is shown before it looks around by itself.
const contextTokens = 6000

// mergeContext puts the parts together: what the issue calls comes first, and takes room
// from what retrieval adds.
func (n nodes) mergeContext(_ context.Context, s State) (update, error) {
	budget := contextTokens * bytesPerToken
	var pieces []Piece
	seen := map[string]bool{}
	for _, from := range []Source{FromEntry, FromGit, FromRAG} {
		for _, part := range s.Parts {
			if part.Source != from {
				continue
			}
			for _, p := range part.Pieces {
				if len(p.Text) > budget || seen[p.key()] || covered(pieces, p.Span) {
					continue
				}
				seen[p.key()] = true
				budget -= len(p.Text)
				pieces = append(pieces, p)
			}
		}
	}
	u := update{fContext.Set(pieces)}
	for _, part := range s.Parts {
		if part.Ranking != nil {
			u = append(u, fRanking.Set(*part.Ranking))
		}
	}
	if suspects := s.suspects(); len(suspects) > 0 {
		r := s.Regression
		r.Suspects = suspects
		u = append(u, fRegression.Set(r))
	}
	return u, nil
}

func (s State) suspects() (out []report.Change) {
	for _, part := range s.Parts {
		out = append(out, part.Suspects...)
	}
	return out
}

func (p Piece) key() string { return p.Name + "\x00" + p.Span.String() }

// covered says whether the lines are shown already.
func covered(pieces []Piece, s source.Span) bool {
	for _, p := range pieces {
		if s.Path != "" && !p.Outline && p.Span.Path == s.Path && p.Span.Start <= s.Start && s.End <= p.Span.End {
			return true
		}
	}
	return false
}

// took is what a side took.
func took(name string, d time.Duration) graph.Write[State] {
	return fTimes.Set(map[string]time.Duration{name: d})
}

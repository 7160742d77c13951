package issue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/nodes/snip"
)

// analyzeBug looks for the root cause.
func (n nodes) analyzeBug(ctx context.Context, s State) (update, error) {
	return look[bugAnswer](ctx, n, s, "analyze_bug")
}

// analyzeFeature looks what a request would take.
func (n nodes) analyzeFeature(ctx context.Context, s State) (update, error) {
	return look[featureAnswer](ctx, n, s, "analyze_feature")
}

// answerQuestion looks for the answer.
func (n nodes) answerQuestion(ctx context.Context, s State) (update, error) {
	return look[questionAnswer](ctx, n, s, "answer_question")
}

// look lets a model look around and answer, or takes the retriever's word.
func look[A interface{ draft() Draft }](ctx context.Context, n nodes, s State, node string) (update, error) {
	u := update{fTries.Set(1)}
	models, ok := n.models(s)
	if !ok {
		return append(u, fDraft.Set(Draft{})), nil
	}
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	f, err := n.fence(ctx)
	if err != nil {
		return nil, err
	}
	task, err := n.task(f, s, node)
	if err != nil {
		return nil, err
	}
	loop := react.Loop{
		Model: models.Main, Tools: place.Tools, JSON: n.JSONTools, Fence: f,
		MaxRounds: n.rounds(), Window: n.window(), TurnTokens: 3000, ShowBytes: 9000,
	}
	answer, res, err := react.Answer[A](ctx, loop, task)
	u = append(u, spent(node, res.Usage)...)
	if err != nil {
		return n.fallBack(ctx, s, node, u, err)
	}
	d := answer.draft()
	d.Limit, d.Budget, d.Shown = limit(res), res.End == react.EndBudget, shown(res)
	return append(u, fDraft.Set(clean(f, d))), nil
}

// fallBack is what is done where a look around gave nothing: an earlier answer, which the
// critic did not like, is better than none.
func (n nodes) fallBack(ctx context.Context, s State, node string, u update, err error) (update, error) {
	if errors.Is(err, react.ErrNoAnswer) {
		u = append(u,
			fTrouble.Set(paid.Trouble{Stop: stopOfLoop(err), Why: err.Error()}),
			fWarnings.Set([]string{fmt.Sprintf("%s: the model gave no usable answer, so the rest went on without one: %v", node, err)}))
	} else {
		more, err := off(ctx, node, err)
		if err != nil {
			return nil, err
		}
		u = append(u, more...)
	}
	if !s.Draft.ByModel {
		u = append(u, fDraft.Set(Draft{}))
	}
	return u, nil
}

func stopOfLoop(err error) report.Stop {
	if errors.Is(err, llm.ErrCutOff) {
		return report.StopTruncated
	}
	return report.StopProvider
}

// limit says what ended a look around before its time.
func limit(res react.Result) string {
	switch res.End {
	case react.EndRounds:
		return fmt.Sprintf("the model used all %d rounds", res.Rounds)
	case react.EndBudget:
		return "the budget ran out while the model was looking"
	case react.EndStuck:
		return "the model did not get on and had to answer"
	}
	return ""
}

// shown are the places that the model was shown, each once.
func shown(res react.Result) (out []string) {
	seen := map[string]bool{}
	for _, call := range res.Calls {
		for _, s := range call.Shown {
			if at := s.Span.String(); !seen[at] && len(out) < 500 {
				seen[at] = true
				out = append(out, at)
			}
		}
	}
	return out
}

// sight is what the analysts' prompts are made of.
type sight struct {
	brief
	Repo       string
	Commit     string
	Map        string
	Security   bool
	Pieces     []shownPiece
	Notes      []string
	Frames     []string
	Regression report.Regression
	Fix        report.FixClass
	Lessons    []shownPiece
	Existing   []string
	Ranking    []string
	Objections []string     // of the critic, to the answer before
	Removed    []string     // from the answer before, as it was not there
	Before     string       // that answer
	Quotes     []shownPiece // of that answer
}

// shownPiece is text for a fence.
type shownPiece struct{ Origin, Text string }

// origin says what a piece is and why it is shown.
func (p Piece) origin() string {
	at := p.Name
	if p.Span.Path != "" {
		at = located(p.Span, p.Name)
	}
	if p.Why != "" {
		at += ": " + p.Why
	}
	return at
}

// lessonOrigin says how old a lesson is and where it comes from.
func lessonOrigin(l report.Lesson, now time.Time) string {
	days := int(now.Sub(l.Saved).Hours() / 24)
	return fmt.Sprintf("run %s, %d days ago at %s, class %s, on %q; recalled for: %s", l.Run, days, l.Commit.Short(), l.Class, snip.Clip(l.Title, 120), l.Why)
}

const briefTokens = 4000

func (n nodes) task(f prompt.Fence, s State, node string) (react.Task, error) {
	v := sight{
		brief: s.brief(f, briefTokens), Repo: f.Inline(s.subject().Repo), Commit: s.Commit.Commit.Short(), Map: s.Map,
		Security: s.Route.Kind == report.Security, Notes: s.notes(), Regression: s.Regression, Fix: s.Fix.Class,
	}
	for _, p := range s.Context {
		v.Pieces = append(v.Pieces, shownPiece{p.origin(), p.Text})
	}
	for _, l := range s.Lessons {
		v.Lessons = append(v.Lessons, shownPiece{lessonOrigin(l, n.now()), l.Text})
	}
	for _, fr := range s.Frames[:min(len(s.Frames), 12)] {
		v.Frames = append(v.Frames, f.Inline(located(fr.Span, fr.Function)))
	}
	for _, l := range s.Existing {
		v.Existing = append(v.Existing, f.Inline(located(l.Span(), l.Symbol)))
	}
	for _, l := range s.Ranking.Places {
		v.Ranking = append(v.Ranking, f.Inline(located(l.Span(), l.Symbol)))
	}
	if s.Tries > 0 && s.Draft.ByModel {
		v.Objections, v.Removed, v.Before, v.Quotes = s.Critique.Objections, s.Finding.Checked.Removed, s.before(), s.quotes()
	}
	system, err := prompts.Render(f, node, v)
	if err != nil {
		return react.Task{}, err
	}
	user, err := prompts.Render(f, "case", v)
	return react.Task{System: system, User: user}, err
}

// before is the answer that was sent back.
func (s State) before() string {
	parts := []string{s.conclusion()}
	for _, h := range s.hypotheses() {
		parts = append(parts, "Hypothesis "+h)
	}
	for _, l := range s.Finding.Locations {
		parts = append(parts, "Place "+located(l.Span(), l.Symbol)+": "+l.Why)
	}
	return strings.Join(parts, "\n")
}

func (s State) notes() (out []string) {
	for _, part := range s.Parts {
		out = append(out, part.Notes...)
	}
	return out
}

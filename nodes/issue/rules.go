package issue

import (
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/report"
)

// How sure the rules are without a model: of a first place that strong signs point at,
// and of one that they do not.
const (
	strongConfidence = 0.6
	weakConfidence   = 0.3
)

// sure is the critic's score from which a cause can be called confirmed.
const sure = 0.85

// ruled is the judgement of the rules, where no critic is asked.
func (s State) ruled() Critique {
	if s.Draft.ByModel {
		return Critique{Score: min(max(s.Draft.Confidence, 0), weakConfidence*2), Objections: []string{"no critic has looked at this answer"}}
	}
	if s.Ranking.Strong != "" {
		return Critique{Score: strongConfidence}
	}
	return Critique{Score: weakConfidence}
}

// class is how sure the root cause is, and why. It is never the model's to say.
func (s State) class() (report.Class, []string) {
	if !s.Draft.ByModel {
		return s.classWithoutModel()
	}
	chosen, ok := s.chosen()
	var against, short []string
	switch {
	case !ok:
		against = append(against, "no hypothesis is chosen")
	case len(chosen.Supporting) == 0:
		against = append(against, "nothing that could be looked up supports the chosen hypothesis")
	}
	if s.Finding.Ranked {
		against = append(against, "the answer names no place that is there")
	}
	if !s.Critique.Asked {
		against = append(against, "no critic has looked at it")
	} else if s.Critique.Score < enough {
		against = append(against, fmt.Sprintf("the critic gives it %.2f, below %.1f", s.Critique.Score, enough))
	}
	if len(against) > 0 {
		return report.Inconclusive, against
	}
	switch {
	case len(chosen.Supporting) < 2:
		short = append(short, "only one quote supports it")
	case len(s.present(chosen.Supporting)) < 2:
		short = append(short, "most of its quotes are from earlier commits")
	}
	if len(chosen.Refuting) > 0 {
		short = append(short, "something speaks against it")
	}
	if !s.supportedAtFirstPlace(chosen) {
		short = append(short, "no quote is from the first place")
	}
	if n := len(s.Finding.Checked.Removed); n > 0 {
		short = append(short, fmt.Sprintf("%d of %d claims were not there", n, s.Finding.Checked.Claims))
	}
	if s.Critique.Score < sure {
		short = append(short, fmt.Sprintf("the critic gives it %.2f, below %.2f", s.Critique.Score, sure))
	}
	if len(s.Finding.Missing) > 0 {
		short = append(short, "the answer itself says that something is missing")
	}
	if s.Draft.Limit != "" {
		short = append(short, s.Draft.Limit)
	}
	if len(short) > 0 {
		return report.Likely, short
	}
	return report.Confirmed, []string{fmt.Sprintf("%d quotes support it, none speaks against it, and the critic gives it %.2f", len(chosen.Supporting), s.Critique.Score)}
}

func (s State) classWithoutModel() (report.Class, []string) {
	if s.Ranking.Strong != "" && len(s.Finding.Locations) > 0 {
		return report.Likely, []string{s.Ranking.Strong}
	}
	return report.Inconclusive, []string{"no model has read the code, and no strong sign points at one place"}
}

func (s State) chosen() (report.Hypothesis, bool) {
	i := slices.IndexFunc(s.Finding.Hypotheses, func(h report.Hypothesis) bool { return h.State == report.Chosen })
	if i < 0 {
		return report.Hypothesis{}, false
	}
	return s.Finding.Hypotheses[i], true
}

// present are the quotes that stand at the analysed commit, and not in an earlier one.
func (s State) present(ids []string) (out []report.Evidence) {
	for _, e := range s.Finding.Evidence {
		if slices.Contains(ids, e.ID) && e.SHA == s.Commit.Commit {
			out = append(out, e)
		}
	}
	return out
}

// supportedAtFirstPlace says whether a quote for the chosen hypothesis is from the file
// that is to be changed first.
func (s State) supportedAtFirstPlace(h report.Hypothesis) bool {
	return slices.ContainsFunc(s.present(h.Supporting), func(e report.Evidence) bool { return e.Path == s.Finding.Locations[0].Path })
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// conclusion is the answer itself.
func conclusion(a Analysis, w words, c canvas) {
	if a.StopReason == StopNoModel {
		c.para(w.NoModel)
	}
	if r := a.RootCause; r != nil && r.Statement != "" {
		c.para(r.Statement)
		rests(c, w, r.Evidence)
	}
	if a.Feature != nil {
		feature(*a.Feature, w, c)
	}
	if q := a.Answer; q != nil {
		prose(c, w.Usage, q.Usage)
		prose(c, w.Design, q.Design)
		if q.IsBug {
			c.para(w.IsBug)
		}
		rests(c, w, q.Quotes)
		list(c, w.Missing, q.Missing)
	}
	if r := a.RootCause; r != nil && r.Class == Inconclusive {
		list(c, w.Missing, r.Missing)
	}
}

func rests(c canvas, w words, ids []string) {
	if len(ids) > 0 {
		c.para(fmt.Sprintf(w.RestsOn, strings.Join(ids, ", ")))
	}
}

func feature(f FeaturePlan, w words, c canvas) {
	var facts []string
	for _, fact := range []struct{ form, value string }{{w.Exists, f.Exists}, {w.Feasible, f.Feasibility}, {w.Intrudes, f.Intrusiveness}} {
		if fact.value != "" {
			facts = append(facts, fmt.Sprintf(fact.form, w.say(fact.value)))
		}
	}
	list(c, w.Feature, facts)
	prose(c, w.Plan, f.Plan)
	list(c, w.Breaking, f.Breaking)
}

func places(a Analysis, w words, c canvas) {
	if len(a.Locations) > 0 {
		c.section(w.Where, false)
		c.places(a.Locations)
	}
}

// grounds are the quotes, and what they speak for and against.
func grounds(a Analysis, w words, c canvas) {
	if len(a.Evidence) > 0 {
		c.section(w.Evidence, false)
	}
	for _, e := range a.Evidence {
		c.quote(e)
	}
	if len(a.Hypotheses) > 0 {
		c.section(w.Hypotheses, false)
		c.hypotheses(inOrder(a.Hypotheses))
	}
}

// inOrder has what was chosen first and what was ruled out last.
func inOrder(all []Hypothesis) []Hypothesis {
	order := []State{Chosen, Open, RuledOut}
	return slices.SortedStableFunc(slices.Values(all), func(a, b Hypothesis) int {
		return slices.Index(order, a.State) - slices.Index(order, b.State)
	})
}

// around is what surrounds the cause: since when, how to mend it, what is known of a fix.
func around(a Analysis, w words, c canvas) {
	if r := a.Regression; r != nil && r.Is {
		list(c, w.Regression, regression(*r, w))
	}
	if f := a.Fix; f != nil {
		c.section(w.Fix, false)
		fix(*f, w, c)
	}
	var linked []string
	for _, l := range a.LinkedFixes {
		linked = append(linked, tied(l, w))
	}
	list(c, w.Linked, linked)
}

func regression(r Regression, w words) []string {
	facts := []string{r.Why} // which may name the versions
	for _, f := range []struct{ form, value string }{{w.Good, r.Good}, {w.Bad, r.Bad}} {
		if f.value != "" && !strings.Contains(r.Why, f.value) {
			facts = append(facts, fmt.Sprintf(f.form, f.value))
		}
	}
	if r.Since != nil {
		facts = append(facts, fmt.Sprintf(w.Since, r.Since.line()))
	}
	for _, s := range r.Suspects {
		if r.Since == nil || s.SHA != r.Since.SHA {
			facts = append(facts, fmt.Sprintf(w.Suspect, s.line()))
		}
	}
	return facts
}

// line shows a commit.
func (c Change) line() string { return join(" ", c.SHA.Short(), day(c.Date), c.Subject) }

func fix(f Fix, w words, c canvas) {
	if f.Class != "" {
		c.item(join(w.Colon, w.say(string(f.Class)), f.Why))
	}
	if len(f.Files) > 0 {
		var paths []string
		for _, p := range f.Files {
			paths = append(paths, source.Quote(p))
		}
		c.item(fmt.Sprintf(w.Files, strings.Join(paths, ", ")))
	}
	c.para(f.Suggestion)
}

func tied(l Linked, w words) string {
	merged, head := w.NotMerged, w.HeadOpen
	if l.Merged {
		merged = w.Merged
	}
	switch l.InHead {
	case "yes":
		head = w.InHead
	case "no":
		head = w.NotInHead
	}
	return join("; ", join(" ", l.Title, l.URL, l.Commit.Short()), merged, head)
}

// doubts are what speaks against the answer.
func doubts(a Analysis, w words, c canvas) {
	if r := a.RootCause; r != nil {
		minor(c, w.Why, r.Why)
		if r.Class != Inconclusive {
			minor(c, w.Missing, r.Missing)
		}
	}
}

func optional(form, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(form, value)
}

func prose(c canvas, name, text string) {
	if text != "" {
		c.section(name, false)
		c.para(text)
	}
}

func list(c canvas, name string, all []string)  { items(c, name, all, false) }
func minor(c canvas, name string, all []string) { items(c, name, all, true) }

func items(c canvas, name string, all []string, minor bool) {
	all = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(all) > 0 {
		c.section(name, minor)
	}
	for _, s := range all {
		c.item(s)
	}
}

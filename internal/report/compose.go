package report

import (
	"fmt"
	"strings"
	"time"
)

// canvas is what a report for people is written on. Texts that it gets may be of
// strangers and models; it makes them safe for its form.
type canvas interface {
	// title is the first line: what was found, how sure, and the issue's title.
	title(result, sure, title string)
	// fact is a line below the title.
	fact(text string)
	// section begins a part; a minor one may be folded away.
	section(name string, minor bool)
	para(text string)
	item(text string)
	// place shows a location.
	place(l Location, whole string)
	// quote shows lines of code. more has a verb for the number of lines left out.
	quote(e Evidence, more string)
	end() error
}

// compose writes a report.
func compose(a Analysis, c canvas) error {
	w := wordsOf(a.Lang)
	c.title(w.say(a.result()), fmt.Sprintf(w.Confidence, a.Confidence), a.Subject.Title)
	c.fact(fmt.Sprintf(w.At, a.Subject.name(), a.Subject.Base.Short(), a.Subject.ChosenBy))
	if a.IssueKind != "" {
		c.fact(fmt.Sprintf(w.Severity, w.say(string(a.Severity)), w.say(string(a.IssueKind)), join(strings.TrimRight(a.KindWhy, ".。"), strings.TrimRight(a.SeverityWhy, ".。"))))
	}
	if a.Approval != nil && a.Approval.Approved {
		c.fact(fmt.Sprintf(w.Approved, a.Approval.By, day(a.Approval.At)) + note(a.Approval.Note))
	}
	if a.Status == Rejected {
		c.para(w.Rejected)
		if a.Approval != nil {
			c.para(fmt.Sprintf(w.RejectedBy, a.Approval.By, day(a.Approval.At)) + note(a.Approval.Note))
		}
		return c.end()
	}
	conclusion(a, w, c)
	places(a, w, c)
	evidence(a, w, c)
	around(a, w, c)
	small(a, w, c)
	return c.end()
}

// result is what the first line says.
func (a Analysis) result() string {
	switch {
	case a.Status == Rejected:
		return "rejected"
	case a.RootCause != nil:
		return string(a.RootCause.Class)
	case a.Feature != nil:
		return "feature"
	}
	return "answer"
}

// name is owner/repo#12.
func (s Subject) name() string {
	if s.Number == 0 {
		return s.Repo
	}
	return fmt.Sprintf("%s#%d", s.Repo, s.Number)
}

// conclusion is the answer itself.
func conclusion(a Analysis, w words, c canvas) {
	switch {
	case a.RootCause != nil && a.RootCause.Statement != "":
		c.para(a.RootCause.Statement)
	case a.StopReason == StopNoModel:
		c.para(w.NoModel)
	}
	if f := a.Feature; f != nil {
		c.section(w.Feature, false)
		for _, fact := range []struct{ form, value string }{{w.Exists, f.Exists}, {w.Feasibility, f.Feasibility}, {w.Intrusiveness, f.Intrusiveness}} {
			if fact.value != "" {
				c.item(fmt.Sprintf(fact.form, w.say(fact.value)))
			}
		}
		prose(c, w.Plan, f.Plan)
		items(c, w.Breaking, f.Breaking)
	}
	if q := a.Answer; q != nil {
		prose(c, w.Usage, q.Usage)
		prose(c, w.Design, q.Design)
		if q.IsBug {
			c.para(w.IsBug)
		}
	}
}

func places(a Analysis, w words, c canvas) {
	if len(a.Locations) == 0 {
		return
	}
	c.section(w.Where, false)
	for _, l := range a.Locations {
		c.place(l, w.WholeFile)
	}
}

func evidence(a Analysis, w words, c canvas) {
	if len(a.Evidence) > 0 {
		c.section(w.Evidence, false)
	}
	for _, e := range a.Evidence {
		c.quote(e, w.More)
	}
	if len(a.Hypotheses) > 0 {
		c.section(w.Hypotheses, false)
	}
	for _, h := range a.Hypotheses {
		state := map[State]string{Chosen: w.Chosen, RuledOut: w.RuledOut, Open: w.Open}[h.State]
		text := fmt.Sprintf("[%s] %s", state, h.Statement)
		if h.Reason != "" {
			text += " — " + h.Reason
		}
		for _, side := range []struct {
			form string
			ids  []string
		}{{w.For, h.Supporting}, {w.Against, h.Refuting}} {
			if len(side.ids) > 0 {
				text += " (" + fmt.Sprintf(side.form, strings.Join(side.ids, ", ")) + ")"
			}
		}
		c.item(text)
	}
}

// around is what surrounds the cause: since when, how to mend it, what is known of a fix.
func around(a Analysis, w words, c canvas) {
	if r := a.Regression; r != nil && r.Is {
		c.section(w.Regression, false)
		c.para(regressed(*r, w))
		for _, s := range r.Suspects {
			c.item(commit(s))
		}
	}
	if f := a.Fix; f != nil {
		c.section(w.Fix, false)
		if f.Class != "" {
			c.item(strings.TrimSuffix(string(f.Class)+": "+f.Why, ": "))
		}
		if len(f.Files) > 0 {
			c.item(fmt.Sprintf(w.Files, strings.Join(f.Files, ", ")))
		}
		c.para(f.Suggestion)
	}
	if len(a.LinkedFixes) > 0 {
		c.section(w.Linked, false)
	}
	for _, l := range a.LinkedFixes {
		in := map[string]string{"yes": w.InHead, "no": w.NotInHead}[l.InHead]
		if in == "" {
			in = w.HeadUnknown
		}
		c.item(join(join(l.URL, l.Commit.Short()), l.Title) + " — " + in)
	}
}

func regressed(r Regression, w words) string {
	facts := []string{r.Why}
	for _, f := range []struct{ form, value string }{{w.Good, r.Good}, {w.Bad, r.Bad}} {
		if f.value != "" && !strings.Contains(r.Why, f.value) {
			facts = append(facts, fmt.Sprintf(f.form, f.value))
		}
	}
	if r.Since != nil {
		facts = append(facts, fmt.Sprintf(w.Since, commit(*r.Since)))
	} else if len(r.Suspects) > 0 {
		facts = append(facts, w.Suspects+":")
	}
	return strings.Join(facts, "; ")
}

func commit(c Change) string {
	return fmt.Sprintf("%s %s %s", c.SHA.Short(), day(c.Date), c.Subject)
}

// small is what one reads if in doubt.
func small(a Analysis, w words, c canvas) {
	if r := a.RootCause; r != nil {
		minorItems(c, w.Why, r.Why)
		minorItems(c, w.Missing, r.Missing)
	}
	minorItems(c, w.Critic, a.Critic)
	var lessons []string
	for _, l := range a.Lessons {
		lessons = append(lessons, fmt.Sprintf("%s: %s (%s)", l.Title, l.Text, fmt.Sprintf(w.LessonNote, l.Run, day(l.Saved), l.Commit.Short(), l.Class, l.Why)))
	}
	minorItems(c, w.Lessons, lessons)
	var notes []string
	switch {
	case a.Checked.Claims > 0 && len(a.Checked.Removed) == 0:
		notes = append(notes, fmt.Sprintf(w.AllThere, a.Checked.Claims))
	case a.Checked.Claims > 0:
		notes = append(notes, fmt.Sprintf(w.Checked, a.Checked.Claims, len(a.Checked.Removed)))
	}
	for _, r := range a.Checked.Removed {
		notes = append(notes, fmt.Sprintf(w.Removed, r))
	}
	minorItems(c, w.Warnings, append(notes, a.Warnings...))
}

func prose(c canvas, name, text string) {
	if text != "" {
		c.section(name, false)
		c.para(text)
	}
}

func items(c canvas, name string, all []string) {
	if len(all) > 0 {
		c.section(name, false)
	}
	for _, s := range all {
		c.item(s)
	}
}

func minorItems(c canvas, name string, all []string) {
	if len(all) > 0 {
		c.section(name, true)
	}
	for _, s := range all {
		c.item(s)
	}
}

// join puts two texts together, one of which may be missing.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

func note(s string) string {
	if s == "" {
		return ""
	}
	return ": " + s
}

func day(t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	return t.UTC().Format(time.DateOnly)
}

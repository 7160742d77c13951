package report

import (
	"fmt"
	"strings"
	"time"
)

// canvas is what a report for people is written on. The texts that it gets may be of
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
	places(all []Location)
	quote(e Evidence)
	hypotheses(all []Hypothesis)
	findings(all []Finding)
	// end writes the last line, if the form has one.
	end(foot string) error
}

// compose writes a report, the answer first and what one reads in doubt last.
func compose(a Analysis, w words, c canvas) error {
	c.title(w.say(a.result()), a.sure(w), a.Subject.Title)
	facts(a, w, c)
	if a.Status == Rejected {
		rejection(a, w, c)
	} else {
		conclusion(a, w, c)
		places(a, w, c)
		grounds(a, w, c)
		around(a, w, c)
		doubts(a, w, c)
		asides(a.aside(w), w, c)
	}
	return c.end(foot(a.Tool, a.RunID, a.Usage, w))
}

// foot is the last line of a report.
func foot(t Tool, run string, u Usage, w words) string {
	return fmt.Sprintf(w.Footer, join(" ", t.Name, t.Version), run, u.Calls)
}

// result is what the first line says.
func (a Analysis) result() string {
	switch {
	case a.Status == Rejected:
		return string(Rejected)
	case a.RootCause != nil:
		return string(a.RootCause.Class)
	case a.Feature != nil:
		return string(Feature)
	case a.Answer != nil:
		return "answer"
	}
	return string(a.Status)
}

// sure is how sure the answer is; nothing is if there is none.
func (a Analysis) sure(w words) string {
	if a.Status == Rejected {
		return ""
	}
	return fmt.Sprintf(w.Confidence, a.Confidence)
}

func facts(a Analysis, w words, c canvas) {
	c.fact(strings.TrimRight(fmt.Sprintf(w.At, a.Subject.name(), a.Subject.Base.Short(), a.Subject.ChosenBy), " :："))
	if a.IssueKind != "" {
		c.fact(fmt.Sprintf(w.Severity, w.say(string(a.Severity)), w.say(string(a.IssueKind))) + optional(w.Because, a.because()))
	}
	ended(a.Status, a.StopReason, w, c)
	if p := a.Approval; p != nil && p.Approved {
		c.fact(join(w.Colon, fmt.Sprintf(w.Approved, someone(p.By), day(p.At)), p.Note))
	}
}

// because is why it is of its kind, and as severe as that.
func (a Analysis) because() string {
	return join("; ", strings.TrimRight(a.KindWhy, ".。"), strings.TrimRight(a.SeverityWhy, ".。"))
}

// ended says so where a run ended before all was done.
func ended(s Status, stop Stop, w words, c canvas) {
	if s == Rejected || s == Completed && (stop == StopDone || stop == StopNoModel) {
		return
	}
	c.fact(fmt.Sprintf(w.Ended, w.say(string(s)), w.Stops[stop]))
}

// name is owner/repo#12.
func (s Subject) name() string {
	if s.Number == 0 {
		return s.Repo
	}
	return fmt.Sprintf("%s#%d", s.Repo, s.Number)
}

func rejection(a Analysis, w words, c canvas) {
	c.para(w.Rejected)
	if p := a.Approval; p != nil {
		c.para(join(w.Colon, fmt.Sprintf(w.RejectedBy, someone(p.By), day(p.At)), p.Note))
	}
}

// join puts together what is not empty.
func join(sep string, all ...string) string {
	var out []string
	for _, s := range all {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, sep)
}

func someone(name string) string {
	if name == "" {
		return "?"
	}
	return name
}

func day(t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	return t.UTC().Format(time.DateOnly)
}

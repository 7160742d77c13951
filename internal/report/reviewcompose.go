package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// composeReview writes a review: what it comes to, what is wrong, what was not seen.
func composeReview(r Review, w words, c canvas) error {
	number := ""
	if r.Subject.Number != 0 {
		number = fmt.Sprintf("#%d", r.Subject.Number)
	}
	sure := ""
	if r.Confidence > 0 { // else no critic gave one
		sure = fmt.Sprintf(w.Confidence, r.Confidence)
	}
	c.title(w.say(cmp.Or(string(r.Verdict), string(r.Status))), sure, join(" ", number, r.Subject.Title))
	reviewFacts(r, w, c)
	if r.StopReason == StopNoModel {
		c.para(w.NotRead)
	}
	c.para(lines(r.VerdictWhy))
	findings(r, w, c)
	skipped(r.Coverage.Skipped, w, c)
	settles(r.Settles, w, c)
	asides(r.aside(w), w, c)
	return c.end(foot(r.Tool, r.RunID, r.Usage, w))
}

func reviewFacts(r Review, w words, c canvas) {
	s := r.Subject
	between := ""
	if s.Base != "" || s.Head != "" {
		between = fmt.Sprintf(w.Compared, s.Base.Short(), s.Head.Short())
	}
	c.fact(join(" ", s.name(), between, optional(w.By, s.Author)))
	c.fact(join("; ", fmt.Sprintf(w.Seen, r.Coverage.Reviewed, r.Coverage.Files), optional(w.GoesOn, s.Since.Short())))
	ended(r.Status, r.StopReason, w, c)
}

// lines has one line for each text.
func lines(all []string) string {
	var out []string
	for _, s := range all {
		out = append(out, oneLine(s))
	}
	return strings.Join(out, "\n")
}

// findings are the new ones, and what became of those of an earlier review.
func findings(r Review, w words, c canvas) {
	for _, part := range []struct {
		name string
		all  []Finding
	}{{w.Findings, r.of(New)}, {w.StillOpen, r.of(StillOpen)}, {w.CannotTell, r.of(CannotTell)}} {
		if len(part.all) > 0 {
			c.section(part.name, false)
			c.findings(part.all)
		}
	}
	if r.Left > 0 {
		c.para(fmt.Sprintf(w.LeftOut, r.Left))
	}
	var gone []string
	for _, f := range r.of(Resolved) {
		gone = append(gone, join(w.Colon, w.at(f), f.says()))
	}
	minor(c, w.Resolved, gone)
}

// skipped are the files that were not reviewed, those first that had to be.
func skipped(all []Skipped, w words, c canvas) {
	var counts, others []string
	for _, s := range all {
		line := join(w.Colon, source.Quote(s.Path), s.Reason)
		if s.Counts {
			counts = append(counts, line)
		} else {
			others = append(others, line)
		}
	}
	list(c, w.Unseen, counts)
	minor(c, w.Uncounted, others)
}

func settles(all []Settles, w words, c canvas) {
	var out []string
	for _, s := range all {
		out = append(out, join(" — ", join(w.Colon, s.Issue, w.say(s.Answer)), s.Why))
	}
	list(c, w.Settles, out)
}

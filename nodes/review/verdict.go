package review

import (
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/report"
)

// verdict is a rule: a finding at the threshold asks for changes; a change is approved only
// if all of it was seen through every lens and nothing failed; all else is inconclusive.
func (s State) verdict(r report.Review) (report.Verdict, []string) {
	if blocking := r.Blocking(); len(blocking) > 0 {
		return report.RequestChanges, []string{fmt.Sprintf("%s of severity %s or worse", count(len(blocking), "open finding"), r.FailOn)}
	}
	if why := s.doubts(r); len(why) > 0 {
		return report.Undecided, why
	}
	return report.Approve, []string{fmt.Sprintf("%s of code seen through every lens, no finding at the threshold, and the critic gives it %.2f", count(r.Coverage.Reviewed, "file"), s.Critique.Score)}
}

// doubts is what keeps a change from being approved.
func (s State) doubts(r report.Review) (why []string) {
	add := func(format string, args ...any) { why = append(why, fmt.Sprintf(format, args...)) }
	if len(s.Files) == 0 {
		add("nothing changed")
		return why
	}
	switch {
	case len(s.Bundles) == 0:
		add("no file was reviewed: all are left out")
	case !s.usedModels():
		add("no model looked at it: rules see only what they were made for")
	case r.Coverage.Reviewed == 0:
		add("no file was reviewed")
	}
	if n := s.unseenThatCount(r.Coverage); n > 0 && s.usedModels() {
		add("%s not seen through every lens", count(n, "changed source file"))
	}
	for _, v := range s.views() {
		switch {
		case v.Failed != "":
			add("the %s lens failed", v.Lens)
		case v.Limit != "":
			add("the %s lens ended early: %s", v.Lens, v.Limit)
		}
	}
	if missing := s.missingLenses(); len(missing) > 0 && s.usedModels() {
		add("not asked for: %v", missing)
	}
	why = append(why, s.Verified.Unsure...)
	switch {
	case s.Trouble.Stop != "":
		add("the models were lost on the way: %s", s.Trouble.Stop)
	case s.usedModels() && !s.Critique.Asked:
		add("no critic looked at the review")
	case s.usedModels() && s.Critique.Score < enough:
		add("the critic gives the review %.2f, below %.1f", s.Critique.Score, enough)
	}
	var once []string
	for _, w := range why {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	return once
}

// missingLenses are those that the policy leaves out: an approval needs all.
func (s State) missingLenses() (out []report.Lens) {
	for _, l := range (Policy{}).lenses() {
		if !slices.Contains(s.Policy.lenses(), l) {
			out = append(out, l)
		}
	}
	return out
}

func (s State) usedModels() bool { return len(s.Usage) > 0 }

func (s State) unseenThatCount(c report.Coverage) (n int) {
	for _, f := range c.Skipped {
		if f.Counts {
			n++
		}
	}
	return n
}

// coverage says what was seen. A file counts as reviewed if each lens of the policy was
// shown all of it, said that it read it, and did not fail.
func (s State) coverage(changed map[string]diff.File) report.Coverage {
	c := report.Coverage{Files: len(s.Files), Skipped: []report.Skipped{}}
	unseen := s.unseen(changed)
	for _, f := range s.Files {
		reason, counts := f.Skip, false
		if f.Skip != "" {
			// A large file of code, or one whose lines are too many, is code that nobody saw.
			counts = f.Counts && (f.Unseen || f.Added+f.Deleted > maxChanged) && s.Policy.of(f.Path).includes(f.Path)
		} else if !s.usedModels() {
			continue // that no model looked is said of the whole
		} else if reason = s.unread(f.Path, unseen); reason != "" {
			counts = f.Counts
		}
		if reason == "" {
			c.Reviewed++
			continue
		}
		c.Skipped = append(c.Skipped, report.Skipped{Path: f.Path, Reason: reason, Counts: counts})
	}
	slices.SortStableFunc(c.Skipped, func(a, b report.Skipped) int { return yes(b.Counts) - yes(a.Counts) })
	return c
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unread says why a file was not seen through every lens, "" if it was.
func (s State) unread(p string, unseen map[string]string) string {
	if why := unseen[p]; why != "" {
		return why
	}
	for _, lens := range s.Policy.lenses() {
		i := slices.IndexFunc(s.views(), func(v View) bool { return v.Lens == lens && slices.Contains(v.Paths, p) })
		switch {
		case i < 0:
			return fmt.Sprintf("not looked at through the %s lens", lens)
		case s.views()[i].Failed != "":
			return fmt.Sprintf("the %s lens failed", lens)
		case slices.Contains(s.views()[i].Cut, p):
			return "too many changes to be shown at once; the first were"
		case slices.Contains(s.views()[i].Missed, p):
			return fmt.Sprintf("the %s lens does not say that it read it", lens)
		}
	}
	return ""
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

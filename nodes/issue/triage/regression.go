package triage

import (
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
)

// Regression says whether the issue tells of something that once worked, the words that
// say so, and the versions that they name, as they stand there. Versions of other things
// do not count. It does not look at history.
func Regression(is github.Issue) report.Regression {
	r := read(is).regression(namesOf(is.Target.Repo, ""))
	for _, l := range is.Labels[:min(len(is.Labels), 100)] {
		if words := labelWords(l); strings.Contains(words, "regression") && !unsaid.MatchString(words) && !statistics.MatchString(words) {
			r.Is, r.Why = true, fmt.Sprintf("it is labelled %q", quote(l))
			break
		}
	}
	return r
}

func (t text) regression(n names) (r report.Regression) {
	title := statistics.ReplaceAllString(t.title, "")
	all := title + ".\n" + statistics.ReplaceAllString(t.prose, "")
	for _, w := range wordings {
		if said, ok := w.in(all, n); ok {
			fill(&r, said)
		}
	}
	if !r.Is && titled.MatchString(title) && !outdated.MatchString(title) {
		r.Is, r.Why = true, t.title
	}
	return r
}

// fill adds what a further wording tells, unless it contradicts.
func fill(r *report.Regression, said report.Regression) {
	if !r.Is {
		*r = said
		return
	}
	if r.Good == "" && said.Good != "" && (r.Bad == "" || older(said.Good, r.Bad)) {
		r.Good = said.Good
	}
	if r.Bad == "" && said.Bad != "" && (r.Good == "" || older(r.Good, said.Bad)) {
		r.Bad = said.Bad
	}
}

// in finds the first place where the wording holds.
func (w wording) in(all string, n names) (report.Regression, bool) {
	for _, at := range w.re.FindAllStringSubmatchIndex(all, 20) {
		before := all[max(0, at[0]-40):at[0]]
		if end := strings.LastIndexAny(before, ".\n"); end >= 0 {
			before = before[end+1:]
		}
		if w.unless != nil && w.unless.MatchString(before) {
			continue
		}
		if r, ok := w.groups(all, at, n); ok {
			r.Is, r.Why = true, strings.Join(strings.Fields(all[at[0]:at[1]]), " ")
			return r, true
		}
	}
	return report.Regression{}, false
}

// groups reads the named groups of a match; ok is false if one of them objects.
func (w wording) groups(all string, at []int, n names) (r report.Regression, ok bool) {
	for i, name := range w.re.SubexpNames() {
		if name == "" || at[2*i] < 0 {
			continue
		}
		start, end := at[2*i], at[2*i+1]
		said := all[start:end]
		switch name {
		case "good", "bad":
			if !whole(all, start, end) {
				return r, false
			}
			if name == "good" {
				r.Good = said
			} else {
				r.Bad = said
			}
		case "of":
			ok = n.claim(said) != theirs
		case "gap":
			ok = !denied.MatchString(said)
		case "not":
			ok = said == ""
		}
		if name != "good" && name != "bad" && !ok {
			return r, false
		}
	}
	return r, true
}

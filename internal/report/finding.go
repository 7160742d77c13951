package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// of are the findings that have come to this, the worst first.
func (r Review) of(p Progress) []Finding {
	return slices.DeleteFunc(r.sorted(), func(f Finding) bool { return f.Progress != p })
}

// sorted are the findings, the worst first, and else by place.
func (r Review) sorted() []Finding {
	return slices.SortedStableFunc(slices.Values(r.Findings), func(a, b Finding) int {
		return cmp.Or(Worse(a.Severity, b.Severity), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
}

// open are the findings that are not resolved, the worst first.
func (r Review) open() []Finding {
	return slices.DeleteFunc(r.sorted(), func(f Finding) bool { return f.Progress == Resolved })
}

// commit is where the lines of an open finding are.
func (s Compared) commit(f Finding) source.Commit {
	if f.Side == Left {
		return s.Base
	}
	return s.Head
}

// onHead says whether the lines are of the head.
func (f Finding) onHead() bool { return f.Progress != Resolved && f.Side != Left }

// says is what is wrong, in one line that is never empty.
func (f Finding) says() string { return cmp.Or(oneLine(f.Message), f.rule()) }

// rule names what found it, for machines.
func (f Finding) rule() string { return oneLine(string(f.Lens) + "/" + cmp.Or(f.Rule, string(f.Lens))) }

// at is where a finding is, with its side if that is the old one.
func (w words) at(f Finding) string {
	if f.Side == Left {
		return fmt.Sprintf(w.OldSide, f.Span())
	}
	return f.Span().String()
}

// found names the lenses of a finding, and the rule if there was one.
func (w words) found(f Finding) string {
	var names []string
	for _, l := range append([]Lens{f.Lens}, f.Lenses...) {
		names = append(names, cmp.Or(w.Lenses[l], string(l)))
	}
	rule := ""
	if f.Rule != string(f.Lens) {
		rule = cut(f.Rule, 40)
	}
	return join(w.Colon, strings.Join(names, w.Comma), rule)
}

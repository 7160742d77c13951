package review

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/snip"
)

// Open is what a review leaves for the next one.
type Open struct {
	Findings []report.Finding // all, those that its report had no room for as well
	Doubts   []string         // what kept it from an approval beside them
	Unseen   []report.Skipped // files that have to be seen yet
}

// Open gives that of a run that is done.
func (s State) Open() Open {
	o := Open{Findings: s.Verified.Findings, Doubts: s.doubts(s.Report)}
	for _, skipped := range s.Report.Coverage.Skipped {
		if skipped.Counts {
			o.Unseen = append(o.Unseen, skipped)
		}
	}
	return o
}

// carry takes over the open findings of the review that this one goes on from: each is
// still open, resolved, or cannot be told, which counts as open.
func (n nodes) carry(ctx context.Context, s State, v *verifier) (update, error) {
	if s.Input.Since == "" {
		return nil, nil
	}
	var was Open
	ok := false
	if n.Earlier != nil {
		var err error
		if was, ok, err = n.Earlier(ctx, s); err != nil {
			return nil, err
		}
	}
	if !ok {
		v.Unsure = append(v.Unsure, fmt.Sprintf("there is no review of %s here to go on from: what changed before it was not looked at", s.Input.Since.Short()))
		return nil, nil
	}
	for _, skipped := range was.Unseen {
		v.Unsure = append(v.Unsure, fmt.Sprintf("the review of %s had not seen %s: %s", s.Input.Since.Short(), skipped.Path, skipped.Reason))
	}
	if len(was.Doubts) > 0 {
		v.Unsure = append(v.Unsure, fmt.Sprintf("the review of %s left open: %s", s.Input.Since.Short(), strings.Join(was.Doubts, "; ")))
	}
	for _, f := range was.Findings {
		if f.Progress == report.Resolved {
			continue
		}
		if i := slices.IndexFunc(v.Findings, func(g report.Finding) bool { return g.Fingerprint == f.Fingerprint }); i >= 0 {
			v.Findings[i].Progress = report.StillOpen
			continue
		}
		fate, err := v.fate(f)
		if err != nil {
			return nil, err
		}
		f.Progress, f.Suggestion, f.Inline = fate, "", false
		if fate == report.StillOpen && f.Side == report.Right {
			v.moved(&f)
		}
		v.Findings = append(v.Findings, f)
	}
	return nil, nil
}

// fate says what became of a finding that was not found again, by its code: as long as that
// stands there, it is open; where the file is gone, so is the finding. If the code changed,
// that a new look did not find it is no proof.
func (v *verifier) fate(f report.Finding) (report.Progress, error) {
	_, err := v.head.Snapshot.Stat(f.Path)
	switch {
	case f.Lens == report.LensRules:
		return report.Resolved, nil // the rules looked at the whole change, and do not say it any more
	case errors.Is(err, repo.ErrNotExist) && f.Side == report.Right:
		return report.Resolved, nil
	case err != nil && !errors.Is(err, repo.ErrNotExist):
		return "", err
	case f.Side == report.Left:
		if v.stands(f) > 0 {
			return report.Resolved, nil // what was taken away is back
		}
		return report.StillOpen, nil
	case v.stands(f) > 0:
		return report.StillOpen, nil
	}
	return report.CannotTell, nil
}

// stands is the line of the head that a finding's code begins on, 0 if it is not there.
func (v *verifier) stands(f report.Finding) int {
	want := strings.Split(f.Quote, "\n")
	lines := v.content(f.Path)
	for i := 0; i+len(want) <= len(lines); i++ {
		match := true
		for j, w := range want {
			if snip.Squeeze(lines[i+j]) != snip.Squeeze(w) {
				match = false
				break
			}
		}
		if match {
			return i + 1
		}
	}
	return 0
}

// moved gives an open finding its lines of now.
func (v *verifier) moved(f *report.Finding) {
	if at := v.stands(*f); at > 0 && f.Start > 0 {
		f.Start, f.End = at, at+f.End-f.Start
	}
	*f = v.placed(*f)
}

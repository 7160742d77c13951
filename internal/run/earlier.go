// Package run starts, resumes and lists runs. It is behind every command that analyses
// something, and behind every service.
package run

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue"
)

// earlier finds the newest run of the same input that can go on, or whose report holds.
func (r *Runner) earlier(ctx context.Context, in issue.Input) (Outcome, bool, error) {
	key := mustJSON(in)
	for t, err := range r.threads(ctx) {
		if err != nil {
			return Outcome{}, false, err
		}
		if !strings.HasPrefix(t.Thread, prefix(in)+"-") {
			continue
		}
		snap, err := r.app.State(ctx, t.Thread)
		if err != nil || mustJSON(snap.State.Input) != key {
			continue // of another version, or of other settings
		}
		out := Outcome{Run: t.Thread}
		if len(snap.Pauses) > 0 {
			out.Asks, err = asks(snap.Pauses)
			return out, true, err
		}
		if snap.Status != graph.StatusDone {
			return out, true, nil
		}
		if out.Kept, err = r.holds(ctx, snap.State); err != nil || !out.Kept {
			return out, false, err
		}
		out.Report = snap.State.Report
		return out, true, nil
	}
	return Outcome{}, false, nil
}

// holds says whether a report would come out the same: it is whole, by this version, and
// issue and commit are what they were.
func (r *Runner) holds(ctx context.Context, s issue.State) (bool, error) {
	if s.Report.Status != report.Completed || s.Report.Tool != r.cfg.Issue.Tool {
		return false, nil
	}
	is, choice, err := issue.Look(ctx, r.cfg.Issue, s.Input)
	if err != nil {
		return false, err
	}
	return mustJSON(is) == mustJSON(s.Issue) && choice.Commit == s.Commit.Commit, nil
}

// threads are all runs, those touched last first.
func (r *Runner) threads(ctx context.Context) iter.Seq2[graph.ThreadInfo, error] {
	return func(yield func(graph.ThreadInfo, error) bool) {
		var all []graph.ThreadInfo
		for t, err := range r.store.Threads(ctx) {
			if err != nil {
				yield(t, err)
				return
			}
			all = append(all, t)
		}
		slices.SortFunc(all, func(a, b graph.ThreadInfo) int { return b.Updated.Compare(a.Updated) })
		for _, t := range all {
			if !strings.Contains(t.Thread, "|") && !yield(t, nil) {
				return
			}
		}
	}
}

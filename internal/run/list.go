package run

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue"
)

// Info is what a list says of a run.
type Info struct {
	Run     string        `json:"run_id"`
	Status  graph.Status  `json:"status"`
	Subject string        `json:"subject"`
	Title   string        `json:"title"`
	Kind    report.Kind   `json:"issue_kind,omitempty"`
	Class   report.Class  `json:"class,omitempty"`
	Began   time.Time     `json:"began,omitzero"`
	Updated time.Time     `json:"updated"`
	Steps   int           `json:"steps"`
	Next    []string      `json:"next,omitempty"` // nodes that would run next
	Took    time.Duration `json:"-"`
	Problem string        `json:"problem,omitempty"` // it cannot be read, or why it failed
}

// List gives the runs, those touched last first.
func (r *Runner) List(ctx context.Context) ([]Info, error) {
	out := []Info{}
	for t, err := range r.threads(ctx) {
		if err != nil {
			return nil, err
		}
		snap, err := r.app.State(ctx, t.Thread)
		if err != nil {
			out = append(out, Info{Run: t.Thread, Status: t.Status, Updated: t.Updated, Problem: explain(err).Error()})
			continue
		}
		info := describe(snap)
		info.Updated = t.Updated
		out = append(out, info)
	}
	return out, nil
}

func describe(snap graph.Snapshot[issue.State]) Info {
	s := snap.State
	i := Info{
		Run: snap.Thread, Status: snap.Status, Subject: s.Subject(), Title: s.Issue.Title, Kind: s.Route.Kind,
		Began: s.Began, Updated: snap.At, Steps: snap.Step, Next: snap.Next,
	}
	if s.Report.RootCause != nil {
		i.Class = s.Report.RootCause.Class
	}
	if len(snap.Failed) > 0 {
		i.Problem = snap.Failed[0]
	}
	return i
}

// Shown is all that is known of one run.
type Shown struct {
	Info
	Asks    *Asks                    `json:"asks,omitempty"`
	Times   map[string]time.Duration `json:"times,omitempty"`
	Report  *report.Analysis         `json:"report,omitempty"`
	Answers []graph.AnswerRow        `json:"-"`
	From    repo.Origin              `json:"-"` // where the repository comes from
}

// Show gives one run.
func (r *Runner) Show(ctx context.Context, id string) (Shown, error) {
	snap, err := r.state(ctx, id)
	if err != nil {
		return Shown{}, err
	}
	out := Shown{Info: describe(snap), Times: snap.State.Times, Answers: snap.Answers, From: snap.State.Origin()}
	if len(snap.Pauses) > 0 {
		if out.Asks, err = asks(snap.Pauses); err != nil {
			return out, err
		}
	}
	if rep := snap.State.Report; rep.RunID != "" {
		out.Report = &rep
	}
	return out, nil
}

// Graph draws the workflow, in Mermaid's language.
func (r *Runner) Graph() string { return r.app.Mermaid() }

// Export writes a run as JSON Lines: each checkpoint, the oldest first, with all that the
// run knew. It holds the issue and parts of the code, and no key.
func (r *Runner) Export(ctx context.Context, id string, w io.Writer) error {
	if _, err := r.state(ctx, id); err != nil {
		return err
	}
	var all []graph.Snapshot[issue.State]
	for snap, err := range r.app.History(ctx, id) {
		if err != nil {
			return err
		}
		all = append(all, snap)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := len(all) - 1; i >= 0; i-- {
		snap := all[i]
		line := struct {
			Run   string      `json:"run_id"`
			Step  int         `json:"step"`
			At    time.Time   `json:"at"`
			Next  []string    `json:"next"`
			State issue.State `json:"state"`
		}{snap.Thread, snap.Step, snap.At, snap.Next, snap.State}
		if err := enc.Encode(line); err != nil {
			return fmt.Errorf("export %s: %w", id, err)
		}
	}
	return nil
}

// Delete forgets a run. One that is at work is ErrBusy.
func (r *Runner) Delete(ctx context.Context, id string) error {
	if _, err := r.state(ctx, id); err != nil {
		return err
	}
	return r.store.Delete(ctx, id)
}

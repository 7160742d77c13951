package run

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
)

// Info is what a list says of a run.
type Info struct {
	Run     string        `json:"run_id"`
	Status  graph.Status  `json:"status"`
	Subject string        `json:"subject"`
	Title   string        `json:"title"`
	Kind    report.Kind   `json:"issue_kind,omitempty"`
	Result  string        `json:"result,omitempty"` // the class of a root cause, or the verdict
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
	for _, k := range r.kinds() {
		all, err := k.list(ctx)
		if err != nil {
			return nil, err
		}
		out = append(out, all...)
	}
	slices.SortStableFunc(out, func(a, b Info) int { return b.Updated.Compare(a.Updated) })
	return out, nil
}

func (f *flow[S]) list(ctx context.Context) (out []Info, err error) {
	for t, err := range f.threads(ctx) {
		if err != nil {
			return nil, err
		}
		snap, err := f.app.State(ctx, t.Thread)
		if err != nil {
			out = append(out, Info{Run: t.Thread, Status: t.Status, Updated: t.Updated, Problem: explain(err).Error()})
			continue
		}
		info := f.describe(snap)
		info.Updated = t.Updated
		out = append(out, info)
	}
	return out, nil
}

func (f *flow[S]) describe(snap graph.Snapshot[S]) Info {
	i := f.info(snap.State)
	i.Run, i.Status, i.Updated, i.Steps, i.Next = snap.Thread, snap.Status, snap.At, snap.Step, snap.Next
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
	Review  *report.Review           `json:"review,omitempty"`
	Answers []graph.AnswerRow        `json:"-"`
	From    repo.Origin              `json:"-"` // where the repository comes from
	Models  map[string]string        `json:"-"` // that it was begun with; none is none
	Where   string                   `json:"-"` // their address, if it is not the provider's own
}

// Show gives one run.
func (r *Runner) Show(ctx context.Context, id string) (Shown, error) {
	k, err := r.of(ctx, id)
	if err != nil {
		return Shown{}, err
	}
	return k.show(ctx, id)
}

func (f *flow[S]) show(ctx context.Context, id string) (Shown, error) {
	snap, err := f.state(ctx, id)
	if err != nil {
		return Shown{}, err
	}
	out := Shown{Info: f.describe(snap), Times: f.times(snap.State), Answers: snap.Answers}
	f.shown(snap.State, &out)
	if len(snap.Pauses) > 0 {
		out.Asks, err = asks(snap.Pauses)
	}
	return out, err
}

// Graph draws the workflow of analyses, in Mermaid's language.
func (r *Runner) Graph() string { return r.issues.app.Mermaid() }

// ReviewGraph draws that of reviews.
func (r *Runner) ReviewGraph() string { return r.reviews.app.Mermaid() }

// Export writes a run as JSON Lines: each checkpoint, the oldest first, with all that the
// run knew. It holds the issue and parts of the code, and no key.
func (r *Runner) Export(ctx context.Context, id string, w io.Writer) error {
	k, err := r.of(ctx, id)
	if err != nil {
		return err
	}
	return k.export(ctx, id, w)
}

func (f *flow[S]) export(ctx context.Context, id string, w io.Writer) error {
	var all []graph.Snapshot[S]
	for snap, err := range f.app.History(ctx, id) {
		if err != nil {
			return explain(err)
		}
		all = append(all, snap)
	}
	for i := len(all) - 1; i >= 0; i-- {
		snap := all[i]
		line := struct {
			Run   string    `json:"run_id"`
			Step  int       `json:"step"`
			At    time.Time `json:"at"`
			Next  []string  `json:"next"`
			State S         `json:"state"`
		}{snap.Thread, snap.Step, snap.At, snap.Next, snap.State}
		if err := report.EncodeLine(w, line); err != nil {
			return fmt.Errorf("export %s: %w", id, err)
		}
	}
	return nil
}

// Delete forgets a run. One that is at work is ErrBusy.
func (r *Runner) Delete(ctx context.Context, id string) error {
	k, err := r.of(ctx, id)
	if err != nil {
		return err
	}
	return k.remove(ctx, id)
}

func (f *flow[S]) remove(ctx context.Context, id string) error { return f.store.Delete(ctx, id) }

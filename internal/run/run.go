// Package run starts, resumes and lists runs. It is behind every command that analyses
// something, and behind every service.
package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue"
)

// The errors that a caller may want to act on; compare with errors.Is.
var (
	// ErrUnknown means that there is no run of a name.
	ErrUnknown = errors.New("no such run")
	// ErrBusy means that a run is at work, in this process or another.
	ErrBusy = graph.ErrBusy
	// ErrNotWaiting refuses a decision for a run that asks nobody.
	ErrNotWaiting = errors.New("the run waits for nobody")
)

// Config says where runs are kept and what they work with.
type Config struct {
	// Dir holds checkpoints.sqlite.
	Dir string
	// Issue is what the nodes work with.
	Issue issue.Config
	// Concurrency is how many nodes of a run work at once. Zero means 16.
	Concurrency int
	// MaxSteps ends a run that makes more steps. Zero means 100.
	MaxSteps int
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Runner keeps runs in a file that several processes may share.
type Runner struct {
	cfg   Config
	store *sqlite.Store
	app   *graph.App[issue.State]
}

// Open opens the file of runs, and makes it if there is none.
func Open(ctx context.Context, c Config) (*Runner, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Issue.Now == nil {
		c.Issue.Now = c.Now
	}
	store, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(c.Dir, "checkpoints.sqlite"), Now: c.Now})
	if err != nil {
		return nil, fmt.Errorf("open the runs: %w", err)
	}
	app, err := issue.New(c.Issue).Compile(graph.Config{Store: store, Concurrency: c.Concurrency, MaxSteps: c.MaxSteps, Now: c.Now})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &Runner{c, store, app}, nil
}

// Close closes the file; all is stored already.
func (r *Runner) Close() error { return r.store.Close() }

// Options say how a run is started.
type Options struct {
	// Fresh starts anew where a run of the same input could go on, or its report be given.
	Fresh bool
	// Told is told what happens, from one goroutine. Nil is nobody.
	Told func(Event)
	// Spent is told what the models of a run took so far, before it goes on, so that a
	// budget holds for the whole of it. Nil is nobody.
	Spent func(llm.Usage)
}

// Outcome is what came of a run.
type Outcome struct {
	Run    string
	Report report.Analysis
	// Asks is what the run waits for; nil if it does not wait.
	Asks *Asks
	// Kept says that the report is that of an earlier run of the same input, on the same
	// issue and commit.
	Kept bool
}

// Asks is a question to a person.
type Asks struct {
	ID       string
	Question issue.Question
}

// Analyze analyses an issue. A run of the same input that did not end goes on; of one
// that is done the report is given if the issue and the commit are still the same.
//
// On an error the Outcome names the run, if there is one: it can be resumed.
func (r *Runner) Analyze(ctx context.Context, in issue.Input, o Options) (Outcome, error) {
	if !o.Fresh {
		if was, ok, err := r.earlier(ctx, in); err != nil || ok {
			if err != nil || was.Asks != nil || was.Kept {
				return was, err
			}
			return r.Continue(ctx, was.Run, o)
		}
	}
	for range 10 { // names are short and may be taken
		id := name(in)
		out, err := r.drive(ctx, id, graph.Start(issue.State{Input: in, Began: r.cfg.Now().UTC()}), o)
		if !errors.Is(err, graph.ErrThreadExists) {
			return out, err
		}
	}
	return Outcome{}, errors.New("find a name for the run: all that were tried are taken")
}

// Decide gives a waiting run its answer, and goes on with it.
func (r *Runner) Decide(ctx context.Context, id string, d issue.Decision, by string, o Options) (Outcome, error) {
	snap, err := r.state(ctx, id)
	if err != nil {
		return Outcome{}, err
	}
	if len(snap.Pauses) == 0 {
		return Outcome{Run: id}, fmt.Errorf("%w: %s is %s", ErrNotWaiting, id, snap.Status)
	}
	o.spent(snap.State)
	return r.drive(ctx, id, graph.Resume[issue.State](graph.AnswerTo(snap.Pauses[0].ID, d, by)), o)
}

// Continue goes on with a run that was interrupted or failed. One that is done gives its
// report, and one that waits says for what.
func (r *Runner) Continue(ctx context.Context, id string, o Options) (Outcome, error) {
	snap, err := r.state(ctx, id)
	if err != nil {
		return Outcome{}, err
	}
	o.spent(snap.State)
	return r.drive(ctx, id, graph.Continue[issue.State](), o)
}

// spent sums up what a run took so far.
func (o Options) spent(s issue.State) {
	if o.Spent == nil {
		return
	}
	var all llm.Usage
	for _, u := range s.Usage {
		all = all.Add(u)
	}
	o.Spent(all)
}

// drive runs a thread and tells of it.
func (r *Runner) drive(ctx context.Context, id string, in graph.Input[issue.State], o Options) (Outcome, error) {
	out := Outcome{Run: id}
	told := o.Told
	if told == nil {
		told = func(Event) {}
	}
	told(Event{Kind: Started, Run: id})
	var last issue.State
	for e, err := range r.app.Stream(ctx, id, in) {
		if paused := new(graph.Paused); errors.As(err, &paused) {
			out.Asks, err = asks(paused.Pauses)
			return out, err
		}
		if err != nil {
			return out, explain(err)
		}
		if s, ok := e.Data.(issue.State); ok {
			last = s
		}
		tell(e, told)
	}
	if last.Report.RunID == "" { // it was done before
		snap, err := r.app.State(ctx, id)
		if err != nil {
			return out, err
		}
		last = snap.State
	}
	out.Report = last.Report
	return out, nil
}

func asks(open []graph.Pause) (*Asks, error) {
	a := &Asks{ID: open[0].ID}
	return a, json.Unmarshal(open[0].Payload, &a.Question)
}

// explain says what can be done about an error of the engine.
func explain(err error) error {
	if errors.Is(err, graph.ErrGraphChanged) {
		return fmt.Errorf("the run was made by another version of repomind: %w", err)
	}
	return err
}

func (r *Runner) state(ctx context.Context, id string) (graph.Snapshot[issue.State], error) {
	snap, err := r.app.State(ctx, id)
	if errors.Is(err, graph.ErrNoThread) {
		err = fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	return snap, explain(err)
}

package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
	"github.com/repomind/repomind/internal/llm"
)

// flow is one kind of run: its workflow, and the file that its runs are in.
type flow[S any] struct {
	store *sqlite.Store
	app   *graph.App[S]
	view[S]
}

// view is what the runner has to know of a workflow's state and its nodes.
type view[S any] struct {
	info   func(S) Info
	result func(S, *Outcome) bool // puts the report there; false if there is none yet
	usage  func(S) map[string]llm.Usage
	times  func(S) map[string]time.Duration
	shown  func(S, *Shown)
	told   func(graph.Update[S]) string // what a node found, in a few words
}

// open opens the file of a flow's runs, and makes it if there is none.
func open[S any](ctx context.Context, path string, g *graph.Graph[S], c Config, v view[S]) (*flow[S], error) {
	store, err := sqlite.Open(ctx, sqlite.Config{Path: path, Now: c.Now})
	if err != nil {
		return nil, fmt.Errorf("open the runs: %w", err)
	}
	app, err := g.Compile(graph.Config{Store: store, Concurrency: c.Concurrency, MaxSteps: c.MaxSteps, Now: c.Now})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return &flow[S]{store, app, v}, nil
}

// start begins a run under a name that is free.
func (f *flow[S]) start(ctx context.Context, name func() string, s S, o Options) (Outcome, error) {
	for range 10 { // names are short and may be taken
		out, err := f.drive(ctx, name(), graph.Start(s), o)
		if !errors.Is(err, graph.ErrThreadExists) {
			return out, err
		}
	}
	return Outcome{}, errors.New("find a name for the run: all that were tried are taken")
}

// decide gives a waiting run its answer, and goes on with it.
func (f *flow[S]) decide(ctx context.Context, id string, answer any, by string, o Options) (Outcome, error) {
	snap, err := f.state(ctx, id)
	if err != nil {
		return Outcome{}, err
	}
	if len(snap.Pauses) == 0 {
		return Outcome{Run: id}, fmt.Errorf("%w: %s is %s", ErrNotWaiting, id, snap.Status)
	}
	f.spent(snap.State, o)
	return f.drive(ctx, id, graph.Resume[S](graph.AnswerTo(snap.Pauses[0].ID, answer, by)), o)
}

func (f *flow[S]) resume(ctx context.Context, id string, o Options) (Outcome, error) {
	snap, err := f.state(ctx, id)
	if err != nil {
		return Outcome{}, err
	}
	f.spent(snap.State, o)
	return f.drive(ctx, id, graph.Continue[S](), o)
}

// spent sums up what a run took so far.
func (f *flow[S]) spent(s S, o Options) {
	if o.Spent == nil {
		return
	}
	var all llm.Usage
	for _, u := range f.usage(s) {
		all = all.Add(u)
	}
	o.Spent(all)
}

// drive runs a thread and tells of it.
func (f *flow[S]) drive(ctx context.Context, id string, in graph.Input[S], o Options) (Outcome, error) {
	out := Outcome{Run: id}
	told := o.Told
	if told == nil {
		told = func(Event) {}
	}
	if o.Kept != nil {
		ctx = llm.WithKept(ctx, o.Kept)
	}
	told(Event{Kind: Started, Run: id})
	var last S
	for e, err := range f.app.Stream(ctx, id, in) {
		if paused := new(graph.Paused); errors.As(err, &paused) {
			out.Asks, err = asks(paused.Pauses)
			return out, err
		}
		if err != nil {
			return out, explain(err)
		}
		if s, ok := e.Data.(S); ok {
			last = s
		}
		f.tell(e, told)
	}
	if !f.result(last, &out) { // it was done before
		snap, err := f.app.State(ctx, id)
		if err != nil {
			return out, err
		}
		f.result(snap.State, &out)
	}
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

func (f *flow[S]) state(ctx context.Context, id string) (graph.Snapshot[S], error) {
	snap, err := f.app.State(ctx, id)
	if errors.Is(err, graph.ErrNoThread) {
		err = fmt.Errorf("%w: %q", ErrUnknown, id)
	}
	return snap, explain(err)
}

// earlier finds the newest run of the same input that can go on, or whose report holds.
func (f *flow[S]) earlier(ctx context.Context, prefix string, same func(S) bool, holds func(S) (bool, error)) (Outcome, bool, error) {
	for t, err := range f.threads(ctx) {
		if err != nil {
			return Outcome{}, false, err
		}
		if !strings.HasPrefix(t.Thread, prefix+"-") {
			continue
		}
		snap, err := f.app.State(ctx, t.Thread)
		if err != nil || !same(snap.State) {
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
		if out.Kept, err = holds(snap.State); err != nil || !out.Kept {
			return out, false, err
		}
		f.result(snap.State, &out)
		return out, true, nil
	}
	return Outcome{}, false, nil
}

// threads are all runs, those touched last first.
func (f *flow[S]) threads(ctx context.Context) iter.Seq2[graph.ThreadInfo, error] {
	return func(yield func(graph.ThreadInfo, error) bool) {
		var all []graph.ThreadInfo
		for t, err := range f.store.Threads(ctx) {
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

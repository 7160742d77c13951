// Package run starts, resumes and lists runs. It is behind every command that analyses
// something, and behind every service.
package run

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue"
	"github.com/repomind/repomind/nodes/review"
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
	// Dir holds checkpoints.sqlite of analyses and pr_checkpoints.sqlite of reviews.
	Dir string
	// Issue and Review are what the nodes work with.
	Issue  issue.Config
	Review review.Config
	// Concurrency is how many nodes of a run work at once. Zero means 16.
	Concurrency int
	// MaxSteps ends a run that makes more steps. Zero means 100.
	MaxSteps int
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Runner keeps runs in files that several processes may share.
type Runner struct {
	cfg     Config
	issues  *flow[issue.State]
	reviews *flow[review.State]
}

// runs is what can be done with the runs of any kind.
type runs interface {
	resume(ctx context.Context, id string, o Options) (Outcome, error)
	decide(ctx context.Context, id string, answer any, by string, o Options) (Outcome, error)
	list(ctx context.Context) ([]Info, error)
	show(ctx context.Context, id string) (Shown, error)
	export(ctx context.Context, id string, w io.Writer) error
	remove(ctx context.Context, id string) error
}

// Open opens the files of runs, and makes those that are not there.
func Open(ctx context.Context, c Config) (*Runner, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Issue.Now == nil {
		c.Issue.Now = c.Now
	}
	if c.Review.Now == nil {
		c.Review.Now = c.Now
	}
	r := &Runner{cfg: c}
	c.Review.Earlier = r.earlierReview
	var err error
	if r.issues, err = open(ctx, filepath.Join(c.Dir, "checkpoints.sqlite"), issue.New(c.Issue), c, ofIssues); err != nil {
		return nil, err
	}
	if r.reviews, err = open(ctx, filepath.Join(c.Dir, "pr_checkpoints.sqlite"), review.New(c.Review), c, ofReviews); err != nil {
		return nil, errors.Join(err, r.issues.store.Close())
	}
	return r, nil
}

// Close closes the files; all is stored already.
func (r *Runner) Close() error { return errors.Join(r.issues.store.Close(), r.reviews.store.Close()) }

// kinds are the runs of all kinds.
func (r *Runner) kinds() []runs { return []runs{r.issues, r.reviews} }

// of finds the kind of a run.
func (r *Runner) of(ctx context.Context, id string) (runs, error) {
	var last error
	for _, k := range r.kinds() {
		if _, last = k.show(ctx, id); !errors.Is(last, ErrUnknown) {
			return k, nil // even if it cannot be read: that is then told
		}
	}
	return nil, last
}

// Options say how a run is started.
type Options struct {
	// Fresh starts anew where a run of the same input could go on, or its report be given.
	Fresh bool
	// Told is told what happens, from one goroutine. Nil is nobody.
	Told func(Event)
	// Spent is told what the models of a run took so far, before it goes on, so that a
	// budget holds for the whole of it. Nil is nobody.
	Spent func(llm.Usage)
	// Kept is told what each answer took that a node which was broken off has kept: it is
	// not in Spent. Nil is nobody.
	Kept func(llm.Usage)
}

// Outcome is what came of a run.
type Outcome struct {
	Run string
	// Report is that of an analysis, Review that of a review.
	Report report.Analysis
	Review *report.Review
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
		key := mustJSON(in)
		was, ok, err := r.issues.earlier(ctx, prefix(in.Target, in.From, ""), func(s issue.State) bool { return mustJSON(s.Input) == key },
			func(s issue.State) (bool, error) { return r.holds(ctx, s) })
		switch {
		case err != nil || ok && (was.Asks != nil || was.Kept):
			return was, err
		case ok:
			return r.issues.resume(ctx, was.Run, o)
		}
	}
	return r.issues.start(ctx, func() string { return name(prefix(in.Target, in.From, "")) }, issue.State{Input: in, Began: r.cfg.Now().UTC()}, o)
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

// Decide gives a waiting run its answer, and goes on with it.
func (r *Runner) Decide(ctx context.Context, id string, d issue.Decision, by string, o Options) (Outcome, error) {
	k, err := r.of(ctx, id)
	if err != nil {
		return Outcome{}, err
	}
	return k.decide(ctx, id, d, by, o)
}

// Continue goes on with a run that was interrupted or failed. One that is done gives its
// report, and one that waits says for what.
func (r *Runner) Continue(ctx context.Context, id string, o Options) (Outcome, error) {
	k, err := r.of(ctx, id)
	if err != nil {
		return Outcome{}, err
	}
	return k.resume(ctx, id, o)
}

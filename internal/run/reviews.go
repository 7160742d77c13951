package run

import (
	"context"
	"strings"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/review"
)

// ofReviews is what the runner has to know of reviews.
var ofReviews = view[review.State]{
	info: func(s review.State) Info {
		return Info{Subject: s.Subject(), Title: s.Pull.Title, Began: s.Began, Result: string(s.Report.Verdict)}
	},
	result: func(s review.State, out *Outcome) bool {
		if s.Report.RunID == "" {
			return false
		}
		out.Review = &s.Report
		return true
	},
	usage: func(s review.State) map[string]llm.Usage { return s.Usage },
	times: func(s review.State) map[string]time.Duration { return s.Times },
	shown: func(s review.State, out *Shown) {
		out.From, out.Models, out.Where = s.Origin(), s.Input.Models, s.Input.Where
		if s.Report.RunID != "" {
			out.Review = &s.Report
		}
	},
	told: review.Told,
}

// Review reviews a change. A run of the same input that did not end goes on; of one that
// is done the report is given if the commits and what the author wrote are still the same.
//
// On an error the Outcome names the run, if there is one: it can be resumed.
func (r *Runner) Review(ctx context.Context, in review.Input, o Options) (Outcome, error) {
	at := prefix(in.Target, in.From, "-pr")
	if !o.Fresh {
		key := mustJSON(in)
		was, ok, err := r.reviews.earlier(ctx, at, func(s review.State) bool { return mustJSON(s.Input) == key },
			func(s review.State) (bool, error) { return r.reviewHolds(ctx, s) })
		switch {
		case err != nil || ok && was.Kept:
			return was, err
		case ok:
			return r.reviews.resume(ctx, was.Run, o)
		}
	}
	return r.reviews.start(ctx, func() string { return name(at) }, review.State{Input: in, Began: r.cfg.Now().UTC()}, o)
}

// reviewHolds says whether a review would come out the same. What others wrote on the pull
// request since, we among them, does not count.
func (r *Runner) reviewHolds(ctx context.Context, s review.State) (bool, error) {
	if s.Report.Status != report.Completed || s.Report.Tool != r.cfg.Review.Tool {
		return false, nil
	}
	p, ends, err := review.Look(ctx, r.cfg.Review, s.Input)
	if err != nil {
		return false, err
	}
	return ends == s.Compared && p.Title == s.Pull.Title && p.Body == s.Pull.Body, nil
}

// earlierReview finds what the last review of the same change left open whose head was the
// commit that a review is to go on from.
func (r *Runner) earlierReview(ctx context.Context, s review.State) (review.Open, bool, error) {
	at := prefix(s.Input.Target, s.Input.From, "-pr") + "-"
	for t, err := range r.reviews.threads(ctx) {
		if err != nil {
			return review.Open{}, false, err
		}
		if t.Status != graph.StatusDone || !strings.HasPrefix(t.Thread, at) {
			continue
		}
		snap, err := r.reviews.app.State(ctx, t.Thread)
		if err != nil {
			continue // of another version
		}
		if was := snap.State; was.Compared.Head == s.Input.Since && was.Report.RunID != "" && was.Input.From == s.Input.From {
			return was.Open(), true, nil
		}
	}
	return review.Open{}, false, nil
}

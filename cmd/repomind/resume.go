package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/nodes/issue"
)

type resumeOptions struct {
	analysisFlags
	Approve bool
	Reject  bool
	Note    string
}

func newResume() *cobra.Command {
	var opts resumeOptions
	opts.parse = report.ParseReviewFormat // it may be a review
	c := &cobra.Command{
		Use:   "resume RUN",
		Short: "Go on with a run that waits for a person, or broke off",
		Long: `Go on with a run that waits for a person, or broke off. Nodes that had finished do not run
again, and no answer of a model is paid twice.

A run that waits needs --approve or --reject; on a terminal it asks. After a rejection
nothing is analysed, and the report says who decided and why.`,
		Example: `  repomind resume requests-6859-k3f9
  repomind resume fastapi-1234-x7qd --approve --note 'already public'`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return opts.run(c, args[0]) },
	}
	c.Flags().BoolVar(&opts.Approve, "approve", false, "allow the analysis that the run waits for")
	c.Flags().BoolVar(&opts.Reject, "reject", false, "do not allow it")
	c.Flags().StringVar(&opts.Note, "note", "", "why, for the report")
	c.MarkFlagsMutuallyExclusive("approve", "reject")
	opts.analysisFlags.add(c)
	return c
}

func (o *resumeOptions) run(c *cobra.Command, id string) error {
	decided := o.Approve || o.Reject
	if o.Note != "" && !decided {
		return usageError{errors.New("--note belongs to --approve or --reject")}
	}
	return o.with(c, func(ctx context.Context, d *desk) error {
		shown, err := d.runner.Show(ctx, id)
		if err != nil {
			return err
		}
		if err := d.sameModels(shown); err != nil {
			return err
		}
		if err := d.adopt(ctx, shown.From); err != nil {
			fmt.Fprintf(d.watch, "repomind: what the repository sets was not read: %v\n", err)
		}
		if !decided {
			if shown.Asks != nil {
				return d.finish(ctx, run.Outcome{Run: id, Asks: shown.Asks}, nil)
			}
			out, err := d.runner.Continue(ctx, id, d.options(false))
			return d.finish(ctx, out, err)
		}
		if shown.Asks == nil {
			return usageError{fmt.Errorf("%w: %s is %s", run.ErrNotWaiting, id, shown.Status)}
		}
		decision := issue.Decision{Approve: o.Approve, Note: o.Note, By: person(), At: time.Now().UTC()}
		out, err := d.runner.Decide(ctx, id, decision, decision.By, d.options(false))
		return d.finish(ctx, out, err)
	})
}

// sameModels refuses to send a run elsewhere than where it began: its issue may be
// private, and a person may have allowed just that. No model at all is always allowed.
func (d *desk) sameModels(shown run.Shown) error {
	if d.models == nil || shown.Report != nil || shown.Review != nil || maps.Equal(shown.Models, d.names()) && shown.Where == d.where() {
		return nil
	}
	if len(shown.Models) == 0 {
		return usageError{fmt.Errorf("%s was begun without a model; go on with --no-llm, or begin anew with repomind analyze --fresh", shown.Run)}
	}
	flags := "--model " + shown.Models["main"]
	for _, kind := range []string{"small", "critic", "vision"} {
		if name := shown.Models[kind]; name != "" && name != shown.Models["main"] {
			flags += fmt.Sprintf(" --%s-model %s", kind, name)
		}
	}
	if shown.Where != "" {
		flags += " --base-url " + shown.Where
	}
	return usageError{fmt.Errorf("%s was begun with other models; go on with %s, or with --no-llm, or begin anew with repomind analyze --fresh", shown.Run, flags)}
}

package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
)

type analyzeOptions struct {
	analysisFlags
	IssueFile string
	Dir       string
	At        string
	Security  bool
	Fresh     bool
}

func newAnalyze() *cobra.Command {
	var opts analyzeOptions
	c := &cobra.Command{
		Use:   "analyze [url]",
		Short: "Find the root cause of an issue",
		Long: `Find the root cause of an issue: where it is, why, and how sure that is. The report goes to
standard output, progress to standard error. What it names was looked up at the commit
that it names.

Without a key for a model, or with --no-llm, the places are ranked by retrieval alone. An
unfinished run of the same issue goes on; --fresh starts anew.

Exit codes: 0 done, 5 inconclusive or partial, 8 waits for a person (see repomind resume),
2 wrong usage, 3 a failure of network or disk, 4 no access, 130 interrupted.`,
		Example: `  repomind https://github.com/psf/requests/issues/6859
  repomind analyze psf/requests#6859 --no-llm --format markdown
  repomind analyze --issue-file crash.md --repo-dir . --out sarif=cause.sarif`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return opts.run(c, args) },
	}
	opts.add(c)
	return c
}

func (o *analyzeOptions) add(c *cobra.Command) {
	c.Flags().StringVar(&o.IssueFile, "issue-file", "", "an issue in a file, - for standard input: Markdown, or JSON of the REST API")
	c.Flags().StringVar(&o.Dir, "repo-dir", "", "a local repository; it is cloned from, never used in place")
	c.Flags().StringVar(&o.At, "at", "", "the commit, branch or tag to look at (default: the version that the issue names, or the last commit before it)")
	c.Flags().BoolVar(&o.Security, "security", false, "let a person allow the analysis first")
	c.Flags().BoolVar(&o.Fresh, "fresh", false, "start anew, even if a run of the same issue can go on or has a report that holds")
	o.analysisFlags.add(c)
}

func (o *analyzeOptions) run(c *cobra.Command, args []string) error {
	in, err := o.input(c.Context(), args)
	if err != nil {
		return err
	}
	return o.with(c, func(ctx context.Context, d *desk) error {
		if err := d.adopt(ctx, in.From); err != nil {
			return err
		}
		in.NoModel, in.Models, in.Where, in.Lang, in.Setup = d.models == nil, d.names(), d.where(), d.lang(), d.setup()
		out, err := d.runner.Analyze(ctx, in, d.options(o.Fresh))
		if out.Kept {
			fmt.Fprintf(d.watch, "repomind: issue and commit are as they were in run %s; --fresh starts anew\n", out.Run)
		}
		return d.finish(ctx, out, err)
	})
}

// finish asks the person if the run waits for one, and prints the report.
func (d *desk) finish(ctx context.Context, out run.Outcome, err error) error {
	for err == nil && out.Asks != nil {
		decision, asked := d.ask(ctx, out)
		if ctx.Err() != nil {
			return stopped{out.Run, context.Cause(ctx)}
		}
		if !asked {
			return waiting{out}
		}
		out, err = d.runner.Decide(ctx, out.Run, decision, decision.By, d.options(false))
	}
	if err != nil {
		return stopped{out.Run, err}
	}
	if out.Review != nil {
		return d.deliverReview(*out.Review)
	}
	return d.deliver(out.Report)
}

// stopped is a run that broke off, and how to go on with it.
type stopped struct {
	run string
	error
}

func (s stopped) Unwrap() error { return s.error }

func (s stopped) Error() string {
	if s.run == "" {
		return s.error.Error()
	}
	return fmt.Sprintf("%v\nhint: repomind resume %s goes on from there", s.error, s.run)
}

// waiting is a run that waits for a person.
type waiting struct{ run.Outcome }

func (w waiting) Error() string {
	return fmt.Sprintf("%s waits for a person: %s\nhint: repomind resume %s --approve, or --reject --note WHY", w.Run, line(w.Asks.Question.Why), w.Run)
}

// short is a report that does not say all that was asked.
type short struct{ why string }

func (s short) Error() string { return s.why }

// deliver writes the report to where it was asked for.
func (d *desk) deliver(a report.Analysis) error {
	if err := d.write(func(w io.Writer, f report.Format, o report.Options) error { return report.Write(w, f, a, o) }); err != nil {
		return err
	}
	d.summary(a.Usage, a.Duration)
	switch {
	case a.Status == report.Partial:
		return short{"the analysis is partial: " + string(a.StopReason)}
	case a.RootCause != nil && a.RootCause.Class == report.Inconclusive:
		return short{"the root cause could not be determined"}
	case a.Answer != nil && a.Answer.Usage+a.Answer.Design == "":
		return short{"the question was not answered; the report says where to read"}
	case a.Feature != nil && a.Feature.Exists == "unknown":
		return short{"whether it exists could not be determined; the report says where to look"}
	case a.Status == report.Completed && a.RootCause == nil && a.Confidence < 0.7:
		return short{fmt.Sprintf("the answer is not sure: confidence %.2f, below 0.7", a.Confidence)}
	}
	return nil
}

// summary is the last line on standard error: what the models took.
func (d *desk) summary(u report.Usage, millis int64) {
	took := elapsed(time.Duration(millis) * time.Millisecond)
	if d.watch.json || d.watch.quiet {
		return
	}
	if u.Calls == 0 {
		fmt.Fprintf(d.watch, "no model was called · %s\n", took)
		return
	}
	cost := "cost unknown"
	if u.CostUSD != nil {
		cost = fmt.Sprintf("$%.3f", *u.CostUSD)
		if u.CostStatus == "estimated" {
			cost = "about " + cost
		}
	} else if name := u.Models["main"]; name != "" {
		cost = fmt.Sprintf("cost unknown (no price for %s)", name)
	}
	fmt.Fprintf(d.watch, "%d calls · %.1fk in (%.1fk cached) · %.1fk out · %s · %s\n",
		u.Calls, float64(u.Input)/1000, float64(u.Cached)/1000, float64(u.Output)/1000, cost, took)
}

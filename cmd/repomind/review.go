package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

type reviewOptions struct {
	analysisFlags
	Dir   string
	Diff  string
	Patch string
	At    string
	Since string
	Fresh bool
}

func newReview() *cobra.Command {
	opts := reviewOptions{}
	opts.parse = report.ParseReviewFormat
	c := &cobra.Command{
		Use:   "review [url]",
		Short: "Review a pull request, a range of commits, or a patch",
		Long: `Review a pull request of GitHub, a range of local commits, or a patch. Rules look first:
secrets, conflicts, rights of workflows, tests that are gone, callers that a changed signature
left behind. With a model, lenses for security, logic and style look, each finding is looked
up and somebody tries to refute it, and a critic judges the whole.

The verdict is a rule's: APPROVE only if all changed code was seen through every lens and
nothing failed; REQUEST CHANGES for an open finding from --fail-on on; INCONCLUSIVE for all
else, as without a model. Nothing is posted.

What a repository wants is in its .repomind.yml, as the base has it; see docs/review.md.

Exit codes: 0 approved, 1 changes requested, 5 inconclusive, 2 wrong usage, 3 a failure of
network or disk, 4 no access, 130 interrupted.`,
		Example: `  repomind https://github.com/psf/requests/pull/6710
  repomind review --repo-dir . --diff main...HEAD --format github
  git diff | repomind review --repo-dir . --patch - --no-llm`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return opts.run(c, args) },
	}
	flags := c.Flags()
	flags.StringVar(&opts.Dir, "repo-dir", "", "a local repository; it is cloned from, never used in place (default . with --diff and --patch)")
	flags.StringVar(&opts.Diff, "diff", "", "a range of its commits, base...head")
	flags.StringVar(&opts.Patch, "patch", "", "a patch in a file, - for standard input")
	flags.StringVar(&opts.At, "at", "", "the commit, branch or tag that the patch is for (default HEAD)")
	flags.StringVar(&opts.Since, "since", "", "the full name of the head of an earlier review: look at what changed since, and carry its findings on")
	flags.BoolVar(&opts.Fresh, "fresh", false, "start anew, even if a run on the same commits can go on or has a report that holds")
	flags.String("fail-on", "high", "the severity from which a finding asks for changes: none, low, medium, high or critical")
	flags.Float64("min-confidence", 0.7, "how sure a finding has to be to be reported, 0 to 1")
	flags.Int("max-findings", 10, "the most findings of a report, the worst first; 0 is no limit")
	flags.StringSlice("include", nil, "globs of the files that are reviewed (default all)")
	flags.StringSlice("exclude", nil, "globs of files that are not reviewed")
	flags.StringSlice("lens", nil, "lenses of the model: security, style, logic (default all)")
	c.MarkFlagsMutuallyExclusive("diff", "patch")
	opts.analysisFlags.add(c)
	return c
}

func (o *reviewOptions) run(c *cobra.Command, args []string) error {
	if o.Since != "" {
		if _, err := source.ParseCommit(o.Since); err != nil {
			return usageError{fmt.Errorf("--since: %w", err)}
		}
	}
	if o.At != "" && o.Patch == "" {
		return usageError{errors.New("--at belongs to --patch; a range says its commits itself")}
	}
	return o.with(c, func(ctx context.Context, d *desk) error {
		in, err := o.input(ctx, d, args)
		if err != nil {
			return err
		}
		if err := d.adopt(ctx, in.From); err != nil {
			return err
		}
		in.NoModel, in.Models, in.Where, in.Lang, in.Policy = d.models == nil, d.names(), d.where(), d.lang(), d.asked()
		out, err := d.runner.Review(ctx, in, d.options(o.Fresh))
		if out.Kept {
			fmt.Fprintf(d.watch, "repomind: the change is as it was in run %s; --fresh starts anew\n", out.Run)
		}
		return d.finish(ctx, out, err)
	})
}

// blocked is a review that asks for changes.
type blocked struct{ why string }

func (b blocked) Error() string { return b.why }

// deliverReview writes the report to where it was asked for.
func (d *desk) deliverReview(r report.Review) error {
	if err := d.write(func(w io.Writer, f report.Format, o report.Options) error { return report.WriteReview(w, f, r, o) }); err != nil {
		return err
	}
	d.summary(r.Usage, r.Duration)
	switch r.Verdict {
	case report.RequestChanges:
		return blocked{"changes are requested: " + r.VerdictWhy[0]}
	case report.Undecided:
		return short{"the review is inconclusive: " + r.VerdictWhy[0]}
	}
	return nil
}

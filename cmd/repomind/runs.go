package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
)

func newRuns() *cobra.Command {
	c := &cobra.Command{
		Use:   "runs",
		Short: "List, show, export and delete runs",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newRunsList(), newRunsShow(), newRunsGraph(), newRunsExport(), newRunsDelete())
	return c
}

func newRunsList() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the runs, those touched last first",
		Example: "  repomind runs list",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRuns(c, func(ctx context.Context, r *run.Runner) error {
				all, err := r.List(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.OutOrStdout(), all)
				}
				return printRuns(c.OutOrStdout(), c.ErrOrStderr(), all)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func newRunsShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "show RUN",
		Short:   "Show how far a run is, what it waits for, and what its nodes took",
		Example: "  repomind runs show requests-6859-k3f9",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withRuns(c, func(ctx context.Context, r *run.Runner) error {
				shown, err := r.Show(ctx, args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.OutOrStdout(), shown)
				}
				return printRun(c.OutOrStdout(), shown)
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with the report")
	return c
}

func newRunsGraph() *cobra.Command {
	var ofReview bool
	c := &cobra.Command{
		Use:     "graph",
		Short:   "Draw the workflow of an analysis, or with --review of a review, in Mermaid's language",
		Example: "  repomind runs graph > workflow.mmd",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withRuns(c, func(_ context.Context, r *run.Runner) error {
				drawn := r.Graph()
				if ofReview {
					drawn = r.ReviewGraph()
				}
				_, err := io.WriteString(c.OutOrStdout(), drawn)
				return err
			})
		},
	}
	c.Flags().BoolVar(&ofReview, "review", false, "that of reviews")
	return c
}

func newRunsExport() *cobra.Command {
	return &cobra.Command{
		Use:     "export RUN",
		Short:   "Print all that a run knew after each step, as JSON Lines",
		Example: "  repomind runs export requests-6859-k3f9 > run.jsonl",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withRuns(c, func(ctx context.Context, r *run.Runner) error { return r.Export(ctx, args[0], c.OutOrStdout()) })
		},
	}
}

func newRunsDelete() *cobra.Command {
	return &cobra.Command{
		Use:     "delete RUN...",
		Short:   "Forget runs and their reports",
		Example: "  repomind runs delete requests-6859-k3f9",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withRuns(c, func(ctx context.Context, r *run.Runner) error {
				for _, id := range args {
					if err := r.Delete(ctx, id); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// withRuns opens the runs for a command that starts none.
func withRuns(c *cobra.Command, do func(context.Context, *run.Runner) error) (err error) {
	dir, err := stateDir()
	if err != nil {
		return err
	}
	r, err := run.Open(c.Context(), run.Config{Dir: dir})
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // it was only read, or all is stored
	return do(c.Context(), r)
}

func printJSON(w io.Writer, v any) error {
	return report.Encode(w, v)
}

func printRuns(out, notes io.Writer, all []run.Info) error {
	if len(all) == 0 {
		fmt.Fprintln(notes, "repomind: there are no runs yet")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tSTATUS\tRESULT\tTOUCHED\tABOUT")
	for _, r := range all {
		about := line(r.Subject + "  " + r.Title)
		if r.Problem != "" && r.Subject == "" {
			about = line(r.Problem)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Run, r.Status, r.Result, r.Updated.Local().Format("2006-01-02 15:04"), about)
	}
	return w.Flush()
}

func printRun(out io.Writer, r run.Shown) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s\t%s\n", name, line(value))
		}
	}
	row("run", r.Run)
	row("about", r.Subject+"  "+r.Title)
	row("status", string(r.Status))
	row("began", r.Began.Local().Format(time.DateTime))
	row("touched", r.Updated.Local().Format(time.DateTime))
	row("result", r.Result)
	for _, n := range r.Next {
		row("next", spoken(n))
	}
	row("failed", r.Problem)
	if r.Asks != nil {
		row("waits", r.Asks.Question.Why)
		row("answer", fmt.Sprintf("repomind resume %s --approve, or --reject --note WHY", r.Run))
	}
	for _, a := range r.Answers {
		row("answered", fmt.Sprintf("by %s at %s", a.Who, a.At.Local().Format(time.DateTime)))
	}
	if len(r.Times) > 0 {
		fmt.Fprintln(w, "\nNODE\tTOOK")
		for _, name := range inOrder(r.Times) {
			fmt.Fprintf(w, "%s\t%s\n", spoken(name), elapsed(r.Times[name]))
		}
	}
	return w.Flush()
}

// inOrder are the nodes, what took longest first.
func inOrder(times map[string]time.Duration) []string {
	names := slices.Collect(maps.Keys(times))
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	return names
}

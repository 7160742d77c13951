package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/llm"
)

func newModels() *cobra.Command {
	c := &cobra.Command{
		Use:   "models",
		Short: "List the providers of models and the prices, or check a model",
		Long: `List the providers of models, which of them have a key, and the table of prices. A
model is named provider/name, as deepseek/deepseek-chat. Keys are read from the
environment and never printed.`,
		Example: `  repomind models
  repomind models check --model ollama/qwen3`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return listModels(c.OutOrStdout(), os.Getenv) },
	}
	c.AddCommand(newModelsCheck(), newModelsPull())
	return c
}

func listModels(out io.Writer, getenv func(string) string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "PROVIDER\tKEY\tSET\tADDRESS")
	for _, p := range llm.Providers() {
		key, where := providerEnv(p.Name, getenv)
		set := "yes"
		if key.IsZero() {
			set = "no"
		}
		if where = address(llm.Config{Provider: p.Name, BaseURL: where}); where == "" {
			where = "(--base-url)"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Name, keyVariable(p.Name), set, where)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printPrices(out)
}

func printPrices(out io.Writer) error {
	fmt.Fprintf(out, "\nPrices in US dollars for a million tokens, as of %s:\n\n", llm.PricesAsOf)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "MODEL\tINPUT\tCACHED\tOUTPUT")
	prices := llm.DefaultPrices()
	for _, name := range slices.Sorted(maps.Keys(prices)) {
		p := prices[name]
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\n", name, p.Input, p.Cached, p.Output)
	}
	return w.Flush()
}

func newModelsCheck() *cobra.Command {
	var flags modelFlags
	var format string
	var vision bool
	c := &cobra.Command{
		Use:   "check",
		Short: "Call a model, and say what works with it",
		Long: `Call a model for real, and say what works with it: answers, streaming, answers with a
type, tool calls, and what is known of its tokens and price. It takes about seven short
calls. Each is made once, so that what fails is seen.

The report goes to stdout even if something fails; then the exit code is 3, or 4 where
the key is missing or refused.`,
		Example: `  repomind models check
  repomind models check --model compatible/gemma --base-url http://localhost:8080/v1
  repomind models check --model openai/gpt-5-mini --vision --format json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return checkModels(c, flags, vision, format) },
	}
	flags.add(c)
	c.Flags().BoolVar(&vision, "vision", false, "show the model for images a picture too")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

// once keeps a failed call from being made again.
const once = -1

func checkModels(c *cobra.Command, flags modelFlags, vision bool, format string) error {
	if format != "text" && format != "json" {
		return usageError{fmt.Errorf("--format is %q; it must be text or json", format)}
	}
	set, err := flags.open(os.Getenv, once, c.ErrOrStderr())
	if err != nil {
		return err
	}
	start := time.Now()
	all, err := set.check(c.Context(), vision, os.Getenv, c.ErrOrStderr())
	if err != nil {
		return err
	}
	took, spent := time.Since(start), set.Budget.Spent()
	if format == "json" {
		err = printChecksJSON(c.OutOrStdout(), all, spent, took)
	} else {
		err = printChecks(c.OutOrStdout(), all)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "%s · %s\n", spent, seconds(took))
	return verdictOf(all)
}

// verdictOf is an error with the first cause where something failed.
func verdictOf(all []checked) error {
	for _, c := range all {
		if r, bad := c.failed(); bad {
			return fmt.Errorf("%s: %s: %w", c.Model, r.Name, r.err)
		}
	}
	return nil
}

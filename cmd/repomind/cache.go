package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

func newCacheCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "cache",
		Short: "List or remove the clones that are kept",
		Long: `List the clones that are kept between runs, the one used last first. They are made
again when needed, so nothing is lost by removing them.`,
		Example: `  repomind cache
  repomind cache clear
  repomind cache clear github.com+python+mypy.git`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cache, err := newCache(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			kept, err := cache.List()
			if err != nil {
				return err
			}
			return printKept(c.OutOrStdout(), kept)
		},
	}
	c.AddCommand(newCacheClear())
	return c
}

func newCacheClear() *cobra.Command {
	return &cobra.Command{
		Use:     "clear [name...]",
		Short:   "Remove clones by name, or all that are not in use",
		Example: "  repomind cache clear",
		RunE: func(c *cobra.Command, names []string) error {
			cache, err := newCache(c.Context(), c.ErrOrStderr())
			if err != nil {
				return err
			}
			if len(names) == 0 {
				return cache.Evict(0)
			}
			for _, name := range names {
				if err := cache.Remove(name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func printKept(out io.Writer, kept []repo.Kept) error {
	if len(kept) == 0 {
		_, err := fmt.Fprintln(out, "no clones are kept")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSIZE\tLAST USED\tFROM")
	for _, k := range kept {
		used, from := k.Used.Format("2006-01-02 15:04"), source.Quote(k.Origin)
		if k.Origin == "" {
			used, from = "-", "(broken off)"
		}
		if k.InUse {
			from += " (in use)"
		}
		fmt.Fprintf(w, "%s\t%.1f MB\t%s\t%s\n", k.Name, float64(k.Size)/1e6, used, from)
	}
	return w.Flush()
}

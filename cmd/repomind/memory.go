package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/settings"
	"github.com/repomind/repomind/memory"
)

func newMemory() *cobra.Command {
	c := &cobra.Command{
		Use:   "memory",
		Short: "List, show and forget what past runs taught",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newMemoryList(), newMemoryShow(), newMemoryForget())
	return c
}

func newMemoryList() *cobra.Command {
	var repo string
	var asJSON bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the lessons, the newest first",
		Example: "  repomind memory list --repo github.com/psf/requests",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return withMemory(retrieval{}, func(s *memory.Store) error {
				all, err := s.List(c.Context(), memory.Filter{Repo: repo})
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.OutOrStdout(), append([]memory.Lesson{}, all...))
				}
				return printLessons(c.OutOrStdout(), c.ErrOrStderr(), all)
			})
		},
	}
	c.Flags().StringVar(&repo, "repo", "", "only of this repository, as the list names it")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func newMemoryShow() *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show a lesson",
		Example: "  repomind memory show 3",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			id, err := lessonID(args[0])
			if err != nil {
				return err
			}
			return withMemory(retrieval{}, func(s *memory.Store) error {
				l, err := s.Get(c.Context(), id)
				if err != nil {
					return err
				}
				return printLesson(c.OutOrStdout(), l)
			})
		},
	}
}

func newMemoryForget() *cobra.Command {
	var repo string
	var all bool
	c := &cobra.Command{
		Use:   "forget [ID...]",
		Short: "Forget lessons: some, those of a repository, or all",
		Example: `  repomind memory forget 3 4
  repomind memory forget --repo psf/requests`,
		RunE: func(c *cobra.Command, args []string) error {
			chosen := 0
			for _, is := range []bool{len(args) > 0, repo != "", all} {
				if is {
					chosen++
				}
			}
			if chosen != 1 {
				return usageError{fmt.Errorf("give one of IDs, --repo and --all")}
			}
			var ids []int64
			for _, arg := range args {
				id, err := lessonID(arg)
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			set, err := loadSettings(c, settings.File{}, io.Discard) // vectors go as well
			if err != nil {
				return err
			}
			return withMemory(retrieval{Vectors: set.Vectors, Store: chromaURL(set.Vector)}, func(s *memory.Store) error {
				n, err := forget(c.Context(), s, ids, repo)
				fmt.Fprintf(c.ErrOrStderr(), "repomind: forgot %s\n", count(n, "lesson"))
				return err
			})
		},
	}
	c.Flags().StringVar(&repo, "repo", "", "all of this repository, as the list names it")
	c.Flags().String("vectors", "none", "what vectors of lessons were made with, so that they go too: minilm, openai/MODEL or ollama/MODEL")
	c.Flags().String("vector", "", "the Chroma server that holds them, as chroma://localhost:8000 (default files)")
	c.Flags().BoolVar(&all, "all", false, "all of them")
	return c
}

func lessonID(arg string) (int64, error) {
	id, err := strconv.ParseInt(arg, 10, 64)
	if err != nil || id < 1 {
		return 0, usageError{fmt.Errorf("%q is no number of a lesson; repomind memory list shows them", arg)}
	}
	return id, nil
}

func withMemory(search retrieval, do func(*memory.Store) error) error {
	dir, err := stateDir()
	if err != nil {
		return err
	}
	s, err := openMemory(dir, search)
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // all is stored
	return do(s)
}

func printLessons(out, notes io.Writer, all []memory.Lesson) error {
	if len(all) == 0 {
		fmt.Fprintln(notes, "repomind: there are no lessons yet")
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tREPOSITORY\tCLASS\tSAVED\tABOUT")
	for _, l := range all {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", l.ID, line(l.Repo), l.Class, l.Saved.Local().Format(time.DateOnly), line(l.Title))
	}
	return w.Flush()
}

func printLesson(out io.Writer, l memory.Lesson) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, row := range [][2]string{
		{"lesson", strconv.FormatInt(l.ID, 10)}, {"repository", l.Repo}, {"run", l.Run}, {"about", l.Title},
		{"class", fmt.Sprintf("%s, confidence %.2f", l.Class, l.Confidence)}, {"commit", l.Commit},
		{"saved", l.Saved.Local().Format(time.DateTime)}, {"files", strings.Join(l.Files, ", ")},
	} {
		fmt.Fprintf(w, "%s\t%s\n", row[0], line(row[1]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for text := range strings.Lines(l.Text) {
		if _, err := fmt.Fprintln(out, line(text)); err != nil {
			return err
		}
	}
	return nil
}

// forget takes the lessons away that are named, or those of a repository, or all.
func forget(ctx context.Context, s *memory.Store, ids []int64, repo string) (n int, err error) {
	if len(ids) == 0 && repo == "" {
		return s.Clear(ctx)
	}
	if repo != "" {
		return s.Forget(ctx, memory.Filter{Repo: repo})
	}
	for _, id := range ids {
		gone, err := s.Forget(ctx, memory.Filter{ID: id})
		if err == nil && gone == 0 {
			err = fmt.Errorf("%w: %d", memory.ErrNotFound, id)
		}
		if err != nil {
			return n, err
		}
		n += gone
	}
	return n, nil
}

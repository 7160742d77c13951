package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/settings"
)

func newConfig() *cobra.Command {
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the settings and where they come from",
		Args:  cobra.NoArgs,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newConfigShow())
	return c
}

func newConfigShow() *cobra.Command {
	var sources bool
	var dir string
	c := &cobra.Command{
		Use:   "show",
		Short: "Show all settings, with --sources where each value comes from",
		Long: `Show all settings. A flag goes before a variable REPOMIND_*, that before .repomind.yml on the
base branch of the repository that is looked at, that before config.yml of the user in
$XDG_CONFIG_HOME/repomind, and that before the default.`,
		Example: `  repomind config show --sources
  repomind config show --sources --repo-dir .`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			file, err := committedFile(c.Context(), dir, c.ErrOrStderr())
			if err != nil {
				return err
			}
			s, err := loadSettings(c, file, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return printSettings(c.OutOrStdout(), s, sources)
		},
	}
	c.Flags().BoolVar(&sources, "sources", false, "say where each value comes from")
	c.Flags().StringVar(&dir, "repo-dir", "", "a local repository whose .repomind.yml counts, as its HEAD has it")
	return c
}

func printSettings(out io.Writer, s settings.Loaded, sources bool) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, row := range s.Table() {
		value := row.Value
		if value == "" {
			value = "-"
		}
		if sources {
			fmt.Fprintf(w, "%s\t%s\t%s\n", row.Name, line(value), row.Source)
		} else {
			fmt.Fprintf(w, "%s\t%s\n", row.Name, line(value))
		}
	}
	return w.Flush()
}

// committedFile is the .repomind.yml of a local repository; none if dir is empty.
func committedFile(ctx context.Context, dir string, progress io.Writer) (settings.File, error) {
	if dir == "" {
		return settings.File{}, nil
	}
	from, err := directory(dir)
	if err != nil {
		return settings.File{}, err
	}
	cache, err := newCache(ctx, progress)
	if err != nil {
		return settings.File{}, err
	}
	clone, err := cache.Open(ctx, from)
	if err != nil {
		return settings.File{}, err
	}
	defer clone.Close()
	return repoFile(ctx, clone, "HEAD")
}

// repoFile is .repomind.yml as a branch has it, empty if there is none.
func repoFile(ctx context.Context, clone *repo.Clone, branch string) (settings.File, error) {
	at, err := clone.Resolve(ctx, branch)
	if err != nil {
		return settings.File{}, err
	}
	s, err := clone.Snapshot(ctx, at)
	if err != nil {
		return settings.File{}, err
	}
	data, err := s.Read(ctx, settings.RepoName)
	if errors.Is(err, repo.ErrNotExist) {
		return settings.File{}, nil
	}
	return settings.File{Name: settings.RepoName, Data: data}, err
}

// loadSettings reads the settings for a command: its flags, the environment, the
// repository's file and the user's. Warnings go to progress.
func loadSettings(c *cobra.Command, committed settings.File, progress io.Writer) (settings.Loaded, error) {
	in, err := sources(c)
	if err != nil {
		return settings.Loaded{}, err
	}
	in.RepoFile = committed
	s, warnings, err := settings.Load(in)
	for _, w := range warnings {
		fmt.Fprintf(progress, "repomind: %s\n", w)
	}
	if err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// sources are where the settings of a command come from, but for the repository's file.
func sources(c *cobra.Command) (settings.Input, error) {
	in := settings.Input{Flags: map[string]string{}, Getenv: os.Getenv, Environ: os.Environ()}
	known := map[string]bool{}
	for _, n := range settings.Names() {
		known[n.Name] = true
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if list, ok := f.Value.(pflag.SliceValue); ok && known[f.Name] {
			in.Flags[f.Name] = strings.Join(list.GetSlice(), ",")
		} else if known[f.Name] {
			in.Flags[f.Name] = f.Value.String()
		}
	})
	var err error
	in.UserFile, err = userFile()
	return in, err
}

// userFile is the user's config.yml, empty if there is none.
func userFile() (settings.File, error) {
	dir := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil {
			return settings.File{}, nil // there is no home and so no file
		}
		dir = filepath.Join(home, ".config")
	}
	name := filepath.Join(dir, "repomind", "config.yml")
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return settings.File{}, nil
	}
	if err != nil {
		return settings.File{}, err
	}
	defer f.Close()      //nolint:errcheck // it was only read
	const most = 1 << 20 // settings.Load says what is too large
	data, err := io.ReadAll(io.LimitReader(f, most))
	return settings.File{Name: name, Data: data}, err
}

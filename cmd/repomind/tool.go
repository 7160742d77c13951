package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/tools"
)

type toolOptions struct {
	Dir  string
	Repo string
	At   string
}

func newTool() *cobra.Command {
	var opts toolOptions
	c := &cobra.Command{
		Use:    "tool [name] [arguments]",
		Short:  "Call one of the tools that a model has, by hand",
		Hidden: true,
		Long: `Call one of the tools that a model has, by hand, and print what the model would get.
The arguments are one JSON object. With no name, the tools are listed; with no
arguments, the tool is described.`,
		Example: `  repomind tool grep_code --repo-dir . '{"pattern": "TODO"}'
  repomind tool read_file --repo python/mypy --at v1.10.0 '{"path": "setup.py"}'`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return runTool(c, opts, args) },
	}
	c.Flags().StringVar(&opts.Dir, "repo-dir", "", "a local repository to look into; it is cloned from, never used in place")
	c.Flags().StringVar(&opts.Repo, "repo", "", "a repository on GitHub to look into, owner/name")
	c.Flags().StringVar(&opts.At, "at", "", "the commit, branch or tag to look at (default the newest commit)")
	return c
}

func runTool(c *cobra.Command, opts toolOptions, args []string) error {
	out := c.OutOrStdout()
	if len(args) < 2 {
		return describe(out, args)
	}
	if _, err := findTool(args[0]); err != nil {
		return err
	}
	from, err := opts.origin()
	if err != nil {
		return err
	}
	w, closeIt, err := newWorkspace(c.Context(), from, opts.At, c.ErrOrStderr())
	if err != nil {
		return explainOrigin(from, err)
	}
	defer closeIt()
	warnUnsaved(c, w.Snapshot)
	result := tools.All(w).Call(c.Context(), args[0], json.RawMessage(args[1]))
	if result.Failed {
		return usageError{errors.New(result.Text)}
	}
	_, err = io.WriteString(out, result.Text)
	return err
}

func (o toolOptions) origin() (repo.Origin, error) {
	owner, name, ok := strings.Cut(o.Repo, "/")
	switch {
	case (o.Dir == "") == (o.Repo == ""):
		return repo.Origin{}, usageError{errors.New("give either --repo-dir DIRECTORY or --repo OWNER/NAME")}
	case o.Dir != "":
		return directory(o.Dir)
	case !ok:
		return repo.Origin{}, usageError{fmt.Errorf("--repo %q is not OWNER/NAME", o.Repo)}
	}
	r, err := source.NewRepo("", owner, name)
	if err != nil {
		err = usageError{err}
	}
	return repo.Origin{Repo: r}, err
}

// directory is the origin that --repo-dir names. A run may be resumed from elsewhere, so
// that it is absolute.
func directory(dir string) (repo.Origin, error) {
	if _, err := os.Stat(dir); err != nil {
		return repo.Origin{}, usageError{fmt.Errorf("--repo-dir: %w", err)}
	}
	dir, err := filepath.Abs(dir)
	return repo.Origin{Dir: dir}, err
}

// explainOrigin takes a directory that holds no repository for wrong use. On a host,
// the same is a matter of permission.
func explainOrigin(from repo.Origin, err error) error {
	if from.Dir != "" && errors.Is(err, repo.ErrAccess) {
		return usageError{err}
	}
	return err
}

// warnUnsaved says what the directory has and the commit has not.
func warnUnsaved(c *cobra.Command, s *repo.Snapshot) {
	unsaved, err := s.Unsaved(c.Context())
	if err != nil {
		fmt.Fprintf(c.ErrOrStderr(), "repomind: uncommitted changes, if any, are not seen (%v)\n", err)
	}
	if len(unsaved) > 0 {
		names := source.Quote(unsaved[0])
		if len(unsaved) > 1 {
			names += fmt.Sprintf(" and %d more", len(unsaved)-1)
		}
		fmt.Fprintf(c.ErrOrStderr(), "repomind: uncommitted changes are not seen: %s\n", names)
	}
}

// describe lists the tools, or shows one as a model sees it.
func describe(out io.Writer, args []string) error {
	if len(args) == 0 {
		for _, t := range everyTool() {
			line, _, _ := strings.Cut(t.Description, "\n")
			first, _, _ := strings.Cut(line, ". ")
			if _, err := fmt.Fprintf(out, "%-16s %s.\n", t.Name, strings.TrimSuffix(first, ".")); err != nil {
				return err
			}
		}
		return nil
	}
	t, err := findTool(args[0])
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n\n%s\n", t.Description, t.Schema)
	return err
}

// everyTool gives the tools without a repository, to be described.
func everyTool() tools.Set { return tools.All(tools.Workspace{Dependencies: libraries{}}) }

func findTool(name string) (tools.Tool, error) {
	set := everyTool()
	for _, t := range set.Only(name) {
		return t, nil
	}
	return tools.Tool{}, usageError{fmt.Errorf("there is no tool %q; the tools are %s", name, strings.Join(set.Names(), ", "))}
}

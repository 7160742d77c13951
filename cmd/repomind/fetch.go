package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/github"
)

type fetchOptions struct {
	IssueFile string
	PullFile  string
	Dir       string
	Diff      string
}

func newFetch() *cobra.Command {
	var opts fetchOptions
	c := &cobra.Command{
		Use:    "fetch [url]",
		Short:  "Print an issue or pull request as RepoMind reads it",
		Hidden: true,
		Long: `Print an issue or pull request as RepoMind reads it, in JSON: from its address, from a
file, or made of a range of local commits. The last two need no network.`,
		Example: `  repomind fetch https://github.com/python/mypy/issues/1
  repomind fetch --issue-file crash.md
  repomind fetch --repo-dir . --diff main...HEAD`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			read, err := opts.read(c.Context(), args, c.ErrOrStderr())
			if err != nil {
				return err
			}
			out := json.NewEncoder(c.OutOrStdout())
			out.SetIndent("", "  ")
			out.SetEscapeHTML(false)
			return out.Encode(read)
		},
	}
	c.Flags().StringVar(&opts.IssueFile, "issue-file", "", "an issue in a file: Markdown, or JSON of the REST API")
	c.Flags().StringVar(&opts.PullFile, "pull-file", "", "a pull request in a file: JSON of the REST API")
	c.Flags().StringVar(&opts.Dir, "repo-dir", "", "a local repository")
	c.Flags().StringVar(&opts.Diff, "diff", "", "a range of its commits, base...head")
	c.MarkFlagsMutuallyExclusive("issue-file", "pull-file", "diff")
	c.MarkFlagsRequiredTogether("repo-dir", "diff")
	return c
}

// read gives a github.Issue or a github.PullRequest.
func (o fetchOptions) read(ctx context.Context, args []string, progress io.Writer) (any, error) {
	switch {
	case len(args) == 1 && o == fetchOptions{}:
		return fetchTarget(ctx, args[0], progress)
	case len(args) == 0 && o.IssueFile != "":
		data, err := readFile(ctx, o.IssueFile)
		if err != nil {
			return nil, err
		}
		return github.ReadIssueFile(o.IssueFile, data)
	case len(args) == 0 && o.PullFile != "":
		data, err := readFile(ctx, o.PullFile)
		if err != nil {
			return nil, err
		}
		return github.ReadPullRequestFile(o.PullFile, data)
	case len(args) == 0 && o.Diff != "":
		return localDiff(ctx, o.Dir, o.Diff, progress)
	}
	return nil, usageError{errors.New("give one of an address, --issue-file, --pull-file, and --repo-dir with --diff")}
}

func fetchTarget(ctx context.Context, address string, progress io.Writer) (any, error) {
	t, err := github.ParseTarget(address, os.Getenv("GH_HOST"))
	if err != nil {
		return nil, usageError{err}
	}
	client, err := newGitHub(ctx, t.Repo.HostName(), progress)
	if err != nil {
		return nil, err
	}
	if t, err = client.Resolve(ctx, t); err != nil {
		return nil, err
	}
	if t.Kind == github.KindPull {
		return client.PullRequest(ctx, t)
	}
	return client.Issue(ctx, t)
}

func localDiff(ctx context.Context, dir, span string, progress io.Writer) (any, error) {
	from, err := directory(dir)
	if err != nil {
		return nil, err
	}
	cache, err := newCache(ctx, progress)
	if err != nil {
		return nil, err
	}
	clone, err := cache.Open(ctx, from)
	if err != nil {
		return nil, explainOrigin(from, err)
	}
	defer clone.Close()
	return github.ReadLocalDiff(ctx, clone, span)
}

// readFile reads a file that is handed in, "-" for standard input. It returns when ctx
// ends, even from a terminal or a pipe where nothing comes: the goroutine that waits
// there ends with the process.
func readFile(ctx context.Context, name string) ([]byte, error) {
	var data []byte
	done := make(chan error, 1)
	go func() {
		var err error
		data, err = readAll(name)
		done <- err
	}()
	select {
	case err := <-done:
		return data, err
	case <-ctx.Done():
		return nil, fmt.Errorf("read %s: %w", name, context.Cause(ctx))
	}
}

func readAll(name string) ([]byte, error) {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, usageError{err}
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, github.MaxFile+1))
	switch {
	case errors.Is(err, syscall.EISDIR):
		return nil, usageError{err}
	case err != nil:
		return nil, fmt.Errorf("read the input: %w", err) // err names it
	}
	return data, nil
}

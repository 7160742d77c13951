// Command repomind reads a GitHub issue or pull request and says what is wrong,
// where, why, and how sure it is.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
)

func main() { os.Exit(run()) }

// The exit codes that scripts may rely on.
const (
	exitOK          = 0
	exitUsage       = 2 // wrong usage or configuration
	exitFailure     = 3 // network, disk, git
	exitAccess      = 4 // authentication or permission
	exitInterrupted = 130
)

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintln(os.Stderr, "repomind: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(os.Stderr, "repomind: %v\n", err)
	if !errors.As(err, new(failure)) {
		fmt.Fprintln(os.Stderr, "hint: repomind --help shows the commands")
	}
	return exitCode(err)
}

// failure is an error of a command's work. Other errors are of the command line, and
// cobra found them.
type failure struct{ error }

func (e failure) Unwrap() error { return e.error }

// usageError is wrong use that a command finds itself, and explains.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func exitCode(err error) int {
	switch {
	case errors.As(err, new(usageError)), errors.Is(err, repo.ErrNoCommit), !errors.As(err, new(failure)):
		return exitUsage
	case errors.Is(err, repo.ErrAccess), errors.Is(err, github.ErrAuth), errors.Is(err, github.ErrNotFound):
		return exitAccess
	}
	return exitFailure
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "repomind",
		Short:         "Find the root cause of an issue, review a pull request",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.AddCommand(newCacheCommand(), newFetch(), newTool(), newVersion())
	for _, c := range root.Commands() {
		markFailures(c)
	}
	return root
}

func markFailures(c *cobra.Command) {
	if work := c.RunE; work != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			if err := work(c, args); err != nil {
				return failure{err}
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		markFailures(sub)
	}
}

// Command repomind reads a GitHub issue or pull request and says what is wrong,
// where, why, and how sure it is.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/repo"
)

func main() { os.Exit(run()) }

// The exit codes that scripts may rely on. A signal ends the program with 128 and its
// number: 130 after Ctrl-C, 143 after SIGTERM.
const (
	exitOK      = 0
	exitUsage   = 2 // wrong usage or configuration
	exitFailure = 3 // network, disk, git
	exitAccess  = 4 // authentication or permission
	exitSignal  = 128
)

func run() int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // most commands end before their garbage matters
	}
	ctx := interruptible()
	out := &output{Writer: os.Stdout}
	root := newRoot()
	root.SetOut(out)
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = failure{fmt.Errorf("print the result: %w", out.err)}
	}
	if err == nil {
		return exitOK
	}
	if by := (interrupted{}); errors.As(context.Cause(ctx), &by) {
		fmt.Fprintf(os.Stderr, "repomind: %v\n", by)
		return exitSignal + int(by.Signal)
	}
	fmt.Fprintf(os.Stderr, "repomind: %v\n", err)
	if !errors.As(err, new(failure)) {
		fmt.Fprintln(os.Stderr, "hint: repomind --help shows the commands")
	}
	return exitCode(err)
}

// output keeps the first error of writing to it, as of a full disk: much that is
// printed, such as a help text, is printed by code that does not look.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// interrupted is the signal that ended a context.
type interrupted struct{ syscall.Signal }

func (i interrupted) Error() string {
	if i.Signal == syscall.SIGINT {
		return "interrupted"
	}
	return i.String()
}

// interruptible gives a context that ends at the first signal to stop. A second one
// ends the process at once, whatever it hangs on. What the parent ignores, as nohup
// and a shell's "&" have it, stays ignored.
func interruptible() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		if s, ok := (<-signals).(syscall.Signal); ok {
			signal.Stop(signals)
			cancel(interrupted{s})
		}
	}()
	return ctx
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
	case !errors.As(err, new(failure)), errors.As(err, new(usageError)),
		errors.Is(err, repo.ErrNoCommit), errors.Is(err, repo.ErrNoClone), errors.Is(err, github.ErrInput):
		return exitUsage
	case errors.Is(err, repo.ErrAccess), errors.Is(err, github.ErrAuth), errors.Is(err, github.ErrNotFound), errors.Is(err, llm.ErrAuth):
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
	root.AddCommand(newCacheCommand(), newFetch(), newIndex(), newModels(), newParse(), newTool(), newVersion())
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

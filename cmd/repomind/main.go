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
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/internal/settings"
	"github.com/repomind/repomind/memory"
)

func main() { os.Exit(execute()) }

// The exit codes that scripts may rely on. A signal ends the program with 128 and its
// number: 130 after Ctrl-C, 143 after SIGTERM.
const (
	exitOK       = 0
	exitFindings = 1 // a review that asks for changes
	exitUsage    = 2 // wrong usage or configuration
	exitFailure  = 3 // network, disk, git
	exitAccess   = 4 // authentication or permission
	exitPartial  = 5 // a report that does not say all that was asked
	exitWaiting  = 8 // for a person
	exitSignal   = 128
)

func execute() int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // most commands end before their garbage matters
	}
	ctx := interruptible()
	out := &output{Writer: os.Stdout}
	root := newRoot()
	root.SetOut(out)
	root.SetArgs(routed(root, os.Args[1:]))
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = failure{fmt.Errorf("print the result: %w", out.err)}
	}
	if err == nil {
		return exitOK
	}
	if by := (interrupted{}); errors.As(context.Cause(ctx), &by) {
		fmt.Fprintf(os.Stderr, "repomind: %v\n", by)
		if run := (stopped{}); errors.As(err, &run) && run.run != "" {
			fmt.Fprintf(os.Stderr, "hint: repomind resume %s goes on from there\n", run.run)
		}
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
	case errors.As(err, new(waiting)):
		return exitWaiting
	case errors.As(err, new(short)):
		return exitPartial
	case errors.As(err, new(blocked)):
		return exitFindings
	case !errors.As(err, new(failure)), errors.As(err, new(usageError)),
		errors.Is(err, repo.ErrNoCommit), errors.Is(err, repo.ErrNoClone), errors.Is(err, github.ErrInput),
		errors.Is(err, run.ErrUnknown), errors.Is(err, run.ErrNotWaiting), errors.Is(err, memory.ErrNotFound), errors.Is(err, settings.ErrFile):
		return exitUsage
	case errors.Is(err, repo.ErrAccess), errors.Is(err, github.ErrAuth), errors.Is(err, github.ErrNotFound), errors.Is(err, llm.ErrAuth):
		return exitAccess
	}
	return exitFailure
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "repomind [url]",
		Short: "Find the root cause of an issue, review a pull request",
		Long: `Find the root cause of a GitHub issue: where it is, why, and how sure that is. What a
report names was looked up in the repository; what could not be found out, it says.`,
		Example: `  repomind https://github.com/psf/requests/issues/6859
  repomind psf/requests#6859 --no-llm
  repomind analyze --issue-file crash.md --repo-dir .`,
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.AddCommand(newAnalyze(), newCacheCommand(), newConfig(), newDoctor(), newFetch(), newIndex(), newMemory(), newModels(), newParse(),
		newResume(), newReview(), newRuns(), newTool(), newVersion())
	for _, c := range root.Commands() {
		markFailures(c)
	}
	return root
}

// routed puts the command in front that an address means: repomind URL is repomind
// analyze URL, or repomind review URL for a pull request. owner/repo#N may be either and is
// taken for an issue.
func routed(root *cobra.Command, args []string) []string {
	if len(args) == 0 {
		return args
	}
	if c, _, err := root.Find(args[:1]); err == nil && c != root || strings.HasPrefix(args[0], "__") || args[0] == "help" {
		return args
	}
	for _, arg := range args {
		t, err := github.ParseTarget(arg, os.Getenv("GH_HOST"))
		switch {
		case err != nil:
		case t.Kind == github.KindPull:
			return append([]string{"review"}, args...)
		default:
			return append([]string{"analyze"}, args...)
		}
	}
	return args
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

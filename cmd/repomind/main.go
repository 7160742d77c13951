// Command repomind reads a GitHub issue or pull request and says what is wrong,
// where, why, and how sure it is.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run()) }

// The exit codes that scripts may rely on.
const (
	exitOK    = 0
	exitUsage = 2 // wrong usage or configuration
)

func run() int {
	if err := newRoot().Execute(); err != nil {
		fmt.Fprintf(os.Stderr, "repomind: %v\nhint: repomind --help shows the commands\n", err)
		return exitUsage
	}
	return exitOK
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
	root.AddCommand(newVersion())
	return root
}

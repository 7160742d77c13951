package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/code"
)

// newParse is the command that the index starts for itself, see [code.Config]. It
// only serves: it makes no index, so it starts no parsers.
func newParse() *cobra.Command {
	return &cobra.Command{
		Use:    "parse-files",
		Short:  "Parse files for the program itself",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return code.ServeParser(c.InOrStdin(), c.OutOrStdout())
		},
	}
}

// parserCommand starts this program as a parser. A parser that comes here all the
// same, such as a test binary that was taken for the program, starts no more of them.
func parserCommand() ([]string, error) {
	if os.Getenv(code.ParserVariable) != "" {
		return nil, errors.New("a parser was asked for an index")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program, to start it as a parser: %w", err)
	}
	return []string{self, newParse().Name()}, nil
}

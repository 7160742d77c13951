package code_test

import (
	"io"
	"os"
	"testing"

	"github.com/repomind/repomind/internal/code"
)

// TestMain lets the test binary stand in for the program that parses, well or badly.
// A test says how by a variable, in the command that it gives; what stands in runs
// no tests.
func TestMain(m *testing.M) {
	stand, ok := os.LookupEnv("CODE_TEST_PARSER")
	if !ok {
		os.Exit(m.Run())
	}
	switch stand {
	case "serve":
		if err := code.ServeParser(os.Stdin, os.Stdout); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	case "weary":
		code.ServeParser(os.Stdin, &weary{}) //nolint:errcheck // it dies before
	case "hang":
		os.Stdout.WriteString(code.Greeting)
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // it is killed
	case "die":
		os.Stdout.WriteString(code.Greeting)
	case "garbage":
		os.Stdout.WriteString(code.Greeting + "\x03abc")
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // it is killed
	case "endless":
		os.Stdout.WriteString(code.Greeting + "\xff\xff\xff\xff\x7f")
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // it is killed
	case "other":
		os.Stdout.WriteString("hello, I am no parser of yours\n")
	case "wrong":
		os.Stderr.WriteString("no such command\nusage: …\n")
		os.Exit(2)
	}
}

// weary writes the greeting and one answer, and ends the process.
type weary struct{ written int }

func (w *weary) Write(p []byte) (int, error) {
	if w.written++; w.written > 2 {
		os.Exit(1)
	}
	return os.Stdout.Write(p)
}

package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// git runs one command after another in one bare repository of ours.
type git struct {
	dir     string // the repository; "" for commands that need none
	token   string // taken out of error texts
	env     []string
	timeout time.Duration
}

// ErrLimit says that a command was stopped because it took too long or printed too
// much, as a repository that is built to do harm makes it.
var ErrLimit = errors.New("limit reached")

// A command that prints more than this is stopped; nothing that is read here needs
// it, as file contents come through batch.
const maxOutput = 256 << 20

// output runs a command and gives all that it prints.
func (g git) output(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	var out bytes.Buffer
	err := g.stream(ctx, stdin, args, func(r io.Reader) error {
		n, err := io.Copy(&out, io.LimitReader(r, maxOutput))
		if err == nil && n == maxOutput {
			err = fmt.Errorf("%w: git %s printed more than %d MB", ErrLimit, verb(args), maxOutput>>20)
		}
		return err
	})
	return out.Bytes(), err
}

// stream runs a command while read reads what it prints. If read gives an error the
// command is ended, and that error is the result.
func (g git) stream(ctx context.Context, stdin io.Reader, args []string, read func(io.Reader) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, g.timeout, fmt.Errorf("%w: git %s took longer than %v", ErrLimit, verb(args), g.timeout))
	defer cancel()
	cmd, stderr := g.command(ctx, args)
	cmd.Stdin = stdin
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run git: %w (is it installed?)", err)
	}
	done := make(chan struct{})
	defer close(done)
	context.AfterFunc(ctx, func() {
		select {
		case <-done:
		case <-time.After(grace):
			killGroup(cmd)
		}
	})
	failed := read(out)
	if failed != nil {
		cancel()
	}
	io.Copy(io.Discard, out) //nolint:errcheck // what follows an error is of no use
	err = cmd.Wait()
	switch {
	case failed != nil:
		return failed
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return &GitError{Command: verb(args), Err: err, Stderr: scrub(stderr.String(), g.token)}
	}
	return nil
}

// grace is what a git that is asked to end has to take its lock files away.
const grace = 3 * time.Second

func (g git) command(ctx context.Context, args []string) (*exec.Cmd, *tail) {
	full := settings
	if g.dir != "" {
		full = append([]string{"--git-dir=" + g.dir}, settings...)
	}
	cmd := exec.CommandContext(ctx, "git", append(full[:len(full):len(full)], args...)...)
	cmd.Dir = "/"
	cmd.Env = append(environment(""), g.env...)
	stderr := &tail{max: 4 << 10}
	cmd.Stderr = stderr
	cmd.WaitDelay = 5 * time.Second
	isolate(cmd)
	return cmd, stderr
}

func verb(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" {
			i++
		} else {
			return args[i]
		}
	}
	return ""
}

// GitError is a command of git that failed.
type GitError struct {
	Command string // its verb, such as fetch
	Err     error  // how it ended
	Stderr  string // the end of what it said, without tokens
}

func (e *GitError) Error() string {
	said := strings.TrimSpace(e.Stderr)
	if said == "" {
		return fmt.Sprintf("git %s: %v", e.Command, e.Err)
	}
	return fmt.Sprintf("git %s: %s", e.Command, printable(said))
}

func (e *GitError) Unwrap() error { return e.Err }

// printable keeps a repository's bytes from reaching a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '�'
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

// tail keeps the last bytes of what is written to it. The buffer is not embedded: io.Copy
// would find its ReadFrom, which knows no bound.
type tail struct {
	kept bytes.Buffer
	max  int
}

func (t *tail) Write(p []byte) (int, error) {
	t.kept.Write(p)
	if over := t.kept.Len() - t.max; over > 0 {
		t.kept.Next(over)
	}
	return len(p), nil
}

func (t *tail) String() string { return t.kept.String() }

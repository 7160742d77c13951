package code

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// child is a process that parses files one after the other. It belongs to one
// goroutine, which ends it.
type child struct {
	cmd    *exec.Cmd
	in     *bufio.Writer
	out    *bufio.Reader
	stderr head
}

// startTimeout is for a process to start and greet, on a machine that has much to do.
const startTimeout = 20 * time.Second

var errLate = errors.New("the parser took too long")

// startError is a process that cannot be started, or that is no parser.
type startError struct {
	command []string
	err     error
	stderr  string // its first line
}

func (e *startError) Unwrap() error { return e.err }

func (e *startError) Error() string {
	s := fmt.Sprintf("start the parser %s: %v", source.Quote(strings.Join(e.command, " ")), e.err)
	if e.stderr != "" {
		s += ": " + source.Quote(e.stderr)
	}
	return s
}

// startChild starts a process, which the end of ctx kills.
func startChild(ctx context.Context, command []string) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, command[0], command[1:]...)}
	c.cmd.Env = []string{ParserVariable + "=1"} // and none of the tokens of this process
	c.cmd.Stderr = &c.stderr
	c.cmd.WaitDelay = time.Second
	isolate(c.cmd)
	in, err := c.cmd.StdinPipe()
	out, err2 := c.cmd.StdoutPipe()
	if err := errors.Join(err, err2); err != nil {
		return nil, &startError{command: command, err: err}
	}
	if err := c.cmd.Start(); err != nil {
		return nil, &startError{command: command, err: err}
	}
	c.in, c.out = bufio.NewWriter(in), bufio.NewReader(out)
	if err := c.within(startTimeout, func() error { return readGreeting(c.out) }); err != nil {
		c.end()
		return nil, &startError{command, err, c.stderr.line()}
	}
	return c, nil
}

// within does work with the process, which is killed when the time is over: that
// ends all reading from it and writing to it.
func (c *child) within(limit time.Duration, work func() error) error {
	kill := time.AfterFunc(limit, func() { c.cmd.Process.Kill() }) //nolint:errcheck // it may have ended
	err := work()
	if !kill.Stop() {
		return errLate
	}
	return err
}

// record is the answer to one file.
func (c *child) record(lang source.Language, data []byte, limit time.Duration) (string, error) {
	var record []byte
	err := c.within(limit, func() (err error) {
		if err := writeParts(c.in, []byte(lang), data); err != nil {
			return err
		}
		record, err = readPart(c.out, maxAnswer)
		return err
	})
	return string(record), err
}

// end kills the process and waits for it. How it ended says no more than the reading
// before has said.
func (c *child) end() {
	c.cmd.Process.Kill() //nolint:errcheck // it may have ended
	c.cmd.Wait()         //nolint:errcheck // see above
}

// head keeps the start of what is written to it.
type head struct{ kept []byte }

func (h *head) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), 1000-len(h.kept))]...)
	return len(p), nil
}

func (h *head) line() string {
	line, _, _ := strings.Cut(string(h.kept), "\n")
	return line
}

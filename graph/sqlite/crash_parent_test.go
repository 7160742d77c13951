//go:build linux

package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// child is a process that does a job.
type child struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.Writer
	out  *bufio.Reader
	errs bytes.Buffer
	wait func() error
}

const (
	patience = 30 * time.Second // for anything that must happen
	lifetime = 5 * time.Minute  // of a child
)

var kills atomic.Int64 // of children in all

func start(t *testing.T, j job) *child {
	t.Helper()
	if _, ok := os.LookupEnv(childEnv); ok {
		panic("a child must not start a child")
	}
	data, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), lifetime)
	c := &child{t: t, cmd: exec.CommandContext(ctx, exe)}
	// The race detector would sleep for a second at each exit.
	c.cmd.Env = append(os.Environ(), childEnv+"="+string(data), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	c.cmd.Stderr = &c.errs
	in, inErr := c.cmd.StdinPipe()
	out, outErr := c.cmd.StdoutPipe()
	if inErr != nil || outErr != nil {
		t.Fatal(inErr, outErr)
	}
	c.in, c.out, c.wait = in, bufio.NewReader(out), sync.OnceValue(c.cmd.Wait)
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = c.wait() })
	return c
}

// line is what the child says next, and empty when it has ended.
func (c *child) line() string {
	s, _ := c.out.ReadString('\n')
	return strings.TrimSuffix(s, "\n")
}

func (c *child) want(lines ...string) {
	c.t.Helper()
	for _, want := range lines {
		if got := c.line(); got != want {
			_ = c.cmd.Process.Kill()
			_ = c.wait()
			c.t.Fatalf("child said %q, want %q\n%s", got, want, &c.errs)
		}
	}
}

func (c *child) tell(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

// end waits for the end of the child and gives its last line, or reports that it
// was killed. Any other end is a failure.
func (c *child) end() (last string, dead bool) {
	c.t.Helper()
	for s := c.line(); s != ""; s = c.line() {
		last = s
	}
	if err := c.wait(); err == nil {
		return last, false
	}
	if s := c.cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
		c.t.Fatalf("child ended with %v after %q\n%s", c.cmd.ProcessState, last, &c.errs)
	}
	kills.Add(1)
	return last, true
}

// finish waits for the child to end with the verdict "done".
func (c *child) finish() {
	c.t.Helper()
	if last, dead := c.end(); dead || last != "done" {
		c.t.Fatalf("child ended with %q, killed %v; want it done\n%s", last, dead, &c.errs)
	}
}

// state is the letter of the process in /proc.
func (c *child) state() string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])[0])
}

// eventually waits until what is the case.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}

//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// isolate puts a client and what it starts in a process group of their own, which is
// ended as a whole.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { end(cmd); return nil }
}

// end ends all that is left of the group. It may be gone.
func end(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } //nolint:errcheck // see above

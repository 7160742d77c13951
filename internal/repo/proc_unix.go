//go:build unix

package repo

import (
	"os/exec"
	"syscall"
)

// nonBlock keeps the opening of a pipe from waiting for a writer.
const nonBlock = syscall.O_NONBLOCK

// isolate puts git and the helpers that it starts in a process group of their own,
// which ends as a whole.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

//go:build unix

package repo

import (
	"os/exec"
	"syscall"
)

// nonBlock keeps the opening of a pipe from waiting for a writer.
const nonBlock = syscall.O_NONBLOCK

// isolate puts git and the helpers that it starts in a process group of their own,
// which is asked to end as a whole: git then takes its lock files along.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = attributes()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } //nolint:errcheck // it may have ended

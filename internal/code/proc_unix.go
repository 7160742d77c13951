//go:build unix && !linux

package code

import (
	"os"
	"os/exec"
	"syscall"
)

// isolate puts a parser in a process group of its own, so that Ctrl-C reaches the
// builder alone.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// confine leaves no core dump. A limit on memory is not to be had on all of these.
func confine() error {
	return os.NewSyscallError("setrlimit", syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}))
}

package code

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// isolate puts a parser in a process group of its own, so that Ctrl-C reaches the
// builder alone, and lets it die with the builder. The kernel means the thread that
// started it: the runtime ends no thread but those that a goroutine was locked to.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// parserMemory is what a parser may take beyond what the runtime has mapped when it
// starts. Of 180 files with a megabyte of the densest source, ten of each language,
// one needed more.
const parserMemory = 512 << 20

// confine bounds the address space of this process: an allocation beyond it fails,
// and the process aborts. Then it leaves no core dump.
func confine() error {
	mapped, err := mappedMemory()
	if err != nil {
		return err
	}
	if err := lower(syscall.RLIMIT_AS, mapped+parserMemory); err != nil {
		return err
	}
	return lower(syscall.RLIMIT_CORE, 0)
}

func lower(resource int, limit uint64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(resource, &now); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	limit = min(limit, now.Cur)
	return os.NewSyscallError("setrlimit", syscall.Setrlimit(resource, &syscall.Rlimit{Cur: limit, Max: limit}))
}

// mappedMemory is the size of the address space, see proc_pid_statm(5).
func mappedMemory() (uint64, error) {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(data), &pages); err != nil {
		return 0, fmt.Errorf("/proc/self/statm: %w", err)
	}
	return pages * uint64(os.Getpagesize()), nil
}

package repo

import (
	"io"
	"os"
	"syscall"
)

// widen makes a pipe hold a megabyte, so that git works on while what it wrote is
// searched. A system that does not allow it is as right, and slower.
func widen(pipe io.Reader) {
	const setPipeSize = 1031 // F_SETPIPE_SZ of fcntl(2)
	if f, ok := pipe.(*os.File); ok {
		if raw, err := f.SyscallConn(); err == nil {
			raw.Control(func(fd uintptr) { syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, 1<<20) }) //nolint:errcheck // see above
		}
	}
}

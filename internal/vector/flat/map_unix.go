//go:build unix

package flat

import (
	"os"
	"syscall"
)

// mapsGrow says that a mapping shows what is written to the file after it.
const mapsGrow = true

// mapFile shows the first n bytes of a file, which must have them.
func mapFile(f *os.File, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	return syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmap(b []byte) error {
	if b == nil {
		return nil
	}
	return syscall.Munmap(b)
}

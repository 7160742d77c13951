//go:build !unix

package flat

import (
	"io"
	"os"
)

const mapsGrow = false

// mapFile reads the file: it costs the memory that a mapping would not.
func mapFile(f *os.File, n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, int64(n)), b)
	return b, err
}

func unmap([]byte) error { return nil }

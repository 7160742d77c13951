package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
)

// maxDirectory bounds the list of a zip file's entries, which is held in memory.
const maxDirectory = 16 << 20

func unzip(f io.ReaderAt, size int64, t *tree, m *meter) error {
	bounded := &boundedAt{f, maxDirectory}
	r, err := zip.NewReader(bounded, size)
	if errors.Is(err, ErrEntries) {
		return err
	} else if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	bounded.left = math.MaxInt64
	for _, e := range r.File {
		if err := m.entry(); err != nil {
			return err
		}
		if e.UncompressedSize64 > math.MaxInt64 {
			return fmt.Errorf("%w: an entry of impossible size", ErrFormat)
		}
		err := t.take(e.Name, e.Mode(), int64(e.UncompressedSize64), func() (io.ReadCloser, error) {
			r, err := e.Open()
			if err != nil {
				return nil, err
			}
			return struct {
				io.Reader
				io.Closer
			}{m.reader(r), r}, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// boundedAt fails once more than a number of bytes was read.
type boundedAt struct {
	r    io.ReaderAt
	left int64
}

func (b *boundedAt) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, fmt.Errorf("%w: their list is larger than %d MB", ErrEntries, maxDirectory>>20)
	}
	return b.r.ReadAt(p, at)
}

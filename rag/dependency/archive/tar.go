package archive

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

func untar(f io.Reader, t *tree, m *meter) error {
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	r := tar.NewReader(m.reader(z))
	contents := *m // a sparse file gives more bytes than the archive has, so these are counted too
	for {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, tar.ErrInsecurePath): // tree.take judges paths
		case err != nil:
			return m.why(err)
		}
		if err := m.entry(); err != nil {
			return err
		}
		mode := h.FileInfo().Mode()
		if h.Typeflag == tar.TypeLink {
			mode |= fs.ModeSymlink
		}
		err = t.take(h.Name, mode, h.Size, func() (io.ReadCloser, error) { return io.NopCloser(contents.reader(r)), nil })
		if err != nil {
			return m.why(err)
		}
	}
}

// why tells limits and the end of time from an archive that cannot be read.
func (m *meter) why(err error) error {
	for _, known := range []error{ErrSize, ErrRatio, ErrEntries, ErrPath, ErrFormat} {
		if errors.Is(err, known) {
			return err
		}
	}
	if m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrFormat, err)
}

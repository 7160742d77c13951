// Package archive unpacks the source archives of libraries that nobody has vouched
// for: zip (also wheels and Go modules) and tar.gz (also npm packages and crates).
//
// Only text is kept. Links and devices are never made, nothing is written outside of
// the directory, archives in archives stay closed, and time, memory and disk have
// bounds that do not depend on what the archive says of itself.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Limits bound what is unpacked.
type Limits struct {
	Packed  int64 // bytes of the archive. Zero means 128 MB
	Entries int   // also of what is left out. Zero means 50,000
	Size    int64 // bytes unpacked, also of what is left out. Zero means 512 MB
	File    int64 // bytes; a larger file is left out. Zero means 1 MB
	Ratio   int64 // bytes unpacked for each packed, from 8 MB on. Zero means 100
}

func (l Limits) complete() Limits {
	set := func(v *int64, zero int64) {
		if *v == 0 {
			*v = zero
		}
	}
	set(&l.Packed, 128<<20)
	set(&l.Size, 512<<20)
	set(&l.File, 1<<20)
	set(&l.Ratio, 100)
	if l.Entries == 0 {
		l.Entries = 50_000
	}
	return l
}

// Why an archive is refused as a whole.
var (
	ErrFormat  = errors.New("not an archive that can be read")
	ErrPacked  = errors.New("the archive is too large")
	ErrSize    = errors.New("the archive unpacks to too much")
	ErrRatio   = errors.New("the archive unpacks to far more than it holds")
	ErrEntries = errors.New("the archive has too many entries")
	ErrPath    = errors.New("the archive has a path that leads out of it")
)

// Contents says what came out of an archive.
type Contents struct {
	Files   int
	Size    int64 // bytes of the files
	Left    []Left
	LeftOut int // how many there are of Left, which holds 1,000 at most
}

// Left is an entry that was left out.
type Left struct{ Name, Reason string }

// Unpack writes the text files of an archive into a directory that is there, each
// without the first strip parts of its path. After an error the directory may hold a
// part of them.
func Unpack(ctx context.Context, file, dir string, strip int, limits Limits) (Contents, error) {
	limits = limits.complete()
	f, err := os.Open(file)
	if err != nil {
		return Contents{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Contents{}, err
	}
	if !info.Mode().IsRegular() {
		return Contents{}, fmt.Errorf("%w: no regular file", ErrFormat)
	}
	if info.Size() > limits.Packed {
		return Contents{}, fmt.Errorf("%w: %d bytes, the limit is %d", ErrPacked, info.Size(), limits.Packed)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Contents{}, err
	}
	defer root.Close()
	t := &tree{root: root, strip: strip, limits: limits, seen: map[string]place{}}
	m := &meter{ctx: ctx, limits: limits, packed: info.Size()}
	if err := unpack(f, info.Size(), t, m); err != nil {
		return t.Contents, fmt.Errorf("unpack: %w", err)
	}
	return t.Contents, nil
}

func unpack(f *os.File, size int64, t *tree, m *meter) error {
	var magic [4]byte
	if _, err := f.ReadAt(magic[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch {
	case string(magic[:2]) == "PK":
		return unzip(f, size, t, m)
	case string(magic[:2]) == "\x1f\x8b":
		return untar(f, t, m)
	}
	return fmt.Errorf("%w: neither zip nor gzip", ErrFormat)
}

// meter counts what comes out of decompression, whoever reads it.
type meter struct {
	ctx     context.Context
	limits  Limits
	packed  int64
	total   int64
	entries int
}

// ratioFrom is where the ratio begins to count: small files of blanks are honest.
const ratioFrom = 8 << 20

func (m *meter) add(n int64) error {
	m.total += n
	switch {
	case m.ctx.Err() != nil:
		return context.Cause(m.ctx)
	case m.total > m.limits.Size:
		return fmt.Errorf("%w: more than %d bytes", ErrSize, m.limits.Size)
	case m.total > ratioFrom && m.total/m.limits.Ratio > m.packed:
		return fmt.Errorf("%w: more than %d times", ErrRatio, m.limits.Ratio)
	}
	return nil
}

func (m *meter) entry() error {
	if m.entries++; m.entries > m.limits.Entries {
		return fmt.Errorf("%w: more than %d", ErrEntries, m.limits.Entries)
	}
	return m.add(0)
}

// reader passes on a reader and counts it.
func (m *meter) reader(r io.Reader) io.Reader { return &metered{r, m} }

type metered struct {
	r io.Reader
	m *meter
}

func (r *metered) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if over := r.m.add(int64(n)); over != nil {
		return 0, over
	}
	return n, err
}

package weights

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// part is a file on its way. Beside it stands the tag that the server gave the
// file, which tells later whether it is still the same.
type part struct {
	f    *os.File
	size int64
	tag  string // strong, or ""
}

const (
	partSuffix = ".part"
	tagSuffix  = ".part.tag"
)

func openPart(path string) (*part, error) {
	f, err := os.OpenFile(path+partSuffix, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	p := &part{f: f, size: info.Size()}
	if tag, err := os.ReadFile(path + tagSuffix); err == nil {
		p.tag = string(tag)
	}
	return p, nil
}

// close leaves an empty part behind nowhere.
func (p *part) close() {
	p.f.Close()
	if p.size == 0 {
		p.remove()
	}
}

func (p *part) tagPath() string {
	return strings.TrimSuffix(p.f.Name(), partSuffix) + tagSuffix
}

func (p *part) remove() {
	os.Remove(p.f.Name())
	os.Remove(p.tagPath())
}

func (p *part) reset() error {
	p.size, p.tag = 0, ""
	return p.f.Truncate(0)
}

// setTag keeps a strong tag; a weak one does not promise the same bytes.
func (p *part) setTag(tag string) error {
	if strings.HasPrefix(tag, "W/") || len(tag) > 1<<10 {
		tag = ""
	}
	p.tag = tag
	return os.WriteFile(p.tagPath(), []byte(tag), 0o644)
}

// fill appends what r gives until the part has total bytes, or to the end of r if
// total is 0.
func (p *part) fill(ctx context.Context, r io.Reader, total, limit int64, name string, told func(Progress)) error {
	if total > 0 {
		r = io.LimitReader(r, total-p.size)
	}
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		if p.size+int64(n) > limit {
			return fmt.Errorf("%w: it has more than %d bytes", ErrSize, limit)
		}
		if _, werr := p.f.WriteAt(buf[:n], p.size); werr != nil {
			return werr
		}
		p.size += int64(n)
		if told != nil && n > 0 {
			told(Progress{File: name, Done: p.size, Total: total})
		}
		switch {
		case err == io.EOF && p.size >= total:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%w after %d of %d bytes: %w", ErrCut, p.size, total, err)
		}
	}
}

// finish checks the part and gives it its name. A part that is not f is removed, so
// that the next pull does not build on it.
func (p *part) finish(f File, path string) (File, error) {
	if err := p.f.Sync(); err != nil {
		return File{}, err
	}
	got, err := digest(p.f.Name())
	if err != nil {
		return File{}, err
	}
	if !f.matches(got) {
		p.remove()
		return File{}, fmt.Errorf("%w: it is %s, want %s", ErrDigest, got.SHA256, f.SHA256)
	}
	if err := errors.Join(p.f.Close(), os.Rename(p.f.Name(), path)); err != nil {
		return File{}, err
	}
	os.Remove(p.tagPath())
	return got, nil
}

package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/source"
)

// tree is the directory that files go to.
type tree struct {
	Contents
	root   *os.Root
	strip  int
	limits Limits
	seen   map[string]place // by the path in lower case
	buf    bytes.Buffer
}

// place is what stands at a path.
type place struct {
	path string
	dir  bool
}

// Bounds of names, which are those of file systems.
const (
	maxName  = 255
	maxPath  = 400
	maxDepth = 40
)

// take writes an entry, or leaves it out and says why.
func (t *tree) take(name string, mode fs.FileMode, size int64, open func() (io.ReadCloser, error)) error {
	p, err := inside(name)
	if err != nil {
		return err
	}
	if mode.IsDir() || strings.HasSuffix(name, "/") {
		return nil // directories are made for their files
	}
	reason := t.unfit(p, mode, size)
	for range t.strip {
		if _, p, _ = strings.Cut(p, "/"); p == "" && reason == "" {
			reason = "not below the top directory"
		}
	}
	if reason == "" {
		reason = t.claim(p)
	}
	if len(t.seen) > 4*t.limits.Entries {
		return fmt.Errorf("%w: more than %d directories", ErrEntries, 3*t.limits.Entries)
	}
	if reason == "" {
		reason, err = t.write(p, open)
	}
	if reason != "" {
		t.leave(name, reason)
	}
	return err
}

// inside checks a path. One that leads out of the archive is no accident, so the
// archive is refused; the bytes \ and : make such paths on Windows.
func inside(name string) (string, error) {
	slashed := strings.ReplaceAll(name, `\`, "/")
	drive := len(slashed) > 1 && slashed[1] == ':'
	if path.IsAbs(slashed) || drive {
		return "", fmt.Errorf("%w: %s", ErrPath, shown(name))
	}
	for part := range strings.SplitSeq(slashed, "/") {
		if part == ".." {
			return "", fmt.Errorf("%w: %s", ErrPath, shown(name))
		}
	}
	return path.Clean(name), nil
}

// unfit says why an entry is none to keep, "" for one that may be.
func (t *tree) unfit(p string, mode fs.FileMode, size int64) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case !mode.IsRegular():
		return "no regular file"
	case size < 0 || size > t.limits.File:
		return fmt.Sprintf("larger than %d bytes", t.limits.File)
	case len(p) > maxPath || strings.Count(p, "/") > maxDepth:
		return "the path is too long"
	case !utf8.ValidString(p) || strings.ContainsFunc(p, unicode.IsControl) || strings.ContainsAny(p, `\:*?"<>|`):
		return "a name that not every system has"
	}
	for part := range strings.SplitSeq(p, "/") {
		if len(part) > maxName {
			return "the name is too long"
		}
		if strings.TrimRight(part, ". ") != part && part != "." {
			return "a name that not every system has"
		}
	}
	return ""
}

// claim takes a path for a file, with the directories above it. On a file system that
// does not tell cases apart, one file would else replace another.
func (t *tree) claim(p string) string {
	for at := path.Dir(p); at != "."; at = path.Dir(at) {
		if old, ok := t.seen[strings.ToLower(at)]; ok && (!old.dir || old.path != at) {
			return t.clash(old, at)
		}
	}
	if old, ok := t.seen[strings.ToLower(p)]; ok {
		return t.clash(old, p)
	}
	t.seen[strings.ToLower(p)] = place{p, false}
	for at := path.Dir(p); at != "."; at = path.Dir(at) {
		t.seen[strings.ToLower(at)] = place{at, true}
	}
	return ""
}

func (t *tree) clash(old place, p string) string {
	if old.path == p {
		return "a second entry of that path"
	}
	return "differs by case alone from " + source.Quote(old.path)
}

// write reads a file, which is at most Limits.File, and writes it if it is text.
func (t *tree) write(p string, open func() (io.ReadCloser, error)) (reason string, err error) {
	r, err := open()
	if err != nil {
		return "cannot be unpacked: " + err.Error(), nil
	}
	defer r.Close()
	t.buf.Reset()
	n, err := t.buf.ReadFrom(io.LimitReader(r, t.limits.File+1))
	switch {
	case errors.Is(err, ErrSize) || errors.Is(err, ErrRatio):
		return "", err
	case err != nil:
		return "", fmt.Errorf("%w: %s: %w", ErrFormat, source.Quote(p), err)
	case n > t.limits.File:
		return fmt.Sprintf("larger than %d bytes", t.limits.File), nil
	case !isText(t.buf.Bytes()):
		return "not text", nil
	}
	if err := t.root.MkdirAll(path.Dir(p), 0o755); err != nil {
		return "", err
	}
	f, err := t.root.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	_, err = f.Write(t.buf.Bytes())
	t.Files++
	t.Size += n
	return "", errors.Join(err, f.Close())
}

// isText is git's rule: no zero byte in the first 8,000.
func isText(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 }

func (t *tree) leave(name, reason string) {
	if t.LeftOut++; len(t.Left) < 1000 {
		t.Left = append(t.Left, Left{shown(name), reason})
	}
}

// shown is a name for people. One may be a megabyte.
func shown(name string) string {
	const most = 1000
	if len(name) > most {
		return source.Quote(strings.ToValidUTF8(name[:most], "")) + "…"
	}
	return source.Quote(name)
}

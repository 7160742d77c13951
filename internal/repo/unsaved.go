package repo

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Unsaved lists what stands in the origin's work tree but not in the snapshot: files
// that differ, and files that git does not ignore and the commit does not have. They
// are not read by anything else here, and a report should say so. It is empty for an
// origin without a work tree. Git does not run in that directory: contents are
// compared by hash, and the ignore rules are read by a git that has our own clone as
// its repository.
func (s *Snapshot) Unsaved(ctx context.Context) ([]string, error) {
	dir := s.clone.origin.Dir
	if _, err := os.Lstat(filepath.Join(dir, ".git")); dir == "" || err != nil {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	unsaved, err := s.untracked(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("look for new files in %s: %w", source.Quote(dir), err)
	}
	limit := s.clone.cache.cfg.ReadTime
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: comparing %s with the commit took longer than %v", ErrLimit, source.Quote(dir), limit))
	defer cancel()
	for _, f := range s.Files() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if f.Mode.Text() && differs(root, f) {
			unsaved = append(unsaved, f.Path)
		}
	}
	slices.Sort(unsaved)
	return unsaved, nil
}

func (s *Snapshot) untracked(ctx context.Context, dir string) ([]string, error) {
	g := s.clone.git
	g.timeout = 10 * time.Second // a pipe in the place of an ignore file is waited for
	// No such index: to git all files are new, and it looks into none of them.
	g.env = []string{"GIT_INDEX_FILE=" + filepath.Join(s.clone.dir, "no-index")}
	out, err := g.output(ctx, nil, "-c", "core.bare=false", "--work-tree="+dir, "-C", dir, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var found []string
	for p := range bytes.SplitSeq(out, []byte{0}) {
		path := string(p)
		if _, ok := s.tree.byPath[path]; !ok && path != "" && !strings.HasSuffix(path, "/") {
			found = append(found, path)
		}
	}
	return found, nil
}

// differs tells whether the file in the work tree is not what the commit has. A file
// with other line ends alone is the same.
func differs(root *os.Root, f source.File) bool {
	info, err := root.Lstat(filepath.FromSlash(f.Path))
	if err != nil || !info.Mode().IsRegular() {
		return true // gone, or a link or pipe by now
	}
	if info.Size() == f.Size {
		sum, err := blobHash(root, f, false)
		return err != nil || sum != f.Blob
	}
	if info.Size() < f.Size || info.Size() > 2*f.Size || f.Size < 0 {
		return f.Size >= 0
	}
	sum, err := blobHash(root, f, true)
	return err != nil || sum != f.Blob
}

// blobHash names a content as git does: the hash of "blob <size>\0" and the bytes.
func blobHash(root *os.Root, f source.File, unixEnds bool) (string, error) {
	file, err := root.OpenFile(filepath.FromSlash(f.Path), os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var h hash.Hash = sha1.New()
	if len(f.Blob) == 64 {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", f.Size)
	if unixEnds {
		data, err := io.ReadAll(io.LimitReader(file, 2*f.Size))
		h.Write(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
		return hex.EncodeToString(h.Sum(nil)), err
	}
	_, err = io.Copy(h, io.LimitReader(file, f.Size+1))
	return hex.EncodeToString(h.Sum(nil)), err
}

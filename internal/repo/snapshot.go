package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Snapshot is a commit as its author could see it: its tree, and the history that
// leads to it. What came later cannot be read through it. Its methods may be called
// from several goroutines.
type Snapshot struct {
	clone  *Clone
	commit source.Commit
	time   time.Time
	tree   *tree
}

// Snapshot loads the tree of a commit, without its files' contents. A tree over the
// limits of entries and depth is an ErrLimit.
func (c *Clone) Snapshot(ctx context.Context, at source.Commit) (*Snapshot, error) {
	if _, err := source.ParseCommit(string(at)); err != nil {
		return nil, err
	}
	var t *tree
	var bad error
	var loading sync.WaitGroup
	loading.Go(func() { t, bad = c.loadTree(ctx, at) })
	out, err := c.git.output(ctx, nil, "log", "-1", "--format=%ct", "--end-of-options", string(at), "--")
	loading.Wait()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrNoCommit, at, c.broken(err))
	}
	if bad != nil {
		return nil, fmt.Errorf("the tree of %s: %w", at.Short(), c.broken(bad))
	}
	return &Snapshot{clone: c, commit: at, time: date(string(out)), tree: t}, nil
}

// Commit is the commit of the snapshot.
func (s *Snapshot) Commit() source.Commit { return s.commit }

// Time is when the commit was made, the zero time if it does not say so.
func (s *Snapshot) Time() time.Time { return s.time }

// Files lists the tree in git's order of paths, all directories deep. The slice is
// not to be changed.
func (s *Snapshot) Files() []source.File { return s.tree.files }

// Unseen lists the files whose content the clone does not have, most often because
// they are larger than Config.MaxBlob. Grep, diff and blame leave them out.
func (s *Snapshot) Unseen() []source.File { return s.tree.unseen }

// Resolve is Clone.Resolve for commits up to this one: a later one is as unknown as
// one that does not exist. HEAD is the snapshot's own commit.
func (s *Snapshot) Resolve(ctx context.Context, rev string) (source.Commit, error) {
	base, suffix := splitRev(rev)
	if base == "" || base == "HEAD" || base == "@" {
		rev = string(s.commit) + suffix
	}
	at, err := s.clone.Resolve(ctx, rev)
	if err != nil || at == s.commit {
		return at, err
	}
	before, err := s.clone.Before(ctx, at, s.commit)
	if err == nil && !before {
		err = fmt.Errorf("%w: %q is not in the history of %s, which is read here", ErrNoCommit, rev, s.commit.Short())
	}
	return at, err
}

// At is the snapshot of an earlier commit; "" is this one.
func (s *Snapshot) At(ctx context.Context, rev string) (*Snapshot, error) {
	if rev == "" || rev == string(s.commit) {
		return s, nil
	}
	at, err := s.Resolve(ctx, rev)
	if err != nil || at == s.commit {
		return s, err
	}
	return s.clone.Snapshot(ctx, at)
}

// Why a path has no text to read.
var (
	ErrNotExist = errors.New("no such file")
	ErrNoText   = errors.New("not a text file")
	ErrUnseen   = errors.New("too large to be in the clone")
)

// Stat gives the file or directory at a path. The error of a path that leads nowhere
// is ErrNotExist.
func (s *Snapshot) Stat(path string) (source.File, error) {
	if f, ok := s.tree.byPath[path]; ok {
		return s.tree.files[f], nil // whatever is in its name
	}
	clean, err := source.CleanPath(path)
	if err != nil {
		return source.File{}, err
	}
	if f, ok := s.tree.byPath[clean]; ok {
		return s.tree.files[f], nil
	}
	if clean == "" || s.tree.isDir(clean) {
		return source.File{Path: clean, Mode: source.Dir}, nil
	}
	return source.File{}, fmt.Errorf("%w: %s", ErrNotExist, source.Quote(clean))
}

// Read gives the content of a file. A symbolic link is not followed.
func (s *Snapshot) Read(ctx context.Context, path string) ([]byte, error) {
	f, err := s.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case f.Mode == source.Dir:
		return nil, fmt.Errorf("%w: %s is a directory", ErrNoText, source.Quote(f.Path))
	case f.Mode == source.Submodule:
		return nil, fmt.Errorf("%w: %s is a submodule at %s", ErrNoText, source.Quote(f.Path), f.Blob)
	}
	var content []byte
	err = s.Blobs(ctx, []source.File{f}, func(_ int, data []byte) error {
		if data == nil {
			return fmt.Errorf("%w: %s", ErrUnseen, source.Quote(f.Path))
		}
		content = data
		return nil
	})
	if err == nil && f.Mode == source.Symlink {
		return nil, fmt.Errorf("%w: %s is a link to %s", ErrNoText, source.Quote(f.Path), source.Quote(string(content)))
	}
	return content, err
}

// Lines is part of a file's text.
type Lines struct {
	Span  source.Span // as found: End is cut at the last line
	Total int         // lines of the whole file
	Text  []string    // without line ends
}

// ReadLines gives lines start to end of a text file, both counted in; end 0 is the
// last line. A start behind the last line gives no Text, and Total.
func (s *Snapshot) ReadLines(ctx context.Context, path string, start, end int) (Lines, error) {
	data, err := s.Read(ctx, path)
	if err != nil {
		return Lines{}, err
	}
	f, err := s.Stat(path)
	if err != nil {
		return Lines{}, err
	}
	if binary(data) {
		return Lines{}, fmt.Errorf("%w: %s is binary, %d bytes", ErrNoText, source.Quote(f.Path), len(data))
	}
	all := splitLines(string(bytes.TrimPrefix(data, byteOrderMark)))
	start = max(start, 1)
	if end <= 0 || end > len(all) {
		end = len(all)
	}
	l := Lines{Span: source.Span{Path: f.Path, Start: start, End: end}, Total: len(all)}
	if start <= end {
		l.Text = all[start-1 : end]
	}
	return l, nil
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

// binary is git's own rule: a zero byte among the first 8,000.
func binary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

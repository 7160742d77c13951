// Package flat keeps vectors in files on this machine, and finds the nearest by
// looking at all of them.
//
// A query reads each vector in eight bits, which gives its score within a bound
// that is known, and computes the score exactly where the bound leaves a doubt: the
// answer is the exact one, ties included, and the same on every machine. 100,000
// vectors take a millisecond or two, far more than the code of one repository has.
//
// A collection is a directory: a log of what was written, with checksums, and a
// file of vectors, which is mapped and so lives in the page cache. A write is
// durable when it returns; one that was cut short by the end of its process is not
// there at all, and [Config].Lost hears of it. Several processes may use a store:
// writers wait for each other, readers do not wait and see each write wholly or
// not at all. Deleted and replaced items are left in the files until they are the
// greater part; then the files are written anew.
//
// Files of a wrong size, a damaged log, and vectors that do not match their
// checksums are vector.ErrBroken.
package flat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/vector"
)

// Config says where a store is.
type Config struct {
	// Dir is the directory of the store. It is made when it is needed.
	Dir string
	// Lost hears how many bytes of an unfinished write were dropped when a
	// collection was written to after the end of another process. Zero means that
	// nobody wants to know.
	Lost func(key vector.Key, bytes int64)
}

// ErrFull is a write to a collection that has no room: 16,777,216 vectors or a
// log of one gigabyte, counting what is deleted and not yet compacted.
var ErrFull = errors.New("collection is full")

// Store is a directory of collections; see [Open].
type Store struct{ config Config }

var _ vector.Store = (*Store)(nil)

// Open gives the store in config.Dir. It touches no file.
func Open(config Config) *Store { return &Store{config} }

// Open implements vector.Store.
func (s *Store) Open(ctx context.Context, key vector.Key, dim int) (vector.Collection, error) {
	if err := errors.Join(ctx.Err(), key.Check(), vector.CheckDim(dim)); err != nil {
		return nil, err
	}
	c := &collection{key: key, dir: s.dir(key), lost: s.config.Lost}
	err := c.open(ctx, dim)
	if err == nil && c.g.dim != dim {
		err = fmt.Errorf("it holds vectors of %d numbers, not %d: %w", c.g.dim, dim, vector.ErrDimension)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open collection %s: %w", key, err), c.Close())
	}
	return c, nil
}

// List implements vector.Store.
func (s *Store) List(ctx context.Context) ([]vector.Info, error) {
	entries, err := os.ReadDir(s.config.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list collections: %w", err)
	}
	var list []vector.Info
	errs := []error{ctx.Err()}
	for _, e := range entries {
		h, err := headerOf(filepath.Join(s.config.Dir, e.Name(), logName))
		switch {
		case !e.IsDir() || errors.Is(err, fs.ErrNotExist):
		case err != nil:
			errs = append(errs, fmt.Errorf("collection in %s: %w", e.Name(), err))
		default:
			list = append(list, vector.Info{Key: h.key, Dim: h.dim})
		}
	}
	slices.SortFunc(list, func(a, b vector.Info) int {
		if c := strings.Compare(a.Repo, b.Repo); c != 0 {
			return c
		}
		return strings.Compare(a.Model, b.Model)
	})
	return list, errors.Join(errs...)
}

// Remove implements vector.Store.
func (s *Store) Remove(ctx context.Context, key vector.Key) error {
	if err := errors.Join(ctx.Err(), key.Check()); err != nil {
		return err
	}
	if err := remove(ctx, s.dir(key)); err != nil {
		return fmt.Errorf("remove collection %s: %w", key, err)
	}
	return nil
}

func remove(ctx context.Context, dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, logName)); err != nil {
		return notFound(err)
	}
	l, err := lock(ctx, dir+lockSuffix)
	if err != nil {
		return err
	}
	defer l.Close()
	// Without its log a collection is not there, whatever is left of the rest.
	if err := os.RemoveAll(filepath.Join(dir, logName)); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

const lockSuffix = ".lock"

// dir is named by a hash: a key may be longer than a file name and hold anything.
func (s *Store) dir(k vector.Key) string {
	h := sha256.Sum256([]byte(k.Repo + "\x00" + k.Model))
	return filepath.Join(s.config.Dir, hex.EncodeToString(h[:16]))
}

func notFound(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return vector.ErrNotFound
	}
	return err
}

package flat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/repomind/repomind/internal/vector"
)

// collection is a view of the files that is brought up to date by each call.
type collection struct {
	key  vector.Key
	dir  string
	lost func(vector.Key, int64)

	writing sync.Mutex // before the lock among processes

	mu     sync.RWMutex // of all below
	g      *generation
	closed bool
	size   int64 // of the log, and its time, when it was read
	time   time.Time
}

func (c *collection) path() string { return filepath.Join(c.dir, logName) }

// open reads the files, and makes them if they are missing.
func (c *collection) open(ctx context.Context, dim int) error {
	err := c.refresh()
	if !errors.Is(err, vector.ErrNotFound) {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	l, err := lock(ctx, c.dir+lockSuffix)
	if err != nil {
		return err
	}
	defer l.Close()
	if err := c.refresh(); !errors.Is(err, vector.ErrNotFound) {
		return err // another made them meanwhile
	}
	if err := create(c.dir, newHeader(c.key, dim), nil); err != nil {
		return err
	}
	return c.refresh()
}

// read calls f with the newest state of the files, which stays as it is meanwhile.
func (c *collection) read(ctx context.Context, f func(*generation) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.RLock()
	fresh, err := c.fresh()
	if err == nil && !fresh {
		c.mu.RUnlock()
		err = c.refresh()
		c.mu.RLock()
	}
	defer c.mu.RUnlock()
	switch {
	case c.closed:
		return vector.ErrClosed
	case err != nil:
		return err
	}
	return f(c.g)
}

// fresh says whether the log is as it was when it was read.
func (c *collection) fresh() (bool, error) {
	info, err := os.Stat(c.path())
	if err != nil {
		return false, notFound(err)
	}
	return c.g != nil && os.SameFile(info, c.g.id) && info.Size() == c.size && info.ModTime().Equal(c.time), nil
}

// refresh reads what was written since, by whomever.
func (c *collection) refresh() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return vector.ErrClosed
	}
	info, err := os.Stat(c.path())
	if err != nil {
		return notFound(err)
	}
	g := c.g
	if g == nil || !os.SameFile(info, g.id) {
		if g, err = openGeneration(c.dir); err != nil {
			return notFound(err)
		}
	}
	err = g.catchUp()
	if err == nil && g.key != c.key {
		err = fmt.Errorf("the log is of collection %s: %w", g.key, vector.ErrBroken)
	}
	if g != c.g {
		if err != nil {
			return errors.Join(err, g.close())
		}
		if c.g != nil {
			err = c.g.close()
		}
		c.g = g
	}
	if err == nil {
		c.size, c.time = info.Size(), info.ModTime()
	}
	return err
}

// Close implements vector.Collection.
func (c *collection) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.g == nil {
		c.closed = true
		return nil
	}
	c.closed = true
	return c.g.close()
}

// Count implements vector.Collection.
func (c *collection) Count(ctx context.Context) (n int, err error) {
	err = c.read(ctx, func(g *generation) error {
		n = len(g.rows)
		return nil
	})
	return n, c.failed("count", err)
}

// Get implements vector.Collection.
func (c *collection) Get(ctx context.Context, ids ...string) (items []vector.Item, err error) {
	err = c.read(ctx, func(g *generation) error {
		items, err = g.get(ids)
		return err
	})
	return items, c.failed("get from", err)
}

func (g *generation) get(ids []string) (items []vector.Item, err error) {
	defer guard(&err)()
	for _, id := range ids {
		row, known := g.rows[id]
		if !known {
			continue
		}
		v, err := g.row32(int(row))
		if err != nil {
			return nil, err
		}
		items = append(items, vector.Item{ID: id, Vector: append([]float32(nil), v[:g.dim]...), Meta: decodeMeta(g.metas[row])})
	}
	return items, nil
}

// Query implements vector.Collection.
func (c *collection) Query(ctx context.Context, q vector.Query) (found []vector.Match, err error) {
	err = c.read(ctx, func(g *generation) error {
		q, err := q.Prepare(g.dim)
		if err != nil {
			return err
		}
		found, err = g.nearest(ctx, q)
		return err
	})
	return found, c.failed("query", err)
}

func (c *collection) failed(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s collection %s: %w", what, c.key, err)
	}
	return nil
}

package flat

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/repomind/repomind/internal/vector"
)

// Upsert implements vector.Collection.
func (c *collection) Upsert(ctx context.Context, items []vector.Item) error {
	return c.failed("upsert to", c.write(ctx, func(g *generation) ([]record, error) {
		ready, err := vector.Prepare(items, g.dim)
		records := make([]record, len(ready))
		for i, it := range ready {
			records[i] = record{id: it.ID, vector: it.Vector, meta: string(encodeMeta(it.Meta))}
		}
		return records, err
	}))
}

// Delete implements vector.Collection.
func (c *collection) Delete(ctx context.Context, ids ...string) error {
	return c.failed("delete from", c.write(ctx, func(g *generation) ([]record, error) {
		var records []record
		for _, id := range ids {
			if _, known := g.rows[id]; known {
				records = append(records, record{id: id})
			}
		}
		return records, nil
	}))
}

// record is an item to write, or without a vector one to delete.
type record struct {
	id     string
	vector []float32
	meta   string // encoded
}

// write appends what the function makes of the newest state, as the only writer.
func (c *collection) write(ctx context.Context, records func(*generation) ([]record, error)) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	// A removed collection has no directory either: do not make it a lock file.
	if err := c.read(ctx, func(*generation) error { return nil }); err != nil {
		return err
	}
	l, err := lock(ctx, c.dir+lockSuffix)
	if err != nil {
		return fmt.Errorf("wait for other writers: %w", err)
	}
	defer l.Close()
	if err := c.refresh(); err != nil {
		return err
	}
	w, list, cut, err := c.prepare(ctx, records)
	if err != nil || w == nil {
		return err
	}
	if cut > 0 && c.lost != nil {
		c.lost(c.key, cut)
	}
	if err := errors.Join(w.write(ctx, list), w.close()); err != nil {
		return err
	}
	if err := c.refresh(); err != nil {
		return err
	}
	return c.compact(ctx)
}

// prepare opens the files for what is to be written, if anything is.
func (c *collection) prepare(ctx context.Context, records func(*generation) ([]record, error)) (w *writer, list []record, cut int64, err error) {
	err = c.read(ctx, func(g *generation) (err error) {
		if list, err = records(g); err != nil || len(list) == 0 {
			return err
		}
		w, err = c.appendTo(g)
		cut = g.cut
		return err
	})
	return w, list, cut, err
}

// appendTo opens the files to write behind what was read. What is there of a write
// whose process died goes.
func (c *collection) appendTo(g *generation) (*writer, error) {
	w, err := openWriter(c.path(), filepath.Join(c.dir, vecName(g.gen)), g.header)
	if err != nil {
		return nil, err
	}
	w.at, w.row = g.read, len(g.codes)
	if g.cut > 0 {
		if err := errors.Join(w.log.Truncate(g.read), w.log.Sync()); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	return w, nil
}

// compact writes the living rows to new files if too many are dead.
func (c *collection) compact(ctx context.Context) error {
	done := false
	err := c.read(ctx, func(g *generation) error {
		if !g.waste() {
			return nil
		}
		done = true
		h := newHeader(g.key, g.dim)
		return create(c.dir, h, func(w *writer) error { return g.copyTo(ctx, w) })
	})
	if err != nil {
		return fmt.Errorf("compact: %w", err)
	}
	if !done {
		return nil
	}
	return c.refresh()
}

func (g *generation) copyTo(ctx context.Context, w *writer) (err error) {
	defer guard(&err)()
	var list []record
	for row := range g.codes {
		if g.live(row) {
			v, err := g.row32(row)
			if err != nil {
				return err
			}
			list = append(list, record{g.ids[row], v[:g.dim], g.metas[row]})
		}
	}
	return w.write(ctx, list)
}

// create makes the files of a new generation, and puts them in the place of the
// old ones in one step: the log that names them takes its path.
func create(dir string, h header, fill func(*writer) error) error {
	next := filepath.Join(dir, logName+".new")
	vec := filepath.Join(dir, vecName(h.gen))
	if err := errors.Join(os.WriteFile(next, h.encode(), 0o600), os.WriteFile(vec, nil, 0o600)); err != nil {
		return err
	}
	w, err := openWriter(next, vec, h)
	if err != nil {
		return err
	}
	w.at = int64(len(h.encode()))
	if fill != nil {
		err = fill(w)
	}
	if err := errors.Join(err, w.log.Sync(), w.close()); err != nil {
		return errors.Join(err, os.Remove(next), os.Remove(vec))
	}
	if err := os.Rename(next, filepath.Join(dir, logName)); err != nil {
		return err
	}
	return errors.Join(syncDir(dir), sweep(dir, h.gen))
}

// sweep removes the files of other generations. A process that has them open or
// mapped keeps them for itself.
func sweep(dir string, gen uint64) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "vec-") && e.Name() != vecName(gen) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// newHeader has a generation that no other has, so that a log and the vectors of
// another never meet.
func newHeader(key vector.Key, dim int) header {
	var b [16]byte
	rand.Read(b[:])
	return header{key, dim, binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

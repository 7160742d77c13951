package flat

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// writer appends to the two files. First the vectors become durable, then the
// frame that speaks of them: what the log says is there.
type writer struct {
	header
	shape
	log, vec *os.File
	at       int64 // the end of the log
	row      int   // the next
}

func openWriter(logPath, vecPath string, h header) (*writer, error) {
	log, err := os.OpenFile(logPath, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	vec, err := os.OpenFile(vecPath, os.O_RDWR, 0)
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	return &writer{header: h, shape: shapeOf(h.dim), log: log, vec: vec}, nil
}

func (w *writer) close() error { return errors.Join(w.log.Close(), w.vec.Close()) }

// frameGoal is what a frame may take before the next begins; no entry takes as
// much as is between that and maxFrame.
const frameGoal = 8 << 20

// write appends the records in as few frames as may be, nearly always one.
func (w *writer) write(ctx context.Context, list []record) error {
	for len(list) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, size := 0, 0
		for n < len(list) && size < frameGoal {
			size += len(list[n].id) + len(list[n].meta) + 32
			n++
		}
		if err := w.frame(list[:n]); err != nil {
			return fmt.Errorf("write the files: %w", err)
		}
		list = list[n:]
	}
	return nil
}

func (w *writer) frame(list []record) error {
	if w.row+len(list) > maxRows || w.at > maxLog-2*maxFrame {
		return ErrFull
	}
	entries, rows, err := w.rows(list)
	if err != nil {
		return err
	}
	if rows > 0 {
		if err := w.vec.Sync(); err != nil {
			return err
		}
	}
	var payload []byte
	for i := range entries {
		payload = entries[i].append(payload)
	}
	b := appendFrame(nil, w.salt, w.at, payload)
	if _, err := w.log.WriteAt(b, w.at); err != nil {
		return err
	}
	if err := w.log.Sync(); err != nil {
		return err
	}
	w.at, w.row = w.at+int64(len(b)), w.row+rows
	return nil
}

// rows writes the vectors of the records behind the rows that are there.
func (w *writer) rows(list []record) (entries []entry, rows int, err error) {
	entries = make([]entry, len(list))
	b := newBlock(w.shape, w.row)
	for i, r := range list {
		if r.vector == nil {
			entries[i] = entry{op: opDelete, id: r.id}
			continue
		}
		entries[i] = b.add(r)
		if b.full() {
			if err := b.flush(w.vec); err != nil {
				return nil, 0, err
			}
		}
	}
	err = b.flush(w.vec)
	return entries, b.first - w.row, err
}

// grow makes the file as long as its segments, and beyond, by a quarter: then a
// reader need not map it again for each write. What lies beyond takes no disk.
func grow(f *os.File, s shape, rows int) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	n := int64(segments(rows))
	if info.Size() >= n*s.size() {
		return nil
	}
	return f.Truncate((n + n/4) * s.size())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

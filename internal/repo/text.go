package repo

import (
	"context"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// textCache keeps the content of files by hash, up to textBudget bytes: a search
// reads each file once, and every later one goes over memory. What does not fit is
// read anew each time.
type textCache struct {
	mu   sync.RWMutex
	data map[string][]byte
	size int64
}

const textBudget = 128 << 20

func newTextCache() *textCache { return &textCache{data: map[string][]byte{}} }

func (t *textCache) get(hash string) ([]byte, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	data, ok := t.data[hash]
	return data, ok
}

// keep holds on to data if there is room.
func (t *textCache) keep(hash string, data []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.data[hash]; !ok && t.size+int64(len(data)) <= textBudget {
		t.data[hash] = data
		t.size += int64(len(data))
	}
}

// Blobs reads files' contents and calls each for one after the other, in order; nil
// stands for one that is not to be had: a submodule, or a file that is Unseen. data
// is not to be changed, and may be kept.
func (s *Snapshot) Blobs(ctx context.Context, files []source.File, each func(i int, data []byte) error) error {
	for from := 0; from < len(files) && ctx.Err() == nil; {
		n := windowOf(files[from:])
		err := s.window(ctx, files[from:from+n], func(i int, data []byte) error { return each(from+i, data) })
		if err != nil {
			return err
		}
		from += n
	}
	return context.Cause(ctx)
}

// Files are read a window at a time, so that memory stays bounded.
const (
	windowFiles = 256
	windowBytes = 8 << 20
)

func windowOf(files []source.File) int {
	var size int64
	for i, f := range files {
		if size += max(f.Size, 0); i > 0 && size > windowBytes || i == windowFiles {
			return i
		}
	}
	return len(files)
}

func (s *Snapshot) window(ctx context.Context, files []source.File, each func(i int, data []byte) error) error {
	found := make([][]byte, len(files))
	var at []int
	var hashes []string
	for i, f := range files {
		if f.Mode == source.Submodule || f.Size < 0 || f.Size > s.clone.cache.cfg.MaxBlob {
			continue
		}
		data, ok := s.clone.text.get(f.Blob)
		if found[i] = data; !ok {
			at, hashes = append(at, i), append(hashes, f.Blob)
		}
	}
	err := s.clone.blobs.read(ctx, hashes, func(i int, data []byte) error {
		if found[at[i]] = data; data != nil {
			s.clone.text.keep(hashes[i], data)
		}
		return nil
	})
	if err != nil {
		return s.clone.broken(err)
	}
	for i, data := range found {
		if err := each(i, data); err != nil {
			return err
		}
	}
	return nil
}

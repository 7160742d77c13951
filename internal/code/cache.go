package code

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// The cache is one file:
//
//	magic, version and a checksum of what follows
//	the number of records, then for each: key, length
//	the records
//
// It is read whole and replaced whole, by a rename: of two processes that write at
// once the last one wins, and each of the two files is complete. A file that is
// damaged, or that another version wrote, counts as absent; one that cannot be read
// does as well, and loadCache says so beside the empty cache.

const (
	cacheName  = "symbols.idx"
	cacheMagic = "rmsymbol"
	// cacheVersion changes with the record's format and with what the extractors find.
	cacheVersion = 4
	maxCache     = 1 << 30
	temporary    = "symbols-" // starts the name of a file that is being written
	staleAfter   = time.Hour
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// cache holds records in the bytes of the file. The key is a blob with the language
// that it was read as, as that is not told by the content.
type cache map[string]string

func loadCache(dir string) (cache, error) {
	if dir == "" {
		return cache{}, nil
	}
	name := filepath.Join(dir, cacheName)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() > maxCache {
		return cache{}, nil
	}
	if err != nil {
		return cache{}, fmt.Errorf("read the symbol cache: %w", err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return cache{}, fmt.Errorf("read the symbol cache: %w", err)
	}
	return readCache(data), nil
}

const headSize = len(cacheMagic) + 4 + 4

// readCache is empty for bytes that are no cache of this version. It keeps the bytes.
func readCache(data []byte) cache {
	if len(data) < headSize || string(data[:len(cacheMagic)]) != cacheMagic {
		return cache{}
	}
	head := data[len(cacheMagic):]
	body := data[headSize:]
	if binary.LittleEndian.Uint32(head) != cacheVersion || binary.LittleEndian.Uint32(head[4:]) != crc32.Checksum(body, castagnoli) {
		return cache{}
	}
	// The records share the memory of the file, which nobody writes to.
	return readRecords(unsafe.String(unsafe.SliceData(body), len(body)))
}

func readRecords(body string) cache {
	d := &decoder{rest: body}
	n := d.count(2)
	keys, sizes := make([]string, n), make([]uint64, n)
	for i := range n {
		keys[i] = d.bytes()
		sizes[i] = d.num()
	}
	c := make(cache, n)
	for i, k := range keys {
		if d.bad || sizes[i] > uint64(len(d.rest)) {
			return cache{}
		}
		c[k], d.rest = d.rest[:sizes[i]], d.rest[sizes[i]:]
	}
	return c
}

// save writes the records under keys, and others of the cache as long as they are
// fewer bytes than those: going back and forth between two commits stays cheap, and
// the file does not grow for ever.
func (c cache) save(dir string, used map[string]bool) error {
	var live, old int
	for k, r := range c {
		if used[k] {
			live += len(r)
		} else {
			old += len(r)
		}
	}
	keys := make([]string, 0, len(c))
	for k := range c {
		if used[k] || old <= live {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	if err := replace(filepath.Join(dir, cacheName), c.bytes(keys)); err != nil {
		return fmt.Errorf("write the symbol cache: %w", err)
	}
	return nil
}

func (c cache) bytes(keys []string) []byte {
	out := make([]byte, headSize, headSize+c.size(keys))
	copy(out, cacheMagic)
	out = binary.AppendUvarint(out, uint64(len(keys)))
	for _, k := range keys {
		out = binary.AppendUvarint(out, uint64(len(k)))
		out = append(out, k...)
		out = binary.AppendUvarint(out, uint64(len(c[k])))
	}
	for _, k := range keys {
		out = append(out, c[k]...)
	}
	head := out[len(cacheMagic):]
	binary.LittleEndian.PutUint32(head, cacheVersion)
	binary.LittleEndian.PutUint32(head[4:], crc32.Checksum(out[headSize:], castagnoli))
	return out
}

func (c cache) size(keys []string) (n int) {
	for _, k := range keys {
		n += len(k) + len(c[k]) + 8
	}
	return n
}

// replace writes a file beside name and renames it.
func replace(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, temporary+"*.tmp")
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = f.Write(data)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return removeStale(dir, info.ModTime())
}

// removeStale removes what processes left that were killed while they wrote. now is
// by the clock of the file system.
func removeStale(dir string, now time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), temporary) || !strings.HasSuffix(e.Name(), ".tmp") {
			continue
		}
		info, err := e.Info()
		if err == nil && now.Sub(info.ModTime()) > staleAfter {
			err = os.Remove(filepath.Join(dir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

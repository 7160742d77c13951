// Package records keeps many small values in one file, by keys such as the hash of a
// blob: what has been worked out once for a content and holds for ever.
//
// The file is read whole and replaced whole, by a rename: of two processes that write
// at once the last one wins, and each of the two files is complete. A file that is
// damaged, or that another version wrote, counts as absent.
package records

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

// The file is
//
//	magic, version and a checksum of what follows
//	the number of records, then for each: its key, its length
//	the records

const (
	magic      = "rmrecord"
	headSize   = len(magic) + 4 + 4
	maxSize    = 2 << 30
	staleAfter = time.Hour
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged means that a file was there and is not whole. It counts as empty.
var ErrDamaged = errors.New("damaged")

// Records are values by keys. The values share the memory of the file.
type Records map[string]string

// Load reads a file. The Records are usable, and empty, beside an error too: that
// the file is damaged, or cannot be read. One that is absent, of another version or
// larger than 2 GB is empty without an error.
func Load(name string, version uint32) (Records, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() > maxSize {
		return Records{}, nil
	}
	if err != nil {
		return Records{}, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return Records{}, err
	}
	if len(data) >= headSize && string(data[:len(magic)]) == magic && binary.LittleEndian.Uint32(data[len(magic):]) != version {
		return Records{}, nil
	}
	r, ok := parse(data)
	if !ok {
		return Records{}, fmt.Errorf("%s is %w and is made anew", name, ErrDamaged)
	}
	return r, nil
}

func parse(data []byte) (Records, bool) {
	if len(data) < headSize || string(data[:len(magic)]) != magic {
		return nil, false
	}
	body := data[headSize:]
	if binary.LittleEndian.Uint32(data[len(magic)+4:]) != crc32.Checksum(body, castagnoli) {
		return nil, false
	}
	// Nobody writes to the bytes from here on.
	rest := unsafe.String(unsafe.SliceData(body), len(body))
	n, ok := number(&rest)
	if !ok || n > uint64(len(rest))/2 {
		return nil, false
	}
	keys, sizes := make([]string, n), make([]uint64, n)
	for i := range keys {
		size, ok := number(&rest)
		if !ok || size > uint64(len(rest)) {
			return nil, false
		}
		keys[i], rest = rest[:size], rest[size:]
		if sizes[i], ok = number(&rest); !ok {
			return nil, false
		}
	}
	r := make(Records, n)
	for i, k := range keys {
		if sizes[i] > uint64(len(rest)) {
			return nil, false
		}
		r[k], rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	return r, true
}

func number(s *string) (uint64, bool) {
	var buf [binary.MaxVarintLen64]byte
	n, size := binary.Uvarint(buf[:copy(buf[:], *s)])
	if size <= 0 {
		return 0, false
	}
	*s = (*s)[size:]
	return n, true
}

// Save writes the records whose keys are used, and the others as long as they are
// fewer bytes than those: going back and forth between two commits stays cheap, and
// the file does not grow for ever.
func (r Records) Save(name string, version uint32, used map[string]bool) error {
	var live, old int
	for k, v := range r {
		if used[k] {
			live += len(v)
		} else {
			old += len(v)
		}
	}
	keys := make([]string, 0, len(r))
	for k := range r {
		if used[k] || old <= live {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return replace(name, r.bytes(version, keys))
}

func (r Records) bytes(version uint32, keys []string) []byte {
	size := headSize + binary.MaxVarintLen64
	for _, k := range keys {
		size += len(k) + len(r[k]) + 2*binary.MaxVarintLen32
	}
	out := make([]byte, headSize, size)
	copy(out, magic)
	out = binary.AppendUvarint(out, uint64(len(keys)))
	for _, k := range keys {
		out = binary.AppendUvarint(out, uint64(len(k)))
		out = append(out, k...)
		out = binary.AppendUvarint(out, uint64(len(r[k])))
	}
	for _, k := range keys {
		out = append(out, r[k]...)
	}
	binary.LittleEndian.PutUint32(out[len(magic):], version)
	binary.LittleEndian.PutUint32(out[len(magic)+4:], crc32.Checksum(out[headSize:], castagnoli))
	return out
}

// replace writes a file beside name and renames it.
func replace(name string, data []byte) error {
	dir, base := filepath.Split(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, base+".*.tmp")
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
	return removeStale(dir, base+".", info.ModTime())
}

// removeStale removes what processes left that were killed while they wrote. now is
// by the clock of the file system.
func removeStale(dir, prefix string, now time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) || !strings.HasSuffix(e.Name(), ".tmp") {
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

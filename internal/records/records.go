// Package records keeps many small values in one file, by keys such as the hash of a
// blob: what has been worked out once for a content and holds for ever.
//
// The file is read whole and replaced whole, by a rename: of two processes that write
// at once the last one wins, and each of the two files is complete. A file that is
// damaged, or that another version wrote, counts as absent.
package records

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

const maxSize = 2 << 30

// ErrDamaged means that a file was there and is not whole. It counts as absent.
var ErrDamaged = errors.New("damaged")

var errNoFile = errors.New("not a regular file")

// Records are values by keys. Those that were loaded share the memory of the file.
type Records map[string]string

// Load reads a file. The Records are usable, and empty, beside an error too: that
// the file is damaged, or cannot be read. One that is absent, of another version or
// larger than 2 GB is empty without an error.
func Load(name string, version uint32) (Records, error) {
	data, err := read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Records{}, nil
	}
	if err != nil {
		return Records{}, err
	}
	if v, ok := versionOf(data); data == nil || ok && v != version {
		return Records{}, nil
	}
	r, ok := parse(data)
	if !ok {
		return Records{}, fmt.Errorf("%s is %w and counts as absent", name, ErrDamaged)
	}
	return r, nil
}

// read gives the bytes of a file, nil for one that is too large. It does not wait for
// a pipe, nor read a device without an end.
func read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: name, Err: errNoFile}
	case info.Mode().IsRegular() && info.Size() > maxSize:
		return nil, nil
	}
	return os.ReadFile(name)
}

// Save writes the records whose keys are used, and the others as long as they are
// not more bytes than those: going back and forth between two commits stays cheap,
// and the file does not grow for ever. It makes the directory if need be, and removes
// what processes left there that were killed while they saved this file.
func (r Records) Save(name string, version uint32, used map[string]bool) error {
	var live, old int
	for k, v := range r {
		if used[k] {
			live += len(k) + len(v)
		} else {
			old += len(k) + len(v)
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

package records

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const staleAfter = time.Hour

// replace writes a file beside name and renames it. It does not wait for the disk:
// what a loss of power leaves half written is told by its checksum.
func replace(name string, data []byte) error {
	dir, base := filepath.Dir(name), filepath.Base(name)
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
	return removeStale(dir, base, info.ModTime())
}

// removeStale removes what processes left that were killed while they wrote base. now
// is by the clock of the file system.
func removeStale(dir, base string, now time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !isTemporary(e.Name(), base) {
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

// isTemporary knows the names that os.CreateTemp makes for replace, and no others: of
// file a, neither a.tmp nor a.b.1.tmp.
func isTemporary(name, base string) bool {
	digits, ok := strings.CutPrefix(name, base+".")
	digits, cut := strings.CutSuffix(digits, ".tmp")
	return ok && cut && digits != "" && strings.Trim(digits, "0123456789") == ""
}

//go:build unix

package records_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/repomind/repomind/internal/records"
)

// TestNoRegularFile: Load neither waits for who writes to a pipe nor reads a device
// that never ends.
func TestNoRegularFile(t *testing.T) {
	pipe, device := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "device")
	must(t, syscall.Mkfifo(pipe, 0o600))
	must(t, os.Symlink("/dev/zero", device))
	for _, name := range []string{pipe, device} {
		r, err := records.Load(name, version)
		if want := "read " + name + ": not a regular file"; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		if r == nil || len(r) > 0 {
			t.Errorf("%s: records %q", name, r)
		}
	}
}

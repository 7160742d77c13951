//go:build unix

package client_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/repomind/repomind/rag/dependency/client"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// What a client leaves behind is ended with it. The child holds a pipe open, whose end
// is seen when nobody does any more.
func TestClientsLeaveNoChildren(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cfg := pretend(t, "npm", `exec 3>`+pipe+`
sleep 600 >/dev/null 2>&1 &
touch "$TMPDIR/a-1.0.0.tgz"
echo '[{"filename":"a-1.0.0.tgz","version":"1.0.0"}]'`)
	got, err := cfg.Get(t.Context(), client.Library{Ecosystem: manifest.NPM, Name: "a", Version: "1.0.0"}, t.TempDir())
	if err != nil || got.Version != "1.0.0" {
		t.Error(err, got)
	}
	if err := r.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("a child is still there: %v", err)
	}
}

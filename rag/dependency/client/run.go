package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Error is a client that failed.
type Error struct {
	Client string
	Err    error  // how it ended
	Said   string // the end of what it said
}

func (e *Error) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("%s: %v", e.Client, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Client, e.Said)
}

func (e *Error) Unwrap() error { return e.Err }

// ErrLimit says that a client was ended because it took too long or too much room.
var ErrLimit = errors.New("limit reached")

// run gives what a client prints. Name is how it is called in errors.
func (c Config) run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	program := c.look(name)
	if program == "" {
		return nil, &MissingError{name}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.Time, fmt.Errorf("%w: %s took longer than %v", ErrLimit, name, c.Time))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out, said := &head{max: 4 << 20}, &tail{max: 2 << 10}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, c.environment(dir)
	cmd.Stdout, cmd.Stderr = out, said
	cmd.WaitDelay = 5 * time.Second
	isolate(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run %s: %w", name, err)
	}
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		c.watch(ctx, dir, name, stop)
	}()
	err := cmd.Wait()
	end(cmd) // what it left behind
	full := context.Cause(ctx)
	stop(nil)
	<-watched
	switch {
	case err != nil && full != nil:
		return nil, full
	case err != nil:
		return out.buf.Bytes(), &Error{Client: name, Err: err, Said: c.printable(said.buf.String())}
	}
	return out.buf.Bytes(), nil
}

// own makes a directory a project of its own for a client, which would else look for
// one further up and take its settings.
func own(dir, mark, text string) error {
	file := filepath.Join(dir, mark)
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644))
}

// watch ends a client that writes more than it may. It returns when ctx ends.
func (c Config) watch(ctx context.Context, dir, name string, stop context.CancelCauseFunc) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if size(dir) > c.Size {
				stop(fmt.Errorf("%w: %s wrote more than %d MB", ErrLimit, name, c.Size>>20))
				return
			}
		}
	}
}

// size is that of all files in a directory. What goes away meanwhile counts nothing.
func size(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error { //nolint:errcheck // see above
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// printable is what a client said, without control characters and without the values
// of variables that hold secrets and of credentials in addresses.
func (c Config) printable(s string) string {
	for _, kv := range c.Env {
		name, value, _ := strings.Cut(kv, "=")
		if name = strings.ToUpper(name); len(value) >= 6 && (strings.Contains(name, "TOKEN") || strings.Contains(name, "PASS") || strings.Contains(name, "AUTH")) {
			s = strings.ReplaceAll(s, value, "[redacted]")
		}
	}
	s = credentials.ReplaceAllString(s, "://[redacted]@")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD")))
}

var credentials = regexp.MustCompile(`://[^/@\s]+@`)

// head keeps the first bytes of what is written to it, tail the last ones. The buffers
// are fields, as a Buffer that is embedded has ReadFrom, which io.Copy prefers to Write.
type head struct {
	buf bytes.Buffer
	max int
}

func (h *head) Write(p []byte) (int, error) {
	h.buf.Write(p[:min(len(p), h.max-h.buf.Len())])
	return len(p), nil
}

type tail struct {
	buf bytes.Buffer
	max int
}

func (t *tail) Write(p []byte) (int, error) {
	t.buf.Write(p)
	t.buf.Next(max(0, t.buf.Len()-t.max))
	return len(p), nil
}

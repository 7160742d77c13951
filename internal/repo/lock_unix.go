//go:build unix

package repo

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
)

// fileLock is held until it is released or the process ends, however it ends.
type fileLock struct{ f *os.File }

// lock waits for a lock on the file; waiting is called once, if another holds it.
func lock(ctx context.Context, path string, how int, waiting func()) (*fileLock, error) {
	for first := true; ; first = false {
		l, err := tryLock(path, how)
		if l != nil || err != nil {
			return l, err
		}
		if first {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// tryLock gives nil if another holds the lock.
func tryLock(path string, how int) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, nil
		}
		return nil, err
	}
	return &fileLock{f}, nil
}

func (l *fileLock) release() { l.f.Close() }

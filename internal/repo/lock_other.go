//go:build !unix

package repo

import (
	"context"
	"os"
)

const (
	shared    = 0
	exclusive = 1
)

// fileLock does nothing here: one process at a time may use a cache on systems
// without flock.
type fileLock struct{ f *os.File }

func lock(_ context.Context, path string, how int, _ func()) (*fileLock, error) {
	return tryLock(path, how)
}

func tryLock(path string, _ int) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return &fileLock{f}, nil
}

func (l *fileLock) release() { l.f.Close() }

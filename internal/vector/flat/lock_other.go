//go:build !unix

package flat

import (
	"context"
	"os"
)

// lock does nothing here: on systems without flock one process at a time may use
// a store, and write to a collection through one Open of it.
func lock(_ context.Context, path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}

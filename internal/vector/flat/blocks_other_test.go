//go:build !unix

package flat_test

import "os"

func blocks(info os.FileInfo) int64 { return info.Size() }

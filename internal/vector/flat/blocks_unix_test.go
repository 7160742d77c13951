//go:build unix

package flat_test

import (
	"os"
	"syscall"
)

func blocks(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Blocks) * 512
	}
	return info.Size()
}

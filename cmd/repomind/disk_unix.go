//go:build unix

package main

import "golang.org/x/sys/unix"

// freeSpace is what a user may still write where path is, in bytes.
func freeSpace(path string) (free uint64, known bool) {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true //nolint:unconvert // the types differ between systems
}

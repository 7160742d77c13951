//go:build !linux

package repo

import "io"

func widen(io.Reader) {}

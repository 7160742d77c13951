package weights

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// What can go wrong with a pull, beside the system's own errors.
var (
	ErrDigest   = errors.New("the digest does not match")
	ErrSize     = errors.New("the size does not match")
	ErrCut      = errors.New("the connection failed or was cut")
	ErrRedirect = errors.New("the server redirects to another scheme")
	ErrStatus   = errors.New("the server refused")
)

// Error is a failed step of a pull.
type Error struct {
	Op   string
	File string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s %s: %v", e.Op, e.File, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Hint says what a person can do about it; "" if there is nothing to say.
func (e *Error) Hint() string {
	switch {
	case errors.Is(e.Err, syscall.ENOSPC):
		return "the disk is full: make room, then pull again; it goes on where it stopped"
	case errors.Is(e.Err, ErrCut):
		return "pull again: it goes on where it stopped"
	case errors.Is(e.Err, ErrDigest), errors.Is(e.Err, ErrSize):
		return "this is not the file that was expected: check the mirror; if you trust it, remove SHA256SUMS beside the files"
	case errors.Is(e.Err, ErrRedirect):
		return "give a mirror that answers over the scheme of its URL"
	case errors.Is(e.Err, ErrStatus):
		return "check the mirror's URL, or give a directory that has the files"
	case errors.Is(e.Err, fs.ErrNotExist):
		return "the directory must hold the files under their own names"
	}
	return ""
}

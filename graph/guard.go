package graph

import (
	"errors"
	"runtime/debug"
)

// guard calls fn and turns a panic into a [PanicError].
func guard[T any](fn func() (T, error)) (v T, err error) {
	defer recovered(&err)
	return fn()
}

// safely is guard for what gives only an error.
func safely(fn func() error) (err error) {
	defer recovered(&err)
	return fn()
}

// recovered is to be deferred.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = &PanicError{p, debug.Stack()}
	}
}

var errGoexit = errors.New("graph: node ended its goroutine with runtime.Goexit")

// both joins two errors, and leaves a single one as it is.
func both(err, other error) error {
	switch {
	case err == nil:
		return other
	case other == nil:
		return err
	}
	return errors.Join(err, other)
}

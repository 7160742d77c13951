package graph

import (
	"fmt"
	"runtime/debug"
)

// guard calls fn and turns a panic into a [PanicError].
func guard[T any](fn func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{p, debug.Stack()}
		}
	}()
	return fn()
}

var errGoexit = fmt.Errorf("node ended its goroutine with runtime.Goexit")

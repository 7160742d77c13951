package flat

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/repomind/repomind/internal/vector"
)

// guard is for what reads a mapped file: if somebody cut it short meanwhile, or
// its disk fails, the read is a fault of memory, and that becomes ErrBroken.
// Use: defer guard(&err)()
func guard(err *error) func() {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		switch r := recover().(type) {
		case nil:
		case interface {
			runtime.Error
			Addr() uintptr
		}:
			*err = fmt.Errorf("the file of vectors cannot be read: %w", vector.ErrBroken)
		default:
			panic(r)
		}
	}
}

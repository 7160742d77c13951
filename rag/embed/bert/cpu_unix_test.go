//go:build unix

package bert_test

import (
	"syscall"
	"time"
)

// cpuTime is what the process has computed: on a busy machine it says more than the
// time that passed.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

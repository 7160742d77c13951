package graph

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// hostID names the host, the boot, and the namespace in which process ids count:
// two containers may share a host name and hand out the same ids.
var hostID = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return strings.Join([]string{name, strings.TrimSpace(string(boot)), space}, "/")
})

// processStart reads the start time of a process in clock ticks since boot. See
// proc(5), /proc/pid/stat; a zombie counts as dead.
func processStart(pid int) (uint64, processState) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	switch {
	case err == nil:
		return parseStat(stat)
	case errors.Is(syscall.Kill(pid, 0), syscall.ESRCH):
		return 0, dead
	}
	return 0, unknown // /proc may be hidden or not mounted
}

func parseStat(stat []byte) (uint64, processState) {
	// The command stands in parentheses and may hold spaces and parentheses.
	f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(f) < 20 {
		return 0, unknown
	}
	if state := f[0][0]; state == 'Z' || state == 'X' {
		return 0, dead
	}
	start, err := strconv.ParseUint(string(f[19]), 10, 64)
	if err != nil {
		return 0, unknown
	}
	return start, alive
}

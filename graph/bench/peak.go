package main

import (
	"fmt"
	"os"
	"strings"
)

// peakMB is the most memory that the process has had, from proc(5); 0 where the
// system does not tell.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kb float64
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	_, _ = fmt.Sscanf(after, "%f kB", &kb)
	return kb * 1024 / 1e6
}

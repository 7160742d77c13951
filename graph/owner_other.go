//go:build !linux

package graph

import (
	"os"
	"sync"
)

var hostID = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	return name
})

// processStart does not know; a dead owner is replaced when its lease runs out.
func processStart(int) (uint64, processState) { return 0, unknown }

package graph

import (
	"os"
	"sync"
)

// Owner identifies a process over restarts and reused process ids.
type Owner struct {
	Host  string // host name, boot and process namespace where they are known
	PID   int
	Start uint64 // start time in the unit of the system; 0 if unknown
}

// self is this process.
var self = sync.OnceValue(func() Owner {
	pid := os.Getpid()
	start, _ := processStart(pid)
	return Owner{Host: hostID(), PID: pid, Start: start}
})

// Gone reports whether the owner is known to be dead. Of a process on another
// host, or on a system that does not tell, that is never known.
func (o Owner) Gone() bool {
	if o.Host != hostID() || o == self() {
		return false
	}
	start, state := processStart(o.PID)
	switch state {
	case alive:
		return o.Start != 0 && start != o.Start
	case dead:
		return true
	}
	return false
}

type processState int

const (
	unknown processState = iota
	alive
	dead
)

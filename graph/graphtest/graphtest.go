// Package graphtest has the suite that every [graph.Checkpointer] must pass. It
// checks what the interface promises and what a graph that runs on the store
// relies on. Nothing in it sleeps: leases run out on a clock of its own.
package graphtest

import (
	"slices"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
)

// Open gives a handle on a place where threads are kept. Each call gives one more
// handle on the same threads, as another process would have, or the same one if
// the store cannot be shared. Leases go by the clock now. The handle is closed
// when t ends.
type Open func(t *testing.T, now func() time.Time) graph.Checkpointer

// Run runs the suite. Each test calls fresh for an empty place of its own.
func Run(t *testing.T, fresh func(t *testing.T) Open) {
	for _, test := range slices.Concat(leaseTests, fenceTests, commitTests, taskTests, answerTests, loadTests,
		listTests, pruneTests, deleteTests, dataTests, sharedTests, engineTests, subTests, forkTests, migrateTests) {
		t.Run(test.holds, func(t *testing.T) {
			t.Parallel()
			test.check(newEnv(t, fresh(t)))
		})
	}
}

// tests are named for what must hold.
type tests []struct {
	holds string
	check func(*env)
}

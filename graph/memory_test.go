package graph_test

import (
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/graphtest"
)

func TestMemory(t *testing.T) {
	graphtest.Run(t, func(*testing.T) graphtest.Open {
		m := graph.NewMemory()
		return func(_ *testing.T, now func() time.Time) graph.Checkpointer {
			m.Now = now // the same for every handle of a test
			return m
		}
	})
}

package flat_test

import (
	"testing"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

func TestStore(t *testing.T) {
	vectortest.Run(t, func(t *testing.T) func() vector.Store {
		dir := t.TempDir() + "/vectors"
		return func() vector.Store { return flat.Open(flat.Config{Dir: dir}) }
	})
}

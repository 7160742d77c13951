package graphtest

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/repomind/repomind/graph"
)

// elsewhere runs on another host, so nobody here knows whether it is alive.
var elsewhere = graph.Owner{Host: "elsewhere/boot-1/pid:[1]", PID: 4711, Start: 42}

// self is this process as the engine names it: what a running node sees as the
// owner of its own thread.
func self(t *testing.T) graph.Owner {
	t.Helper()
	type state struct{ Owner graph.Owner }
	owner := graph.Last("owner", func(s *state) *graph.Owner { return &s.Owner })
	store := graph.NewMemory()
	g := graph.New("self", owner)
	g.Node("look", func(ctx context.Context, _ state) (graph.Update[state], error) {
		l, err := store.Load(ctx, "t", -1)
		if err != nil {
			return nil, err
		}
		return graph.Update[state]{owner.Set(l.Owner)}, nil
	})
	g.Edge(graph.Begin, "look")
	g.Edge("look", graph.End)
	app, err := g.Compile(graph.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	s, err := app.Run(t.Context(), "t", graph.Start(state{}))
	if err != nil {
		t.Fatal(err)
	}
	return s.Owner
}

// dead is a process of this host that has ended. The test is skipped where the
// system does not tell.
func dead(t *testing.T) graph.Owner {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	o := graph.Owner{Host: self(t).Host, PID: cmd.Process.Pid, Start: 1}
	if !o.Gone() {
		t.Skip("this system does not tell whether a process is alive")
	}
	return o
}

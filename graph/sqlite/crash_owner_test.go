//go:build linux

package sqlite_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/graph"
)

// The lease of a killed owner would last for an hour. That nobody waits for it is
// also what every test of kills shows.
func TestThreadOfAKilledOwnerIsTakenAtOnce(t *testing.T) {
	for name, bury := range map[string]func(*child){
		"gone":   func(c *child) { c.end() },
		"zombie": func(c *child) { eventually(c.t, "zombie", func() bool { return c.state() == "Z" }) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := start(t, job{Role: "travel", Dir: dir, At: "leaf 1", Do: "hold"})
			c.want("ready", "holds")
			if err := c.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			bury(c)
			s := openHere(t, dir)
			if until := owner(t, s).Until; time.Until(until) < 10*time.Minute {
				t.Fatalf("the lease ends at %v: it is too short to show anything", until)
			}
			got, err := travel(t.Context(), s.app, thread)
			if diff := cmp.Diff(arrived, got); err != nil || diff != "" {
				t.Errorf("%v, state (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestLiveOwnerRefusesOthersBeforeTheyWrite(t *testing.T) {
	dir := t.TempDir()
	c := start(t, job{Role: "travel", Dir: dir, At: "leaf 1", Do: "hold"})
	c.want("ready", "holds")
	s := openHere(t, dir)
	// The other branches go on; wait until they have come to their ends.
	eventually(t, "all other tasks are stored", func() bool { return len(dump(t, dir)["task"]) == 5 })
	before := dump(t, dir)

	run := func(in graph.Input[trip]) error { _, err := s.app.Run(t.Context(), thread, in); return err }
	for _, refused := range []struct {
		name string
		err  error
		want error
	}{
		{"Start", run(graph.Start(trip{})), graph.ErrThreadExists},
		{"Continue", run(graph.Continue[trip]()), graph.ErrBusy},
		{"Resume", run(graph.Resume[trip](graph.AnswerTo("", "no", "bob"))), graph.ErrBusy},
		{"Delete", s.store.Delete(t.Context(), thread), graph.ErrBusy},
	} {
		if !errors.Is(refused.err, refused.want) {
			t.Errorf("%s gave %v, want %v", refused.name, refused.err, refused.want)
		}
	}
	if diff := cmp.Diff(before, dump(t, dir)); diff != "" {
		t.Errorf("the refused wrote (-before +after):\n%s", diff)
	}
	c.tell("go on")
	c.finish()
}

// A stopped process is alive, so its thread can be had only when its lease has run
// out, on the same host as on any other.
func TestStoppedOwnerWhoseThreadWasTakenWritesNothing(t *testing.T) {
	// What it would write next is in turn a checkpoint, an effect, a task of a fan,
	// a checkpoint of a sub-graph, and the begin of an attempt.
	for _, at := range []string{"count", "effect of leaf 0", "leaf 1", "dig 2", "flaky"} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c := stopped(t, dir, at)
			got, err := takeOver(t, openHere(t, dir))
			if diff := cmp.Diff(arrived, got); err != nil || diff != "" {
				t.Fatalf("%v, state (-want +got):\n%s", err, diff)
			}
			checkSuperseded(t, c, dir)
		})
	}
}

func TestStoppedOwnerDoesNotDisturbWhoTookItsThread(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := stopped(t, dir, "leaf 1")
	until := owner(t, openHere(t, dir)).Until
	eventually(t, "lease ran out", func() bool { return time.Now().After(until) })
	next := start(t, job{Role: "travel", Dir: dir, At: "join", Do: "hold"})
	next.want("ready", "holds")
	checkSuperseded(t, c, dir)
	next.tell("go on")
	next.finish()
	got, err := travel(t.Context(), openHere(t, dir).app, thread)
	if diff := cmp.Diff(arrived, got); err != nil || diff != "" {
		t.Errorf("%v, state (-want +got):\n%s", err, diff)
	}
}

// stopped starts a child that stops itself in a node.
func stopped(t *testing.T, dir, at string) *child {
	t.Helper()
	c := start(t, job{Role: "travel", Dir: dir, At: at, Do: "stop", TTL: 500 * time.Millisecond})
	eventually(t, "stopped", func() bool {
		s := c.state()
		if s == "Z" {
			t.Fatalf("child was to stop at %q and ended", at)
		}
		return s == "T"
	})
	return c
}

// takeOver travels as soon as the owner of the thread can be replaced.
func takeOver(t *testing.T, s *site) (got trip, err error) {
	until := owner(t, s).Until
	eventually(t, "taken over", func() bool {
		got, err = travel(t.Context(), s.app, thread)
		return !errors.Is(err, graph.ErrBusy)
	})
	if now := time.Now(); now.Before(until) {
		t.Errorf("taken over at %v, before %v", now, until)
	}
	return got, err
}

// checkSuperseded continues a stopped child and checks that it ends for the right
// reason and without a trace.
func checkSuperseded(t *testing.T, c *child, dir string) {
	t.Helper()
	before := dump(t, dir)
	if err := c.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	c.want("ready", "superseded")
	c.end()
	if diff := cmp.Diff(before, dump(t, dir)); diff != "" {
		t.Errorf("the superseded owner wrote (-before +after):\n%s", diff)
	}
}

// openHere gives the site of the test's own process.
func openHere(t *testing.T, dir string) *site {
	t.Helper()
	s, err := openSite(context.WithoutCancel(t.Context()), job{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.store.Close(); _ = s.world.Close() })
	return s
}

// owner says who holds the thread, and until when.
func owner(t *testing.T, s *site) graph.ThreadInfo {
	t.Helper()
	for info, err := range s.store.Threads(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if info.Thread == thread {
			return info
		}
	}
	t.Fatal("no such thread")
	return graph.ThreadInfo{}
}

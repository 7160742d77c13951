//go:build linux

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/repomind/repomind/graph"
)

func TestOfTwoProcessesThatBeginAThreadOneWins(t *testing.T) {
	a, b, _ := racers(t)
	for i := range rounds(50) {
		race(t, a, b, fmt.Sprint("start t", i), "exists")
	}
}

func TestOfTwoProcessesThatContinueAThreadOneWins(t *testing.T) {
	a, b, dir := racers(t)
	store, err := openStore(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	fails := errors.New("fails at first")
	app, err := heldGraph(func() error { return fails }).Compile(graph.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rounds(50) {
		name := fmt.Sprint("t", i)
		if _, err := app.Run(t.Context(), name, graph.Start(task{})); !errors.Is(err, fails) {
			t.Fatal(err)
		}
		race(t, a, b, "continue "+name, "busy")
	}
}

func TestOfTwoProcessesThatContinueAKilledThreadOneWins(t *testing.T) {
	a, b, dir := racers(t)
	for i := range rounds(10) {
		name := fmt.Sprint("t", i)
		c := start(t, job{Role: "race", Dir: dir, Do: "die"})
		c.tell("start %s", name)
		if last, dead := c.end(); !dead {
			t.Fatal(last)
		}
		race(t, a, b, "continue "+name, "busy")
	}
}

func rounds(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

func racers(t *testing.T) (a, b *child, dir string) {
	t.Parallel()
	dir = t.TempDir()
	j := job{Role: "race", Dir: dir}
	return start(t, j), start(t, j), dir
}

// race has two children run a thread. One of them must get it and the other one
// be refused.
func race(t *testing.T, a, b *child, run, loser string) {
	t.Helper()
	a.tell("%s", run)
	b.tell("%s", run)
	got := []string{a.line(), b.line()}
	winner := a
	if got[1] == "holds" {
		winner = b
	}
	if slices.Sort(got); !slices.Equal(got, []string{loser, "holds"}) {
		t.Fatalf("%s: the two said %q, want one %q and one that holds it", run, got, loser)
	}
	winner.tell("go on")
	winner.want("done")
}

// serveRace runs one thread after the other, as it is told.
func serveRace(ctx context.Context, j job) error {
	store, err := openStore(ctx, j.Dir)
	if err != nil {
		return err
	}
	do := hold
	if j.Do == "die" {
		do = killSelf
	}
	app, err := heldGraph(func() error { do(); return nil }).Compile(graph.Config{Store: store})
	if err != nil {
		return err
	}
	for {
		line, err := stdin.ReadString('\n')
		if err != nil {
			return nil
		}
		how, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		in := graph.Continue[task]()
		if how == "start" {
			in = graph.Start(task{})
		}
		_, err = app.Run(ctx, name, in)
		fmt.Println(verdict(err))
	}
}

// heldGraph has one node, in which something is done.
func heldGraph(do func() error) *graph.Graph[task] {
	g := graph.New("held", said)
	g.Node("only", func(context.Context, task) (graph.Update[task], error) { return nil, do() })
	g.Edge(graph.Begin, "only")
	g.Edge("only", graph.End)
	return g
}

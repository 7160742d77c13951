//go:build linux

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/graph"
)

const (
	writers = 4  // processes
	every   = 50 // commits there is a question
)

func TestFourProcessesWriteOneFileWithoutAnErrorOrALoss(t *testing.T) {
	t.Parallel()
	dir, commits := t.TempDir(), rounds(500)
	var all []*child
	for i := range writers {
		all = append(all, start(t, job{Role: "load", Dir: dir, Name: fmt.Sprint("process ", i), N: commits}))
	}
	for _, c := range all {
		c.want("ready")
	}
	for _, c := range all {
		c.tell("go")
	}
	for _, c := range all {
		c.finish()
	}
	for i := range writers {
		for _, name := range threadsOf(fmt.Sprint("process ", i)) {
			checkClock(t, dir, name, commits)
		}
	}
	dump(t, dir) // checks the file
}

// clock counts its steps.
type clock struct{ Ticks []int }

var tick = graph.Append("ticks", func(s *clock) *[]int { return &s.Ticks })

func threadsOf(process string) []string { return []string{process + " a", process + " b"} }

// serveLoad runs two threads at once.
func serveLoad(ctx context.Context, j job) error {
	store, err := openStore(ctx, j.Dir)
	if err != nil {
		return err
	}
	app, err := clockGraph(j.N).Compile(graph.Config{Store: store, MaxSteps: j.N})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	_, _ = stdin.ReadString('\n')
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for i, name := range threadsOf(j.Name) {
		wg.Go(func() { errs[i] = runClock(ctx, app, name) })
	}
	wg.Wait()
	return errors.Join(append(errs, store.Close())...)
}

func clockGraph(ticks int) *graph.Graph[clock] {
	g := graph.New("clock", tick)
	g.Node("tick", func(ctx context.Context, s clock) (graph.Update[clock], error) {
		n := len(s.Ticks)
		if n%every == every-1 {
			if _, err := graph.Interrupt[int](ctx, fmt.Sprint("at ", n), n); err != nil {
				return nil, err
			}
		}
		return graph.Update[clock]{tick.Set([]int{n})}, nil
	}, graph.MaxVisits(ticks))
	g.Edge(graph.Begin, "tick")
	g.Branch("tick", func(s clock) string {
		if len(s.Ticks) < ticks {
			return "tick"
		}
		return graph.End
	}, "tick", graph.End)
	return g
}

func runClock(ctx context.Context, app *graph.App[clock], thread string) error {
	_, err := app.Run(ctx, thread, graph.Start(clock{}))
	var p *graph.Paused
	for n := every - 1; errors.As(err, &p); n += every {
		_, err = app.Run(ctx, thread, graph.Resume[clock](graph.AnswerTo(p.Pauses[0].ID, n, thread)))
	}
	return err
}

// checkClock checks that all of a thread is there: its state, its checkpoints and
// the answers that it was given.
func checkClock(t *testing.T, dir, thread string, ticks int) {
	t.Helper()
	store, err := openStore(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	app, err := clockGraph(ticks).Compile(graph.Config{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	var want, steps []int
	for i := range ticks {
		want = append(want, i)
	}
	got, err := app.Run(t.Context(), thread, graph.Continue[clock]())
	if diff := cmp.Diff(want, got.Ticks); err != nil || diff != "" {
		t.Errorf("%s: %v, ticks (-want +got):\n%s", thread, err, diff)
	}
	for c, err := range store.History(t.Context(), thread) {
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, c.Step)
	}
	if diff := cmp.Diff(append(want, ticks), steps); diff != "" {
		t.Errorf("%s: checkpoints (-want +got):\n%s", thread, diff)
	}
	l, err := store.Load(t.Context(), thread, -1)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range l.Answers {
		if n := (i+1)*every - 1; string(a.Value) != fmt.Sprint(n) || a.Who != thread {
			t.Errorf("%s: answer %d is %s by %s", thread, i, a.Value, a.Who)
		}
	}
	if len(l.Answers) != ticks/every {
		t.Errorf("%s: %d answers, want %d", thread, len(l.Answers), ticks/every)
	}
}

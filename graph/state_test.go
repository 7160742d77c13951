package graph_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

func TestStateOfAPausedThread(t *testing.T) {
	l := pausedTrip(t, newTrip())
	store := memoryOf(t, l)
	app := compiled(t, newTrip(), store)
	snap, err := app.State(t.Context(), "t")
	if err != nil || len(snap.Pauses) != 1 {
		t.Fatalf("%+v, %v", snap, err)
	}
	p := snap.Pauses[0]
	want := graph.Snapshot[trip]{
		Thread: "t", Run: l.Run, Step: 1, At: l.Checkpoint.At, Status: graph.StatusPaused,
		State: trip{Name: "to Rome", Stops: []stop{{"home", 0}}},
		Next:  []string{"visit[0]", "visit[1]", "visit[2]"},
		Pauses: []graph.Pause{{ID: p.ID, Node: "visit", Task: "visit[1]", Key: "visa", Shown: p.Shown,
			Payload: []byte(`{"City":"Rome","Cost":4}`), Schema: []byte(`{"type":"boolean","format":"bool"}`)}},
	}
	if diff := cmp.Diff(want, snap); diff != "" {
		t.Error(diff)
	}
	if err := app.Answer(t.Context(), "t", graph.AnswerTo(p.ID, true, "ann")); err != nil {
		t.Fatal(err)
	}
	snap, err = app.State(t.Context(), "t")
	want.Pauses = []graph.Pause{}
	want.Answers = []graph.AnswerRow{{ID: p.ID, Node: "visit", Key: "visa", Value: []byte("true"), Who: "ann", At: want.At, Shown: p.Shown}}
	if diff := cmp.Diff(want, snap); diff != "" || err != nil {
		t.Error("answered, but not run:", diff, err)
	}
	s, err := app.Run(t.Context(), "t", graph.Continue[trip]())
	if diff := cmp.Diff(wholeTrip, s); diff != "" || err != nil {
		t.Error(diff, err)
	}
	snap, err = app.State(t.Context(), "t")
	want.Step, want.Status, want.State, want.Next, want.Pauses = 3, graph.StatusDone, wholeTrip, []string{}, nil
	if diff := cmp.Diff(want, snap); diff != "" || err != nil {
		t.Error("done:", diff, err)
	}
}

func TestStateOfAFailedThread(t *testing.T) {
	g := graph.New("failing", journalDay, journalWidth, journalPages)
	task := graph.Task(g, "work", func(_ context.Context, i int) (graph.Update[journal], error) {
		if i == 1 {
			return nil, errors.New("no \xff luck")
		}
		return graph.Update[journal]{journalPages.Set([]string{"one"})}, nil
	})
	g.Fan(graph.Begin, func(journal) []graph.Send[journal] {
		return []graph.Send[journal]{task.Send(0), task.Send(1), task.Send(2)}
	}, graph.End, task)
	app := compiled(t, g, graph.NewMemory())
	_, err := app.Run(t.Context(), "t", graph.Start(journal{Day: 7}))
	if _, ok := errors.AsType[*graph.NodeError](err); !ok {
		t.Fatal(err)
	}
	snap, err := app.State(t.Context(), "t")
	want := graph.Snapshot[journal]{Thread: "t", Run: snap.Run, At: snap.At, State: journal{Day: 7},
		Next: []string{"work[0]", "work[1]", "work[2]"}, Status: graph.StatusFailed, Failed: []string{"work[1] (step 0): no \ufffd luck"}}
	if diff := cmp.Diff(want, snap); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestReadingNeedsAStoreAndAThread(t *testing.T) {
	for want, store := range map[error]graph.Checkpointer{graph.ErrNoStore: nil, graph.ErrNoThread: graph.NewMemory()} {
		app := compiled(t, newJournal(), store)
		_, err := app.State(t.Context(), "t")
		forked, answered := app.Fork(t.Context(), "t", -1, "u", nil), app.Answer(t.Context(), "t")
		var listed error
		for _, err := range app.History(t.Context(), "t") {
			listed = err
		}
		for _, err := range []error{err, forked, answered, listed} {
			if !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		}
	}
}

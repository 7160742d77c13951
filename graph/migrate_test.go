package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// oldTrip is a form of the trip that is gone: its node "ask" is "approve" now,
// its member Mood is dropped, and Days is new.
type oldTrip struct{ Name, Mood string }

type newerTrip struct {
	Name string
	Days int
	Log  []string
}

var (
	oldName  = graph.Last("title", func(s *oldTrip) *string { return &s.Name })
	oldMood  = graph.Last("mood", func(s *oldTrip) *string { return &s.Mood })
	newName  = graph.Last("name", func(s *newerTrip) *string { return &s.Name })
	newDays  = graph.Last("days", func(s *newerTrip) *int { return &s.Days })
	newLog   = graph.Append("log", func(s *newerTrip) *[]string { return &s.Log })
	askedOld = func(ctx context.Context, s oldTrip) (graph.Update[oldTrip], error) {
		_, err := graph.Interrupt[bool](ctx, "go", s.Name)
		return nil, err
	}
)

// oldThread gives the store of a paused thread of the old graph, and its hash.
func oldThread(t *testing.T) (*graph.Memory, string) {
	g := graph.New("trip", oldName, oldMood)
	g.Node("ask", askedOld)
	g.Edge(graph.Begin, "ask")
	g.Edge("ask", graph.End)
	store := graph.NewMemory()
	app := compiled(t, g, store)
	_, err := app.Run(t.Context(), "t", graph.Start(oldTrip{"Rome", "good"}))
	if _, ok := errors.AsType[*graph.Paused](err); !ok {
		t.Fatal(err)
	}
	return store, app.Hash()
}

func newerGraph() *graph.Graph[newerTrip] {
	g := graph.New("trip", newName, newDays, newLog)
	pause := func(key string, u ...graph.Write[newerTrip]) graph.Node[newerTrip] {
		return func(ctx context.Context, s newerTrip) (graph.Update[newerTrip], error) {
			_, err := graph.Interrupt[bool](ctx, key, s.Name)
			return u, err
		}
	}
	g.Node("approve", pause("go", newDays.Set(3), newLog.Set([]string{"approved"})))
	g.Node("pay", pause("pay", newLog.Set([]string{"paid"})))
	g.Edge(graph.Begin, "approve")
	g.Edge("approve", "pay")
	g.Edge("pay", graph.End)
	return g
}

// allowAll goes on with a thread until it asks for nothing more; every run loads
// what the one before it stored.
func allowAll[S any](t *testing.T, app *graph.App[S], thread string) (S, error) {
	t.Helper()
	s, err := app.Run(t.Context(), thread, graph.Continue[S]())
	for range 9 {
		if _, ok := errors.AsType[*graph.Paused](err); !ok {
			break
		}
		s, err = app.Run(t.Context(), thread, graph.Resume[S](graph.AnswerTo("", true, "ann")))
	}
	return s, err
}

// renameAndDrop is what the program gives to Migrate.
func renameAndDrop(l *graph.Loaded) error {
	c := &l.Checkpoint
	c.Fields = slices.DeleteFunc(c.Fields, func(r graph.FieldRow) bool { return r.Field == "mood" })
	for i := range c.Fields {
		if c.Fields[i].Field == "title" {
			c.Fields[i].Field = "name"
		}
	}
	return l.RenameNode("ask", "approve")
}

// https://github.com/langchain-ai/langgraphjs/pull/2608: there, a thread whose
// node was renamed ends at once, and nothing ran.
func TestChangedGraphIsRefusedWithBothHashes(t *testing.T) {
	store, old := oldThread(t)
	app := compiled(t, newerGraph(), store)
	before := loaded(t, store, "t")
	_, err := app.Run(t.Context(), "t", graph.Continue[newerTrip]())
	want := fmt.Sprintf(`graph: graph changed since the checkpoint: thread "t" was written by %q, this is "trip" with hash %q; allow it with Migrate(%q, …)`,
		old, app.Hash(), old)
	if fmt.Sprint(err) != want || !errors.Is(err, graph.ErrGraphChanged) {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = app.State(t.Context(), "t")
	forked := app.Fork(t.Context(), "t", -1, "u", nil)
	var listed error
	for _, err := range app.History(t.Context(), "t") {
		listed = err
	}
	for _, err := range []error{err, forked, listed} {
		if !errors.Is(err, graph.ErrGraphChanged) {
			t.Errorf("got %v, want ErrGraphChanged", err)
		}
	}
	after := loaded(t, store, "t")
	before.Updated = after.Updated
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error("the thread changed:", diff)
	}
}

func TestMigrateWithoutAFunctionStillNeedsTheNodes(t *testing.T) {
	store, old := oldThread(t)
	g := newerGraph()
	g.Migrate(old, func(l *graph.Loaded) error { l.Checkpoint.Fields = nil; return nil })
	_, err := compiled(t, g, store).Run(t.Context(), "t", graph.Continue[newerTrip]())
	if !errors.Is(err, graph.ErrGraphChanged) || !strings.Contains(err.Error(), `stands at "ask", which is no such node now`) {
		t.Errorf("got %v", err)
	}
}

func TestFailingMigrationIsReported(t *testing.T) {
	cause := errors.New("cannot tell")
	for name, fn := range map[string]func(*graph.Loaded) error{
		"error": func(*graph.Loaded) error { return cause },
		"panic": func(*graph.Loaded) error { panic(cause) },
	} {
		store, old := oldThread(t)
		g := newerGraph()
		g.Migrate(old, fn)
		_, err := compiled(t, g, store).Run(t.Context(), "t", graph.Continue[newerTrip]())
		if !errors.Is(err, cause) || !strings.Contains(err.Error(), fmt.Sprintf(`migrate thread "t" from %q`, old)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestMigratedThreadGoesOnOverSeveralRuns(t *testing.T) {
	store, old := oldThread(t)
	g := newerGraph()
	g.Migrate(old, renameAndDrop)
	app := compiled(t, g, store)
	snap, err := app.State(t.Context(), "t")
	if diff := cmp.Diff(newerTrip{Name: "Rome"}, snap.State); diff != "" || err != nil || snap.Next[0] != "approve" {
		t.Fatal(diff, err, snap.Next)
	}
	s, err := allowAll(t, app, "t")
	want := newerTrip{"Rome", 3, []string{"approved", "paid"}}
	if diff := cmp.Diff(want, s); diff != "" || err != nil {
		t.Error(diff, err)
	}
	snap, err = app.State(t.Context(), "t")
	if diff := cmp.Diff(want, snap.State); diff != "" || err != nil {
		t.Error("what is stored:", diff, err)
	}
	if err := app.Fork(t.Context(), "t", -1, "u", nil); err != nil {
		t.Error(err)
	}
	var states []newerTrip
	for snap, err := range app.History(t.Context(), "t") {
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, snap.State)
	}
	if diff := cmp.Diff([]newerTrip{{Name: "Rome"}, {"Rome", 3, []string{"approved"}}, want}, states); diff != "" {
		t.Error(diff)
	}
}

// Without a rename or a drop: only members that are new.
func TestMembersThatAMigratedGraphAddsAreKept(t *testing.T) {
	ask := func(ctx context.Context) error { _, err := graph.Interrupt[bool](ctx, "go", "?"); return err }
	type before struct{ Name string }
	g := graph.New("trip", graph.Last("name", func(s *before) *string { return &s.Name }))
	for _, n := range []string{"approve", "pay"} {
		g.Node(n, func(ctx context.Context, _ before) (graph.Update[before], error) { return nil, ask(ctx) })
	}
	g.Edge(graph.Begin, "approve")
	g.Edge("approve", "pay")
	g.Edge("pay", graph.End)
	store := graph.NewMemory()
	old := compiled(t, g, store)
	if _, err := old.Run(t.Context(), "t", graph.Start(before{"Rome"})); err == nil {
		t.Fatal("it does not pause")
	}

	newer := newerGraph()
	newer.Migrate(old.Hash(), nil)
	app := compiled(t, newer, store)
	s, err := allowAll(t, app, "t")
	if diff := cmp.Diff(newerTrip{"Rome", 3, []string{"approved", "paid"}}, s); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// What a migration takes out does not come back from older checkpoints.
func TestListThatEachMigrationEmptiesStartsAnew(t *testing.T) {
	pause := func(ctx context.Context) error { _, err := graph.Interrupt[bool](ctx, "go", "?"); return err }
	build := func(name string) *graph.Graph[journal] {
		g := graph.New(name, journalDay, journalWidth, journalPages)
		for i, n := range []string{"a", "b", "c"} {
			g.Node(n, func(ctx context.Context, s journal) (graph.Update[journal], error) {
				return graph.Update[journal]{journalDay.Set(i), journalPages.Set([]string{name + n})}, pause(ctx)
			})
		}
		g.Edge(graph.Begin, "a")
		g.Edge("a", "b")
		g.Edge("b", "c")
		g.Edge("c", graph.End)
		return g
	}
	store := graph.NewMemory()
	hash := ""
	for i, name := range []string{"first", "second", "third"} {
		g := build(name)
		if i > 0 {
			g.Migrate(hash, func(l *graph.Loaded) error {
				l.Checkpoint.Fields = slices.DeleteFunc(l.Checkpoint.Fields, func(r graph.FieldRow) bool { return r.Field == "pages" })
				return nil
			})
		}
		app := compiled(t, g, store)
		hash = app.Hash()
		in := graph.Resume[journal](graph.AnswerTo("", true, "ann"))
		if i == 0 {
			in = graph.Start(journal{Pages: []string{"old"}})
		}
		s, err := app.Run(t.Context(), "t", in)
		if _, ok := errors.AsType[*graph.Paused](err); !ok {
			t.Fatal(err)
		}
		want := [][]string{{"old"}, {"seconda"}, {"thirdb"}}[i]
		snap, err := app.State(t.Context(), "t")
		if !slices.Equal(s.Pages, want) || !slices.Equal(snap.State.Pages, want) || err != nil {
			t.Errorf("%s: got %q, stored %q, %v, want %q", name, s.Pages, snap.State.Pages, err, want)
		}
	}
}

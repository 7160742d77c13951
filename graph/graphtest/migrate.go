package graphtest

import (
	"context"
	"slices"

	"github.com/repomind/repomind/graph"
)

var migrateTests = tests{
	{"fields that a later graph adds are kept", migrateAdds},
	{"a field that a later graph drops stays dropped", migrateDrops},
	{"a field that a later graph renames is kept", migrateRenames},
}

// Two forms of a state.
type (
	older struct{ N, Old int }
	newer struct {
		N    int
		Note string
		Tags []string
	}
)

var (
	olderN   = graph.Last("n", func(s *older) *int { return &s.N })
	olderOld = graph.Last("old", func(s *older) *int { return &s.Old })
	newerN   = graph.Last("n", func(s *newer) *int { return &s.N })
	newerTxt = graph.Last("note", func(s *newer) *string { return &s.Note })
	newerTag = graph.Append("tags", func(s *newer) *[]string { return &s.Tags })
)

func asks[S any](write graph.Update[S]) graph.Node[S] {
	return func(ctx context.Context, _ S) (graph.Update[S], error) {
		_, err := graph.Interrupt[bool](ctx, "approve", "")
		return write, err
	}
}

// olderThread is the thread "t" as an older program left it, paused at "one".
func (e *env) olderThread() (hash string) {
	e.Helper()
	g := graph.New("g", olderN, olderOld)
	g.Node("one", asks[older](nil))
	line(g, "one")
	app := compile(e, g)
	pauses(e, app, "t", graph.Start(older{N: 1, Old: 2}))
	return app.Hash()
}

// newerGraph pauses at "one", "two" and "three", and writes behind each pause.
func newerGraph(from string, fn func(*graph.Loaded) error) *graph.Graph[newer] {
	g := graph.New("g", newerN, newerTxt, newerTag)
	for _, name := range []string{"one", "two", "three"} {
		g.Node(name, asks(graph.Update[newer]{newerTag.Set([]string{name}), newerTxt.Set(name)}))
	}
	line(g, "one", "two", "three")
	g.Migrate(from, fn)
	return g
}

// drop takes the rows of a field from what was loaded.
func drop(field string) func(*graph.Loaded) error {
	return func(l *graph.Loaded) error {
		l.Checkpoint.Fields = slices.DeleteFunc(l.Checkpoint.Fields, func(r graph.FieldRow) bool { return r.Field == field })
		return nil
	}
}

func migrateAdds(e *env) {
	type small struct{ N int }
	g := graph.New("g", graph.Last("n", func(s *small) *int { return &s.N }))
	g.Node("one", asks[small](nil))
	line(g, "one")
	before := compile(e, g)
	pauses(e, before, "t", graph.Start(small{1}))

	app := compile(e, newerGraph(before.Hash(), nil))
	want := newer{1, "three", []string{"one", "two", "three"}}
	e.equal(finish(e, app, "t", graph.Continue[newer]()), want)
	e.equal(state(e, app, "t").State, want)
}

func migrateDrops(e *env) {
	app := compile(e, newerGraph(e.olderThread(), drop("old")))
	want := newer{1, "three", []string{"one", "two", "three"}}
	e.equal(finish(e, app, "t", graph.Continue[newer]()), want)
	e.equal(state(e, app, "t").State, want)
}

func migrateRenames(e *env) {
	type renamed struct{ N, New int }
	n := graph.Last("n", func(s *renamed) *int { return &s.N })
	renewed := graph.Last("new", func(s *renamed) *int { return &s.New })
	g := graph.New("g", n, renewed)
	g.Node("one", asks(graph.Update[renamed]{n.Set(5)}))
	g.Node("two", asks[renamed](nil))
	line(g, "one", "two")
	g.Migrate(e.olderThread(), func(l *graph.Loaded) error {
		for i := range l.Checkpoint.Fields {
			if l.Checkpoint.Fields[i].Field == "old" {
				l.Checkpoint.Fields[i].Field = "new"
			}
		}
		return nil
	})
	app := compile(e, g)
	for s, err := range app.History(e.Context(), "t") {
		e.must(err)
		e.equal(s.State, renamed{1, 2})
	}
	e.equal(finish(e, app, "t", graph.Continue[renamed]()), renamed{5, 2})
}

package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/repomind/repomind/graph"
)

// compileState compiles a graph of no node but these fields.
func compileState[S any](fields ...graph.FieldOf[S]) error {
	g := graph.New("state", fields...)
	g.Edge(graph.Begin, graph.End)
	_, err := g.Compile(graph.Config{})
	return err
}

type point struct{ X, Y int }

type figure struct {
	Name    string
	At, To  point
	Corners [2]point
	Inner   struct{ Size point }
	_       int
}

func figureFields(more ...graph.FieldOf[figure]) []graph.FieldOf[figure] {
	return append([]graph.FieldOf[figure]{
		graph.Last("name", func(s *figure) *string { return &s.Name }),
		graph.Last("at.x", func(s *figure) *int { return &s.At.X }), // a member by its parts
		graph.Last("at.y", func(s *figure) *int { return &s.At.Y }),
		graph.Last("to", func(s *figure) *point { return &s.To }),
		graph.Last("corners", func(s *figure) *[2]point { return &s.Corners }),
		graph.Last("size", func(s *figure) *point { return &s.Inner.Size }),
	}, more...)
}

func TestEachMemberIsCoveredOnce(t *testing.T) {
	if err := compileState(figureFields()...); err != nil {
		t.Error(err)
	}
	if err := compileState(graph.Last("all", func(s *figure) *figure { return s })); err != nil {
		t.Errorf("the whole state as one field: %v", err)
	}
	if err := compileState[struct{}](); err != nil {
		t.Errorf("a state without members: %v", err)
	}
}

func TestMembersOfNoSizeAreCoveredOnce(t *testing.T) {
	type empty struct {
		A, B struct{}
		C    int
	}
	err := compileState(
		graph.Last("a", func(s *empty) *struct{} { return &s.A }),
		graph.Last("b", func(s *empty) *struct{} { return &s.B }),
		graph.Last("c", func(s *empty) *int { return &s.C }))
	if err != nil {
		t.Error(err)
	}
}

func TestCoverNamesEachFlaw(t *testing.T) {
	outside := new(int)
	ref := func(name string, f func(s *figure) *int) graph.FieldOf[figure] { return graph.Last(name, f) }
	var b strings.Builder
	for _, c := range []struct {
		name string
		err  error
	}{
		{"nothing is covered", compileState[figure]()},
		{"uncovered member", compileState(figureFields()[1:]...)},
		{"uncovered member of a member", compileState(append(figureFields()[:1], figureFields()[2:]...)...)},
		{"uncovered member of an anonymous struct", compileState(figureFields()[:5]...)},
		{"covered twice", compileState(figureFields(graph.Last("again", func(s *figure) *string { return &s.Name }))...)},
		{"covered whole and by parts", compileState(figureFields(ref("to.x", func(s *figure) *int { return &s.To.X }))...)},
		{"covered by parts and whole", compileState(figureFields(graph.Last("at", func(s *figure) *point { return &s.At }))...)},
		{"element of a covered array", compileState(figureFields(ref("corner", func(s *figure) *int { return &s.Corners[1].Y }))...)},
		{"empty name", compileState(graph.Last("", func(s *counter) *int { return &s.N }))},
		{"two fields of one name", compileState(
			graph.Last("x", func(s *point) *int { return &s.X }), graph.Last("x", func(s *point) *int { return &s.Y }))},
		{"outside of the state", compileState(graph.Last("n", func(*counter) *int { return outside }))},
		{"nil", compileState(graph.Last("n", func(*counter) *int { return nil }))},
		{"panic", compileState(graph.Last("n", func(s *struct{ P *int }) *int { *s.P = 1; return s.P }))},
		{"no function", compileState(
			graph.Last[point, int]("x", nil), graph.Reduce("y", func(s *point) *int { return &s.Y }, nil))},
		{"state is no struct", compileState(graph.Last("n", func(s *int) *int { return s }))},
	} {
		if c.err == nil {
			t.Errorf("%s: no problem is found", c.name)
		}
		fmt.Fprintf(&b, "# %s\n%v\n\n", c.name, c.err)
	}
	golden(t, "cover.problems", b.String())
}

func TestFieldNamesThatCannotBeStoredAreRefused(t *testing.T) {
	// The rows of a fan's tasks hold the name as JSON, which would alter it.
	if err := compileState(graph.Last("n\xff", func(s *counter) *int { return &s.N })); err == nil {
		t.Error(`the name "n\xff" compiles`)
	}
}

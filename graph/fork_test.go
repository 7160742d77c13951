package graph_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// kept is all that a store holds of a thread.
type kept struct {
	Steps []graph.Checkpoint
	Open  *graph.Loaded
}

func keptOf(t testing.TB, store graph.Checkpointer, thread string) kept {
	t.Helper()
	k := kept{Open: loaded(t, store, thread)}
	for c, err := range store.History(t.Context(), thread) {
		if err != nil {
			t.Fatal(err)
		}
		k.Steps = append(k.Steps, c)
	}
	return k
}

// https://github.com/langchain-ai/langgraph/pull/7498,
// https://github.com/langchain-ai/langgraph/issues/6326,
// https://github.com/langchain-ai/langgraphjs/issues/1796 and
// https://github.com/langchain-ai/langgraphjs/issues/2737
func TestForkAtEachStepGoesOnAsTheThreadDid(t *testing.T) {
	app, store := newJournalRun(t, 1)
	before := keptOf(t, store, "t")
	for step, s := range recorded(1) {
		for name, c := range map[string]struct {
			update graph.Update[journal]
			change func(*journal)
		}{
			"plain":  {nil, func(*journal) {}},
			"Append": {graph.Update[journal]{journalPages.Set([]string{"x", "y"})}, func(s *journal) { s.Pages = append(s.Pages, "x", "y") }},
			"Reset":  {graph.Update[journal]{journalPages.Reset([]string{"z"})}, func(s *journal) { s.Pages = []string{"z"} }},
			"Set":    {graph.Update[journal]{journalDay.Set(s.Day/2 + 1)}, func(s *journal) { s.Day = s.Day/2 + 1 }},
			"all": {graph.Update[journal]{journalPages.Reset(nil), journalPages.Set([]string{"x"}), journalDay.Set(journalDays)},
				func(s *journal) { *s = journal{journalDays, 1, []string{"x"}} }},
		} {
			to := fmt.Sprintf("%s-%d", name, step)
			want := journal{s.Day, s.Width, append([]string(nil), s.Pages...)}
			c.change(&want)
			if err := app.Fork(t.Context(), "t", step, to, c.update); err != nil {
				t.Fatal(to, err)
			}
			snap, err := app.State(t.Context(), to)
			if diff := cmp.Diff(want, snap.State, short); diff != "" || err != nil || snap.Step != step {
				t.Fatal(to, snap.Step, err, diff)
			}
			for first := true; step < journalDays && (first || want.Day < journalDays); first = false {
				want = want.after() // at least once, because that was chosen before
			}
			got, err := app.Run(t.Context(), to, graph.Continue[journal](), graph.VisitLimit("write", 2*journalDays))
			if diff := cmp.Diff(want, got, short); diff != "" || err != nil {
				t.Fatal(to, err, diff)
			}
			if again, err := app.State(t.Context(), to); !cmp.Equal(want, again.State) || err != nil {
				t.Fatal(to, "is stored otherwise", err)
			}
		}
	}
	if !reflect.DeepEqual(before, keptOf(t, store, "t")) {
		t.Error("the old thread changed")
	}
}

func TestForkOfALongList(t *testing.T) {
	app, store := newJournalRun(t, wide)
	before := keptOf(t, store, "t")
	for step, s := range recorded(wide) {
		to := fmt.Sprint(step)
		err := app.Fork(t.Context(), "t", step, to, graph.Update[journal]{journalPages.Set([]string{"x"})})
		snap, stateErr := app.State(t.Context(), to)
		if diff := cmp.Diff(append(s.Pages, "x"), snap.State.Pages, short); diff != "" || err != nil || stateErr != nil {
			t.Error(step, err, stateErr, diff)
		}
	}
	if !reflect.DeepEqual(before, keptOf(t, store, "t")) {
		t.Error("the old thread changed")
	}
}

// https://github.com/langchain-ai/langgraph/issues/6663
func TestForkTakesNoAnswersResultsOrEffectsAlong(t *testing.T) {
	store := memoryOf(t, pausedTrip(t, newTrip()))
	app := compiled(t, newTrip(), store)
	old, err := app.State(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	if err := app.Answer(t.Context(), "t", graph.AnswerTo(old.Pauses[0].ID, true, "ann")); err != nil {
		t.Fatal(err)
	}
	if err := app.Fork(t.Context(), "t", -1, "u", graph.Update[trip]{tripTotal.Set(100)}); err != nil {
		t.Fatal(err)
	}
	l := loaded(t, store, "u")
	if len(l.Tasks)+len(l.Effects)+len(l.Answers) > 0 || l.Run == loaded(t, store, "t").Run {
		t.Errorf("taken along: %+v", l)
	}
	_, err = app.Run(t.Context(), "u", graph.Continue[trip]())
	p, ok := errors.AsType[*graph.Paused](err)
	if !ok || p.Pauses[0].ID == old.Pauses[0].ID {
		t.Fatalf("got %v, want the question anew", err)
	}
	if _, err := app.Run(t.Context(), "u", graph.Resume[trip](graph.AnswerTo(old.Pauses[0].ID, true, "ann"))); !errors.Is(err, graph.ErrUnknownInterrupt) {
		t.Errorf("the old id: got %v", err)
	}
	s, err := app.Run(t.Context(), "u", allowed())
	if s.Total != 112 || err != nil {
		t.Errorf("got %+v, %v", s, err)
	}
}

// https://github.com/langchain-ai/langgraphjs/issues/1796: an update there jumps
// to END. Here what comes next was chosen when the step was taken, and stays.
func TestForkDoesNotChooseAnew(t *testing.T) {
	app, _ := newJournalRun(t, 1)
	if err := app.Fork(t.Context(), "t", 5, "u", graph.Update[journal]{journalDay.Set(journalDays + 5)}); err != nil {
		t.Fatal(err)
	}
	snap, err := app.State(t.Context(), "u")
	if diff := cmp.Diff([]string{"write"}, snap.Next); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if s, err := app.Run(t.Context(), "u", graph.Continue[journal]()); s.Day != journalDays+6 || err != nil {
		t.Errorf("day %d, %v", s.Day, err)
	}
}

func TestForkRefusesWhatARunWouldRefuse(t *testing.T) {
	reject := errors.New("too late")
	g := newJournal()
	g.Validate(func(s journal) error {
		if s.Day == 99 {
			panic("cannot count so far")
		}
		if s.Day > journalDays {
			return reject
		}
		return nil
	})
	store := graph.NewMemory()
	app := compiled(t, g, store)
	if _, err := app.Run(t.Context(), "t", graph.Start(journal{})); err != nil {
		t.Fatal(err)
	}
	foreign := graph.Last("day", func(s *journal) *int { return &s.Day }) // of the same name
	day := journalDay.Set(3)
	for name, c := range map[string]struct {
		step int
		to   string
		u    graph.Update[journal]
		want error
	}{
		"unknown field":  {3, "u", graph.Update[journal]{foreign.Set(1)}, graph.ErrUnknownField},
		"empty write":    {3, "u", graph.Update[journal]{{}}, graph.ErrUnknownField},
		"two writes":     {3, "u", graph.Update[journal]{day, day}, graph.ErrConcurrentWrite},
		"invalid state":  {3, "u", graph.Update[journal]{journalDay.Set(50)}, graph.ErrInvalidState},
		"its cause":      {3, "u", graph.Update[journal]{journalDay.Set(50)}, reject},
		"invalid UTF-8":  {3, "u", graph.Update[journal]{journalPages.Set([]string{"\xff"})}, graph.ErrInvalidUTF8},
		"existing":       {3, "t", nil, graph.ErrThreadExists},
		"no such step":   {journalDays + 1, "u", nil, graph.ErrNoThread},
		"not a thread":   {3, "u|1.0", nil, nil},
		"without a name": {3, "", nil, nil},
	} {
		err := app.Fork(t.Context(), "t", c.step, c.to, c.u)
		if err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
		if _, err := store.Load(t.Context(), "u", -1); !errors.Is(err, graph.ErrNoThread) {
			t.Fatalf("%s: the thread was made", name)
		}
	}
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("a panic of Validate comes through: %v", v)
		}
	}()
	var p *graph.PanicError
	if err := app.Fork(t.Context(), "t", 3, "u", graph.Update[journal]{journalDay.Set(99)}); !errors.As(err, &p) {
		t.Errorf("got %v, want the panic", err)
	}
}

func TestForkInsideAFanRunsItsTasksAndItsSubGraphAnew(t *testing.T) {
	inner := newJournal()
	day := graph.Last("day", func(s *counter) *int { return &s.N })
	outer := graph.New("outer", day)
	sub := graph.SubTask(outer, "sub", inner, func(i int) journal { return journal{Day: journalDays + i} },
		func(s journal) graph.Update[counter] { return graph.Update[counter]{day.Set(s.Day)} })
	outer.Node("ask", func(ctx context.Context, s counter) (graph.Update[counter], error) {
		_, err := graph.Interrupt[bool](ctx, "ok", s.N)
		return nil, err
	})
	outer.Fan(graph.Begin, func(s counter) []graph.Send[counter] { return []graph.Send[counter]{sub.Send(s.N)} }, "ask", sub)
	outer.Edge("ask", graph.End)
	app := compiled(t, outer, graph.NewMemory())
	if _, err := app.Run(t.Context(), "t", graph.Start(counter{10})); err == nil {
		t.Fatal("it does not pause")
	}
	// The argument of the task was sent before the fork, and stays.
	if err := app.Fork(t.Context(), "t", 0, "u", graph.Update[counter]{day.Set(1)}); err != nil {
		t.Fatal(err)
	}
	s, err := app.Run(t.Context(), "u", graph.Continue[counter]())
	if _, ok := errors.AsType[*graph.Paused](err); !ok || s.N != journalDays+11 {
		t.Errorf("got %+v, %v", s, err)
	}
}

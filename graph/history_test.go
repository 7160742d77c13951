package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// A journal begins with pages so large that its list is soon stored whole again,
// and it is replaced once.
type journal struct {
	Day   int
	Width int
	Pages []string
}

const wide = 90_000

var (
	journalDay   = graph.Last("day", func(s *journal) *int { return &s.Day })
	journalWidth = graph.Last("width", func(s *journal) *int { return &s.Width })
	journalPages = graph.Append("pages", func(s *journal) *[]string { return &s.Pages })
)

const (
	journalDays = 9
	idleDay     = 3
	resetDay    = 7
)

func (s journal) page(day int) string {
	if day < 5 {
		return fmt.Sprint(day, strings.Repeat("-", s.Width))
	}
	return fmt.Sprint(day)
}

func newJournal() *graph.Graph[journal] {
	g := graph.New("journal", journalDay, journalWidth, journalPages)
	g.Node("write", func(_ context.Context, s journal) (graph.Update[journal], error) {
		day := s.Day + 1
		pages := journalPages.Set([]string{s.page(day)})
		switch day {
		case idleDay:
			pages = journalPages.Set(nil)
		case resetDay:
			pages = journalPages.Reset([]string{s.page(day), "and no more"})
		}
		return graph.Update[journal]{journalDay.Set(day), pages}, nil
	}, graph.MaxVisits(journalDays))
	g.Edge(graph.Begin, "write")
	g.Branch("write", func(s journal) string {
		if s.Day < journalDays {
			return "write"
		}
		return graph.End
	}, "write", graph.End)
	return g
}

// after gives what the journal is a day later, by the plain rules.
func (s journal) after() journal {
	s.Day++
	switch s.Day {
	case idleDay:
	case resetDay:
		s.Pages = []string{s.page(s.Day), "and no more"}
	default:
		s.Pages = append(s.Pages[:len(s.Pages):len(s.Pages)], s.page(s.Day))
	}
	return s
}

// recorded is the state of the journal at each step.
func recorded(width int) []journal {
	states := []journal{{Width: width}}
	for day := range journalDays {
		states = append(states, states[day].after())
	}
	return states
}

func newJournalRun(t testing.TB, width int) (*graph.App[journal], *graph.Memory) {
	t.Helper()
	store := graph.NewMemory()
	app := compiled(t, newJournal(), store)
	if _, err := app.Run(t.Context(), "t", graph.Start(journal{Width: width})); err != nil {
		t.Fatal(err)
	}
	return app, store
}

// short keeps the failures readable.
var short = cmp.Transformer("short", func(s string) string { return strings.TrimRight(s, "-") })

func TestHistoryGivesTheStateAfterEachStep(t *testing.T) {
	app, store := newJournalRun(t, wide)
	var got, want []graph.Snapshot[journal]
	for snap, err := range app.History(t.Context(), "t") {
		if err != nil {
			t.Fatal(err)
		}
		snap.Run = "" // see below
		got = append(got, snap)
	}
	at := time.Unix(1_800_000_000, 0).UTC()
	for step, s := range recorded(wide) {
		next := []string{"write"}
		if step == journalDays {
			next = []string{}
		}
		want = append(want, graph.Snapshot[journal]{Thread: "t", Step: step, At: at, State: s, Next: next})
	}
	if diff := cmp.Diff(want, got, short); diff != "" {
		t.Error(diff)
	}
	wholes := 0
	for c, err := range store.History(t.Context(), "t") {
		for _, r := range c.Fields {
			if err == nil && r.Field == "pages" && !r.Delta {
				wholes++
			}
		}
	}
	if wholes != 3 { // the first, the one that ends the long chain, the Reset
		t.Errorf("the list was stored whole %d times, want 3", wholes)
	}
}

func TestHistorySaysWhichRun(t *testing.T) {
	app, store := newJournalRun(t, wide)
	for snap, err := range app.History(t.Context(), "t") {
		if want := loaded(t, store, "t").Run; snap.Run != want || err != nil {
			t.Fatalf("got %q, %v, want %q", snap.Run, err, want)
		}
	}
}

func TestHistoryOfANodeThatAppendsIsNotShared(t *testing.T) {
	app, _ := newJournalRun(t, wide)
	var snaps []graph.Snapshot[journal]
	for snap, err := range app.History(t.Context(), "t") {
		if err != nil {
			t.Fatal(err)
		}
		snap.State.Pages = append(snap.State.Pages, "scribble") // must not reach the next one
		snaps = append(snaps, snap)
	}
	for i, s := range recorded(wide) {
		if diff := cmp.Diff(append(s.Pages, "scribble"), snaps[i].State.Pages, short); diff != "" {
			t.Fatalf("step %d: %s", i, diff)
		}
	}
}

func TestHistoryAfterPruneBeginsLater(t *testing.T) {
	app, store := newJournalRun(t, wide)
	if _, err := store.Prune(t.Context(), graph.Retention{Steps: 4}); err != nil {
		t.Fatal(err)
	}
	step := journalDays - 3
	for snap, err := range app.History(t.Context(), "t") {
		if diff := cmp.Diff(recorded(wide)[step], snap.State, short); diff != "" || err != nil || snap.Step != step {
			t.Fatalf("step %d is %d, %v: %s", step, snap.Step, err, diff)
		}
		step++
	}
	if step != journalDays+1 {
		t.Errorf("it ends before step %d", step)
	}
}

func TestHistoryCanBeLeft(t *testing.T) {
	app, _ := newJournalRun(t, wide)
	n := 0
	for range app.History(t.Context(), "t") {
		if n++; n == 2 {
			break
		}
	}
	if _, err := app.State(t.Context(), "t"); err != nil || n != 2 { // nothing is locked
		t.Error(n, err)
	}
}

package sqlite_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
)

var update = flag.Bool("update", false, "make the golden file anew")

// golden is a file as version 1 of the store writes it, with the thread "golden"
// halfway through its fan. Once a release has written such files it must not be
// made anew: every later version must go on with it.
const golden = "../testdata/v1.sqlite"

func TestGoldenFileGoesOn(t *testing.T) {
	if *update {
		makeGolden(t)
	}
	e := visits{}
	app := goldenGraph(t, open(t, sqlite.Config{Path: copyOf(t, golden)}), e)

	s, err := app.State(t.Context(), "golden")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, s.State, work{Text: strings.Repeat("<ü>", 500), Log: []string{"anew", "gate 41: go"}})
	diff(t, s.Next, []string{"read[0]", "review[1]", "check[2]"})
	diff(t, []any{s.Status, s.Step, s.At}, []any{graph.StatusPaused, 3, goldenTime})
	diff(t, answered(s.Answers), []string{`gate "go" by alice`, `ask "good" by bob`})
	diff(t, len(s.Pauses), 1) // the other question is answered, but its task has not gone on
	diff(t, s.Pauses[0].Task, "check[2]")

	got, err := app.Run(t.Context(), "golden", graph.Resume[work](graph.AnswerTo(s.Pauses[0].ID, "fine", "carol")))
	if err != nil {
		t.Fatal(err)
	}
	diff(t, got, work{N: 6, Text: strings.Repeat("<ü>", 500), Log: []string{
		"anew", "gate 41: go", "read first", "draft of all", "ask 42: good", "check 43: fine",
	}})
	diff(t, e, visits{"ask": 1, "check": 1, "join": 1})
}

func TestGoldenFileHasItsHistory(t *testing.T) {
	app := goldenGraph(t, open(t, sqlite.Config{Path: copyOf(t, golden)}), visits{})
	var logs []string
	for s, err := range app.History(t.Context(), "golden") {
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, strings.Join(s.State.Log, ", "))
	}
	diff(t, logs, []string{"begun", "begun, planned", "anew", "anew, gate 41: go"})
}

// makeGolden writes the file: a question that is answered and used, one that is
// answered and not used, and an open one; rows of every kind.
func makeGolden(t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "v1.sqlite")
	s, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	app := goldenGraph(t, s, visits{})
	_, err = app.Run(t.Context(), "golden", graph.Start(work{Log: []string{"begun"}}))
	p, ok := errors.AsType[*graph.Paused](err)
	if !ok {
		t.Fatal(err)
	}
	_, err = app.Run(t.Context(), "golden", graph.Resume[work](graph.AnswerTo(p.Pauses[0].ID, "go", "alice")))
	if p, ok = errors.AsType[*graph.Paused](err); !ok || len(p.Pauses) != 2 {
		t.Fatal(err)
	}
	if err := app.Answer(t.Context(), "golden", graph.AnswerTo(p.Pauses[0].ID, "good", "bob")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(golden, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func answered(rows []graph.AnswerRow) (all []string) {
	for _, r := range rows {
		all = append(all, r.Key+" "+string(r.Value)+" by "+r.Who)
	}
	return all
}

func diff(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// copyOf gives a copy of a file that may be written to.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

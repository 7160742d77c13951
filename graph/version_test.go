package graph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// Stops had the form ["Rome"] in version 1 and {"Rome":2} in version 2.
func olderStops(l *graph.Loaded) {
	for i := range l.Checkpoint.Fields {
		switch r := &l.Checkpoint.Fields[i]; {
		case r.Field != "stops":
		case r.Delta:
			r.Version, r.Data = 2, []byte(`{"home":0}`)
		default:
			r.Version, r.Data = 1, []byte(`["Genf"]`)
		}
	}
	l.Tasks[0].Data = bytes.Replace(l.Tasks[0].Data,
		[]byte(`{"field":"stops","version":3,"value":[{"City":"Bern","Cost":2}]}`),
		[]byte(`{"field":"stops","version":1,"value":["Bern"]}`), 1)
}

func upgradeStops(old int, data []byte) ([]byte, error) {
	var stops []stop
	switch old {
	case 1:
		var names []string
		if err := json.Unmarshal(data, &names); err != nil {
			return nil, err
		}
		for _, n := range names {
			stops = append(stops, stop{n, 0})
		}
	case 2:
		var costs map[string]int
		if err := json.Unmarshal(data, &costs); err != nil {
			return nil, err
		}
		for n, c := range costs {
			stops = append(stops, stop{n, c})
		}
	default:
		return nil, fmt.Errorf("version %d is too old", old)
	}
	return json.Marshal(stops)
}

func tripWith(migrate func(int, []byte) ([]byte, error)) *graph.Graph[trip] {
	stops := graph.Append("stops", func(s *trip) *[]stop { return &s.Stops }, graph.Version(3, migrate))
	return newTrip(tripName, tripTotal, stops)
}

// https://github.com/langchain-ai/docs/pull/3843
func TestOldVersionsOfAFieldAreMigratedPieceByPiece(t *testing.T) {
	g := tripWith(upgradeStops)
	l := pausedTrip(t, g)
	olderStops(l)
	store := memoryOf(t, l)
	s, err := compiled(t, g, store).Run(t.Context(), "t", allowed())
	want := trip{"to Rome for 12", 12, []stop{{"Genf", 0}, {"home", 0}, {"Bern", 0}, {"Rome", 4}, {"Oslo", 6}}}
	if diff := cmp.Diff(want, s); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	snap, err := compiled(t, g, store).State(t.Context(), "t")
	if diff := cmp.Diff(want, snap.State); diff != "" || err != nil {
		t.Error("old and new pieces together:", diff, err)
	}
	if r := loaded(t, store, "t").Checkpoint.Fields; r[slices.IndexFunc(r, func(r graph.FieldRow) bool { return r.Field == "stops" })].Version != 1 {
		t.Error("the old rows were rewritten")
	}
}

func TestOldVersionsWithoutAMigrationAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		migrate func(int, []byte) ([]byte, error)
		version int
		want    string
	}{
		"none":    {nil, 1, "stored 1, this program has 3"},
		"newer":   {upgradeStops, 4, "stored 4, this program has 3"},
		"fails":   {upgradeStops, 0, "version 0 is too old"},
		"garbage": {func(int, []byte) ([]byte, error) { return []byte("{"), nil }, 1, "unexpected EOF"},
		"panics":  {func(int, []byte) ([]byte, error) { panic("no way") }, 1, "no way"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if v := recover(); v != nil {
					t.Errorf("panic: %v", v)
				}
			}()
			g := tripWith(c.migrate)
			l := pausedTrip(t, g)
			for i := range l.Checkpoint.Fields {
				if l.Checkpoint.Fields[i].Field == "stops" {
					l.Checkpoint.Fields[i].Version = c.version
				}
			}
			_, err := compiled(t, g, memoryOf(t, l)).Run(t.Context(), "t", allowed())
			f, ok := errors.AsType[*graph.FieldError](err)
			if !ok || f.Field != "stops" || !strings.Contains(f.Error(), c.want) {
				t.Errorf("got %v, want a FieldError with %q", err, c.want)
			}
			if refused := name == "none" || name == "newer"; errors.Is(err, graph.ErrFieldVersion) != refused {
				t.Errorf("got %v, is ErrFieldVersion: %v", err, !refused)
			}
		})
	}
}

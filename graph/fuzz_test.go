package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// https://github.com/langchain-ai/langgraph/issues/8522 (CVE-2026-28277): there,
// what a checkpoint holds decides what is built. Here whatever it holds is read
// into the types of the graph, or is an error.

// reread loads a damaged trip. What can be read is forked, which stores it again,
// and has to be read as the same.
func reread(t *testing.T, l *graph.Loaded) {
	store := memoryOf(t, l)
	app := compiled(t, newTrip(), store)
	snap, err := app.State(t.Context(), "t")
	if err != nil {
		return
	}
	all := graph.Update[trip]{tripName.Reset(snap.State.Name), tripTotal.Reset(snap.State.Total), tripStops.Reset(snap.State.Stops)}
	if err := app.Fork(t.Context(), "t", -1, "u", all); err != nil {
		t.Fatalf("read, but not stored: %v", err)
	}
	again, err := app.State(t.Context(), "u")
	if err != nil {
		t.Fatalf("stored, but not read: %v", err)
	}
	if diff := cmp.Diff(snap.State, again.State); diff != "" {
		t.Fatal("stored otherwise:", diff)
	}
	if diff := cmp.Diff(snap.Next, again.Next); diff != "" {
		t.Fatal("goes on otherwise:", diff)
	}
}

func FuzzFrontier(f *testing.F) {
	base := pausedTrip(f, newTrip())
	for _, seed := range []string{string(base.Checkpoint.Frontier), `{"tasks":[]}`, `{"tasks":[{"node":"plan"}],"visits":{"plan":-1}}`,
		`{"tasks":[{"node":"report","arg":1}]}`, `{"from":"plan","tasks":[{"node":"visit","arg":null}]}`, "null", "{}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := *base
		l.Checkpoint.Frontier, l.Tasks, l.Effects = data, nil, nil
		reread(t, &l)
		// With its rows it can be at odds too, and it must be possible to go on.
		l.Tasks, l.Effects = base.Tasks, base.Effects
		app := compiled(t, newTrip(), memoryOf(t, &l))
		if _, err := app.State(t.Context(), "t"); err == nil {
			_, err = app.Run(t.Context(), "t", graph.Continue[trip]())
			_, paused := errors.AsType[*graph.Paused](err)
			_, failed := errors.AsType[*graph.NodeError](err)
			if err != nil && !paused && !failed && !errors.Is(err, graph.ErrStepLimit) {
				t.Errorf("%s: %v", data, err)
			}
		}
	})
}

func FuzzField(f *testing.F) {
	base := pausedTrip(f, newTrip())
	for i, r := range base.Checkpoint.Fields {
		f.Add(i, r.Data, r.Delta)
	}
	f.Add(0, []byte(`"\ud800\ufffd"`), false)
	f.Add(2, []byte(`[{"city":"x","Cost":-0},null]`), true)
	f.Fuzz(func(t *testing.T, i int, data []byte, delta bool) {
		l := *base
		l.Checkpoint.Fields = append([]graph.FieldRow(nil), l.Checkpoint.Fields...)
		r := &l.Checkpoint.Fields[uint(i)%uint(len(l.Checkpoint.Fields))]
		r.Data, r.Delta = data, delta
		reread(t, &l)
		_, err := compiled(t, newTrip(), memoryOf(t, &l)).State(t.Context(), "t")
		if fe, ok := errors.AsType[*graph.FieldError](err); err != nil && (!ok || fe.Field != r.Field) {
			t.Errorf("got %v, want a FieldError of %q", err, r.Field)
		}
	})
}

func FuzzTask(f *testing.F) {
	base := pausedTrip(f, newTrip())
	for _, r := range base.Tasks {
		f.Add(r.Index, string(r.State), r.Data)
	}
	f.Add(1, "failed", []byte(`{"error":"\ufffd"}`))
	f.Add(1, "paused", []byte(`{"pauses":[{}]}`))
	f.Add(0, "done", []byte(`{}`))
	f.Add(2, "started", []byte(`{}`))
	f.Fuzz(func(t *testing.T, index int, state string, data []byte) {
		l := *base
		l.Tasks = append(append([]graph.TaskRow(nil), l.Tasks...), graph.TaskRow{Index: index, State: graph.TaskState(state), Attempt: 1, Data: data})
		l.Effects = append(append([]graph.EffectRow(nil), l.Effects...), graph.EffectRow{Task: index, Key: state, Data: data})
		reread(t, &l)
	})
}

func FuzzEffect(f *testing.F) {
	base := pausedTrip(f, newTrip())
	for _, e := range base.Effects {
		f.Add(e.Task, e.Data)
	}
	f.Fuzz(func(t *testing.T, index int, data []byte) {
		l := *base
		l.Tasks, l.Effects = nil, []graph.EffectRow{{Task: index, Key: base.Effects[0].Key, Data: data}}
		app := compiled(t, newTrip(), memoryOf(t, &l))
		if _, err := app.State(t.Context(), "t"); err != nil {
			return
		}
		_, err := app.Run(t.Context(), "t", graph.Continue[trip]())
		_, paused := errors.AsType[*graph.Paused](err)
		if _, failed := errors.AsType[*graph.NodeError](err); err != nil && !paused && !failed {
			t.Errorf("%d %s: %v", index, data, err)
		}
	})
}

// A taken answer is one that the node reads, and it is a compact form of what was
// given.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{goodVerdict, "null", "[]", "{}", `{"Votes":{"":null}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, refused := asked[ruling](t, answerOf(string(data)))
		if refused != nil {
			if !errors.Is(refused, graph.ErrAnswerType) && !errors.Is(refused, errAskedAnew) {
				t.Errorf("%s: %v", data, refused)
			}
			return
		}
		again, refused := asked[ruling](t, graph.AnswerTo("", got, "ann"))
		if diff := cmp.Diff(got, again); diff != "" || refused != nil {
			t.Errorf("%s, given again: %v %s", data, refused, diff)
		}
		if _, refused := asked[map[string]json.RawMessage](t, answerOf(string(data))); refused != nil {
			t.Errorf("%s fits the struct, but no map: %v", data, refused)
		}
	})
}

// FuzzSchema damages the schema that is stored with the question.
func FuzzSchema(f *testing.F) {
	base := pausedTrip(f, newTrip())
	f.Add([]byte(`{"type":"boolean","format":"bool"}`), []byte("true"))
	f.Add([]byte(`{"type":"object","properties":{"a":null},"required":["a"]}`), []byte(`{"a":1}`))
	f.Add([]byte(`{"type":"array","items":{},"minItems":1,"maxItems":1}`), []byte(`[null]`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		if !json.Valid(schema) {
			return
		}
		l := *base
		l.Tasks = append([]graph.TaskRow(nil), l.Tasks...)
		l.Tasks[1].Data = bytes.Replace(l.Tasks[1].Data, []byte(`{"type":"boolean","format":"bool"}`), schema, 1)
		store := memoryOf(t, &l)
		err := compiled(t, newTrip(), store).Answer(context.Background(), "t", graph.Answer{Value: value, Who: "ann"})
		if kept := len(loaded(t, store, "t").Answers); kept != 0 && err != nil || kept != 1 && err == nil {
			t.Errorf("%d answers are kept, and %v", kept, err)
		}
	})
}

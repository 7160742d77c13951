package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/graph"
)

// A trip is planned, its stops are visited side by side, and one of the visits
// has to be allowed: a thread of it has rows of every kind.
type trip struct {
	Name  string
	Total int
	Stops []stop
}

type stop struct {
	City string
	Cost int
}

var (
	tripName  = graph.Last("name", func(s *trip) *string { return &s.Name })
	tripTotal = graph.Reduce("total", func(s *trip) *int { return &s.Total }, func(a, b int) int { return a + b })
	tripStops = graph.Append("stops", func(s *trip) *[]stop { return &s.Stops })
)

func newTrip(fields ...graph.FieldOf[trip]) *graph.Graph[trip] {
	if fields == nil {
		fields = []graph.FieldOf[trip]{tripName, tripTotal, tripStops}
	}
	name, total, stops := fields[0].(*graph.Field[trip, string]), fields[1].(*graph.Field[trip, int]), fields[2].(*graph.Field[trip, []stop])
	g := graph.New("trip", fields...)
	g.Node("plan", func(_ context.Context, s trip) (graph.Update[trip], error) {
		return graph.Update[trip]{name.Set("to " + s.Name), stops.Set([]stop{{"home", 0}})}, nil
	})
	visit := graph.Task(g, "visit", func(ctx context.Context, to stop) (graph.Update[trip], error) {
		to, err := graph.Once(ctx, "ticket", func(context.Context) (stop, error) { return stop{to.City, to.Cost * 2}, nil })
		if err == nil && to.City == "Rome" {
			_, err = graph.Interrupt[bool](ctx, "visa", to)
		}
		return graph.Update[trip]{total.Set(to.Cost), stops.Set([]stop{to})}, err
	})
	g.Node("report", func(_ context.Context, s trip) (graph.Update[trip], error) {
		return graph.Update[trip]{name.Set(fmt.Sprintf("%s for %d", s.Name, s.Total))}, nil
	})
	g.Edge(graph.Begin, "plan")
	g.Fan("plan", func(trip) []graph.Send[trip] {
		return []graph.Send[trip]{visit.Send(stop{"Bern", 1}), visit.Send(stop{"Rome", 2}), visit.Send(stop{"Oslo", 3})}
	}, "report", visit)
	g.Edge("report", graph.End)
	return g
}

var wholeTrip = trip{"to Rome for 12", 12, []stop{{"home", 0}, {"Bern", 2}, {"Rome", 4}, {"Oslo", 6}}}

// compiled compiles a graph that has to be right.
func compiled[S any](t testing.TB, g *graph.Graph[S], store graph.Checkpointer) *graph.App[S] {
	t.Helper()
	now := func() time.Time { return time.Unix(1_800_000_000, 0).UTC() }
	app, err := g.Compile(graph.Config{Store: store, Now: now, Concurrency: 1})
	if err != nil {
		t.Fatal(err)
	}
	return app
}

// pausedTrip gives what is stored of a trip that waits for its visa.
func pausedTrip(t testing.TB, g *graph.Graph[trip]) *graph.Loaded {
	t.Helper()
	store := graph.NewMemory()
	_, err := compiled(t, g, store).Run(t.Context(), "t", graph.Start(trip{Name: "Rome"}))
	if p, ok := errors.AsType[*graph.Paused](err); !ok || len(p.Pauses) != 1 {
		t.Fatal(err)
	}
	return loaded(t, store, "t")
}

func loaded(t testing.TB, store graph.Checkpointer, thread string) *graph.Loaded {
	t.Helper()
	l, err := store.Load(t.Context(), thread, -1)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// memoryOf makes a store that holds l.
func memoryOf(t testing.TB, l *graph.Loaded) *graph.Memory {
	t.Helper()
	ctx, store := t.Context(), graph.NewMemory()
	lease, err := store.Begin(ctx, l.Thread, graph.Claim{TTL: time.Hour, Owner: graph.Owner{PID: 1}, Run: l.Run}, l.Checkpoint)
	err = errors.Join(err, store.PutTasks(ctx, lease, l.Thread, l.Step, l.Tasks))
	for _, e := range l.Effects {
		err = errors.Join(err, store.PutEffect(ctx, lease, l.Thread, l.Step, e))
	}
	if err = errors.Join(err, store.PutAnswers(ctx, l.Thread, l.Answers), store.Release(ctx, lease, l.Status)); err != nil {
		t.Fatal(err)
	}
	return store
}

func allowed() graph.Input[trip] { return graph.Resume[trip](graph.AnswerTo("", true, "ann")) }

func TestCopiedThreadGoesOn(t *testing.T) {
	store := memoryOf(t, pausedTrip(t, newTrip()))
	s, err := compiled(t, newTrip(), store).Run(t.Context(), "t", allowed())
	if diff := cmp.Diff(wholeTrip, s); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// row replaces the data of a field's last row.
func row(field, data string) func(*graph.Loaded) {
	return func(l *graph.Loaded) {
		for i := range l.Checkpoint.Fields {
			if l.Checkpoint.Fields[i].Field == field {
				l.Checkpoint.Fields[i].Data = []byte(data)
			}
		}
	}
}

func frontier(old, new string) func(*graph.Loaded) {
	return func(l *graph.Loaded) {
		l.Checkpoint.Frontier = bytes.Replace(l.Checkpoint.Frontier, []byte(old), []byte(new), 1)
	}
}

func result(old, new string) func(*graph.Loaded) {
	return func(l *graph.Loaded) { l.Tasks[0].Data = bytes.Replace(l.Tasks[0].Data, []byte(old), []byte(new), 1) }
}

// https://github.com/langchain-ai/langgraph/issues/8522 and
// https://github.com/langchain-ai/langgraphjs/issues/2346: what is stored never
// names what to build. https://github.com/langchain-ai/langgraph/pull/6972 and
// https://github.com/langchain-ai/langgraph/issues/7695: what cannot be read is an
// error that says where, and leaves the rows as they are.
func TestDamagedRowsAreNamedAndLeftAlone(t *testing.T) {
	base := pausedTrip(t, newTrip())
	var b strings.Builder
	for _, c := range []struct {
		name   string
		damage func(*graph.Loaded)
	}{
		{"unknown field", func(l *graph.Loaded) { l.Checkpoint.Fields[0].Field = "title" }},
		{"unknown member", row("stops", `[{"City":"Bern","Cost":1,"$type":"os/exec.Cmd"}]`)},
		{"truncated", row("stops", `[{"City":"Be`)},
		{"no data", row("name", "")},
		{"wrong type", row("total", `"12"`)},
		{"out of range", row("total", `1e40`)},
		{"more data", row("total", `1 2`)},
		{"newer version", func(l *graph.Loaded) { l.Checkpoint.Fields[0].Version = 1 }},
		{"older version", func(l *graph.Loaded) { l.Checkpoint.Fields[0].Version = -1 }},
		{"frontier truncated", func(l *graph.Loaded) { l.Checkpoint.Frontier = l.Checkpoint.Frontier[:20] }},
		{"frontier with an unknown member", frontier(`"from"`, `"class"`)},
		{"frontier with an unknown node", frontier(`"visit"`, `"visits"`)},
		{"frontier with a plain node in a fan", frontier(`"visit"`, `"plan"`)},
		{"frontier in a fan of a node that has none", frontier(`"from":"plan"`, `"from":"report"`)},
		{"frontier with tasks of no fan", frontier(`"from":"plan",`, ``)},
		{"argument of the wrong type", frontier(`"Cost":1`, `"Cost":"1"`)},
		{"argument with an unknown member", frontier(`"Cost":1`, `"Price":1`)},
		{"no argument", frontier(`,"arg":{"City":"Bern","Cost":1}`, ``)},
		{"result truncated", func(l *graph.Loaded) { l.Tasks[0].Data = l.Tasks[0].Data[:20] }},
		{"result of an unknown field", result(`"total"`, `"sum"`)},
		{"result of the wrong type", result(`"value":2`, `"value":"2"`)},
		{"result without a value", result(`,"value":2`, ``)},
		{"result with a newer version", result(`"total"`, `"total","version":7`)},
		{"result with an unknown member", result(`"writes"`, `"calls"`)},
		{"result of no task", func(l *graph.Loaded) { l.Tasks[2].Index = 3 }},
		{"result of a negative task", func(l *graph.Loaded) { l.Tasks[2].Index = -1 }},
	} {
		l := *base
		l.Checkpoint.Fields, l.Tasks = append([]graph.FieldRow(nil), l.Checkpoint.Fields...), append([]graph.TaskRow(nil), l.Tasks...)
		c.damage(&l)
		store := memoryOf(t, &l)
		app, before := compiled(t, newTrip(), store), loaded(t, store, "t")
		_, err := app.Run(t.Context(), "t", allowed())
		if err == nil {
			t.Errorf("%s: the thread went on", c.name)
		}
		fmt.Fprintf(&b, "# %s\n%v\n\n", c.name, err)
		_, stateErr := app.State(t.Context(), "t")
		answerErr := app.Answer(t.Context(), "t", graph.AnswerTo("", true, "ann"))
		forkErr := app.Fork(t.Context(), "t", -1, "u", nil)
		if strings.HasPrefix(c.name, "result") { // a fork takes no results along
			if forkErr != nil {
				t.Errorf("%s: Fork says: %v", c.name, forkErr)
			}
			forkErr = err
		}
		for _, other := range []error{stateErr, answerErr, forkErr} {
			if fmt.Sprint(other) != fmt.Sprint(err) {
				t.Errorf("%s: State, Answer or Fork says: %v", c.name, other)
			}
		}
		after := loaded(t, store, "t")
		before.Updated = after.Updated // by the release of the lease
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s: the stored thread changed:\n%s", c.name, diff)
		}
	}
	golden(t, "decode.problems", b.String())
}

func TestDamageOfAFieldSaysThreadStepAndField(t *testing.T) {
	l := pausedTrip(t, newTrip())
	row("total", `true`)(l)
	_, err := compiled(t, newTrip(), memoryOf(t, l)).State(t.Context(), "t")
	f, ok := errors.AsType[*graph.FieldError](err)
	if !ok || f.Thread != "t" || f.Step != 0 || f.Field != "total" {
		t.Fatalf("got %#v", err)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok || wrong.Value != "bool" {
		t.Errorf("got %v", f.Err)
	}
}

// A null would leave the zero value, and an empty frontier would be the end.
func TestNothingIsNoValue(t *testing.T) {
	for name, damage := range map[string]func(*graph.Loaded){
		"null for a number":      row("total", "null"),
		"null for a text":        row("name", "null"),
		"frontier is null":       func(l *graph.Loaded) { l.Checkpoint.Frontier, l.Tasks = []byte("null"), nil },
		"frontier without tasks": func(l *graph.Loaded) { l.Checkpoint.Frontier, l.Tasks = []byte("{}"), nil },
		"fan without tasks":      func(l *graph.Loaded) { l.Checkpoint.Frontier, l.Tasks = []byte(`{"from":"plan","tasks":[]}`), nil },
		"unknown task state":     func(l *graph.Loaded) { l.Tasks[0].State = "finished" },
		"effect of no task":      func(l *graph.Loaded) { l.Effects[0].Task = 3 },
	} {
		l := pausedTrip(t, newTrip())
		damage(l)
		if snap, err := compiled(t, newTrip(), memoryOf(t, l)).State(t.Context(), "t"); err == nil {
			t.Errorf("%s is read as %+v, next %q", name, snap.State, snap.Next)
		}
	}
}

func TestEffectOfANegativeTaskIsAnError(t *testing.T) {
	defer func() {
		if v := recover(); v != nil {
			t.Errorf("panic: %v", v)
		}
	}()
	l := pausedTrip(t, newTrip())
	l.Effects[0].Task = -1
	if _, err := compiled(t, newTrip(), memoryOf(t, l)).State(t.Context(), "t"); err == nil {
		t.Error("it is read")
	}
}

// encoding/json reads such text as U+FFFD, without a word.
func TestStoredTextThatIsNotUTF8IsDamage(t *testing.T) {
	for name, damage := range map[string]func(*graph.Loaded){
		"field":    row("name", "\"R\xf6m\""),
		"argument": frontier(`"Bern"`, "\"B\xe4rn\""),
		"result":   result(`"Bern"`, "\"B\xe4rn\""),
	} {
		l := pausedTrip(t, newTrip())
		damage(l)
		if _, err := compiled(t, newTrip(), memoryOf(t, l)).State(t.Context(), "t"); !errors.Is(err, graph.ErrInvalidUTF8) {
			t.Errorf("%s: got %v, want ErrInvalidUTF8", name, err)
		}
	}
}

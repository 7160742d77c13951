package graph_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/repomind/repomind/graph"
)

// told is what an event says, on one line.
func told(e graph.Event) string {
	s := fmt.Sprint(e.Seq, " ", e.Kind, " ", e.Thread, "/", e.Step)
	if e.Task != "" {
		s += " " + e.Task
	}
	switch d := e.Data.(type) {
	case nil:
	case planUpdate:
		s += fmt.Sprint(" wrote ", len(d))
	case plan:
		s += fmt.Sprint(" ", d.Log)
	case []graph.Pause:
		s += " asks " + d[0].Key
	default:
		s += fmt.Sprint(" ", d)
	}
	return s
}

func TestEventsTellTheRunInOrder(t *testing.T) {
	g := newPlan()
	g.Node("plan", func(ctx context.Context, _ plan) (planUpdate, error) {
		graph.Emit(ctx, "thinking")
		return logs("planned"), nil
	})
	task := graph.Task(g, "part", func(ctx context.Context, i int) (planUpdate, error) {
		if i == 1 && graph.Info(ctx).Attempt == 1 {
			return nil, errors.New("again")
		}
		return logPart(i), nil
	}, graph.Retry(graph.Policy{BackOff: noWait}))
	graph.Sub(g, "sub", lineOf(logNode("inner")), func(plan) plan { return plan{} }, func(s plan) planUpdate { return logs(s.Log...) })
	g.Node("ask", asks("q", "?"))
	g.Edge(graph.Begin, "plan")
	g.Fan("plan", numbered(2, task.Send), "sub", task)
	g.Edge("sub", "ask")
	g.Edge("ask", graph.End)
	app := ready(t, g, graph.Config{Store: graph.NewMemory(), Concurrency: 1})
	var got []string
	var last error
	for e, err := range app.Stream(t.Context(), "t", graph.Start(plan{})) {
		if last = err; err != nil {
			same(t, "event beside an error", e, graph.Event{})
			continue
		}
		got = append(got, told(e))
		if e.At.IsZero() || e.Run == "" {
			t.Errorf("%s at %v in run %q", e.Kind, e.At, e.Run)
		}
	}
	questions(t, last)
	want := []string{
		"1 run.start t/0",
		"2 step.start t/0 [plan]",
		"3 task.start t/0 plan",
		"4 custom t/0 plan thinking",
		"5 task.done t/0 plan wrote 1",
		"6 checkpoint t/1 [planned]",
		"7 step.start t/1 [part[0] part[1]]",
		"8 task.start t/1 part[0]",
		"task.start t/1 part[1]",       // part[0] is done as soon as that is durable, so
		"task.retry t/1 part[1] again", // somewhere among these
		"task.start t/1 part[1]",
		"13 task.done t/1 part[1] wrote 1",
		"14 checkpoint t/2 [planned part 0 part 1]",
		"15 step.start t/2 [sub]",
		"16 task.start t/2 sub",
		"17 step.start t|2.0/0 [a]",
		"18 task.start t|2.0/0 a",
		"19 task.done t|2.0/0 a wrote 1",
		"20 checkpoint t|2.0/1 [inner]",
		"21 task.done t/2 sub wrote 1",
		"22 checkpoint t/3 [planned part 0 part 1 inner]",
		"23 step.start t/3 [ask]",
		"24 task.start t/3 ask",
		"25 interrupt t/3 ask asks q",
		"26 run.done t/3 paused",
	}
	same(t, "first events", got[:8], want[:8])
	var middle []string
	for _, line := range got[8:12] {
		if _, line, _ = strings.Cut(line, " "); line != "task.done t/1 part[0] wrote 1" {
			middle = append(middle, line)
		}
	}
	same(t, "events of part[1]", middle, want[8:11])
	same(t, "last events", got[12:], want[11:])
}

func TestSeqCountsInTheOrderOfArrival(t *testing.T) {
	app := ready(t, fanOf(64, func(ctx context.Context, i int) (planUpdate, error) {
		for range 50 {
			graph.Emit(ctx, i)
		}
		return logPart(i), nil
	}), graph.Config{Concurrency: 64})
	seq := int64(0)
	for e, err := range app.Stream(t.Context(), "t", graph.Start(plan{})) {
		wantErr(t, err, nil)
		if seq++; e.Seq != seq {
			t.Fatalf("event %d arrives as number %d", e.Seq, seq)
		}
	}
	same(t, "events", seq, 1+2*(1+1)+64*(1+50+1)+2+1)
}

// What an event tells is in the store when the event arrives, even if the store
// is slow.
func TestEventsComeAfterTheirRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := graph.NewMemory()
		slow := &hooked{Checkpointer: store, around: func(_ string, do func() error) error { time.Sleep(time.Second); return do() }}
		g := fanOf(2, func(ctx context.Context, i int) (planUpdate, error) {
			if i == 0 {
				return logPart(0), nil
			}
			return asks("q", "?")(ctx, plan{})
		})
		app, peek := ready(t, g, graph.Config{Store: slow}), ready(t, g, graph.Config{Store: store})
		seen := map[graph.EventKind]int{}
		for e := range app.Stream(t.Context(), "t", graph.Start(plan{})) {
			s, err := peek.State(t.Context(), "t")
			wantErr(t, err, nil)
			seen[e.Kind]++
			switch e.Kind {
			case graph.EventTaskDone:
				if l := dump(t, store, "t")[0]; e.Node == "part" && (len(l.Tasks) == 0 || l.Tasks[0].State != graph.TaskDone) {
					t.Errorf("%s before it is stored", told(e))
				}
			case graph.EventCheckpoint:
				same(t, "state", s.State, e.Data.(plan))
			case graph.EventInterrupt:
				if err := peek.Answer(t.Context(), "t", answer("yes", "alice", e.Data.([]graph.Pause)[0].ID)...); err != nil {
					t.Errorf("answer to a question that was just told: %v", err)
				}
			case graph.EventRunDone:
				same(t, "status", s.Status, e.Data.(graph.Status))
			}
		}
		same(t, "questions", seen[graph.EventInterrupt], 1)
		wantStatus(t, peek, "t", graph.StatusDone)
	})
}

func TestStatesInEventsDoNotChangeLater(t *testing.T) {
	g := newPlan()
	g.Node("turn", func(_ context.Context, s plan) (planUpdate, error) {
		_ = append(s.Log, "not to be seen")
		return planUpdate{planTotal.Set(1), planLog.Set([]string{fmt.Sprint(s.Total)})}, nil
	}, graph.MaxVisits(100))
	g.Edge(graph.Begin, "turn")
	g.Branch("turn", func(s plan) string {
		_ = append(s.Log, "not to be seen")
		return map[bool]string{true: "turn", false: graph.End}[s.Total < 50]
	}, "turn", graph.End)
	var states []plan
	for e, err := range ready(t, g, graph.Config{}).Stream(t.Context(), "t", graph.Start(plan{})) {
		wantErr(t, err, nil)
		if s, ok := e.Data.(plan); ok {
			states = append(states, s)
			_ = append(s.Log, "not to be seen")
		}
	}
	var want []string
	for i, s := range states {
		if want = append(want, fmt.Sprint(i)); !reflect.DeepEqual(s.Log, want) {
			t.Fatalf("state %d holds %v", i, s.Log)
		}
	}
	same(t, "states", len(states), 50)
}

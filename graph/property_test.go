package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/repomind/repomind/graph"
)

// A random graph, whatever the order in which its nodes happen to run, does what
// an interpreter does that runs them one after the other.
func TestRandomGraphsRunLikeTheReference(t *testing.T) {
	for seed := range uint64(300) {
		p, want, limited := randomProgram(seed)
		for _, store := range []graph.Checkpointer{nil, graph.NewMemory()} {
			app := ready(t, p.graph(false), graph.Config{Store: store, Concurrency: 1 + int(seed%8), MaxSteps: 10_000, DetectMutation: seed%3 == 0})
			got, err := app.Run(t.Context(), "t", graph.Start(world{}))
			if limited {
				wantErr(t, err, graph.ErrVisitLimit)
			} else {
				wantErr(t, err, nil)
			}
			same(t, fmt.Sprint("state of seed ", seed), got, want)
		}
	}
}

// It does so too if its process is killed again and again, its store fails now
// and then, and people answer its questions in any order.
func TestRandomGraphsSurviveEverything(t *testing.T) {
	kills, pauses, limits := 0, 0, 0
	for seed := range uint64(300) {
		p, want, limited := randomProgram(seed)
		h, in := newHost(), graph.Start(world{})
		var process *mortal
		store := &hooked{h.Memory, func(call string, do func() error) error { return process.call(call, do) }}
		app := ready(t, p.graph(true), graph.Config{Store: store, MaxSteps: 10_000})
		for rounds := 0; ; rounds++ {
			if rounds > 2000 {
				t.Fatalf("seed %d does not end", seed)
			}
			process = h.process(1+rand.IntN(20+rounds), rand.IntN(2) == 0) // in the end one gets through
			process.once = rand.IntN(3) == 0
			got, err := app.Run(t.Context(), "t", in, graph.Concurrency(1+rand.IntN(8)))
			paused, waits := errors.AsType[*graph.Paused](err)
			in = graph.Continue[world]()
			switch {
			case errors.Is(err, errKilled):
				kills++
				if _, err := h.Load(t.Context(), "t", -1); errors.Is(err, graph.ErrNoThread) {
					in = graph.Start(world{})
				}
				continue
			case waits:
				pauses++
				in = graph.Resume[world](someAnswers(paused.Pauses)...)
				continue
			case limited:
				limits++
				wantErr(t, err, graph.ErrVisitLimit)
			default:
				wantErr(t, err, nil)
			}
			same(t, fmt.Sprint("state of seed ", seed), got, want)
			break
		}
	}
	if kills < 300 || pauses < 100 || limits < 10 {
		t.Errorf("only %d kills, %d pauses, and %d runs to a limit", kills, pauses, limits)
	}
}

// someAnswers answers at least one of the questions as the reference does.
func someAnswers(open []graph.Pause) (all []graph.Answer) {
	for i, at := range rand.Perm(len(open)) {
		if i == 0 || rand.IntN(2) == 0 {
			var shown int
			_, _ = fmt.Sscan(string(open[at].Payload), &shown)
			all = append(all, graph.AnswerTo(open[at].ID, reply(shown), "alice"))
		}
	}
	return all
}

func reply(shown int) int { return shown%5 + 1 }

// world is the state of random graphs. Its total tells in which order it was
// written.
type world struct {
	Last  string
	Total int
	Log   []string
}

func blend(old, in int) int { return (old*31 + in) % 1_000_003 }

var (
	worldLast  = graph.Last("last", func(s *world) *string { return &s.Last })
	worldTotal = graph.Reduce("total", func(s *world) *int { return &s.Total }, blend)
	worldLog   = graph.Append("log", func(s *world) *[]string { return &s.Log })
)

// writes is what a node does, in a form that graph and interpreter can apply.
type writes struct {
	last  []string // one, or none
	total []int
	reset bool
	log   []string
}

func (w writes) update() (u graph.Update[world]) {
	for _, v := range w.total {
		u = append(u, worldTotal.Set(v))
	}
	for _, v := range w.last {
		u = append(u, worldLast.Set(v))
	}
	if w.reset {
		return append(u, worldLog.Reset(w.log))
	}
	return append(u, worldLog.Set(w.log))
}

func (w writes) apply(s world) world {
	for _, v := range w.total {
		s.Total = blend(s.Total, v)
	}
	for _, v := range w.last {
		s.Last = v
	}
	if w.reset {
		s.Log = nil
	}
	s.Log = append(s.Log[:len(s.Log):len(s.Log)], w.log...)
	return s
}

// node is what a node of the name writes, given what it reads and was answered.
func node(name string, s world, answer int) (w writes) {
	w.total = []int{len(s.Log) + answer}
	if s.Total%3 == 0 {
		w.total = append(w.total, s.Total%11)
	}
	if s.Total%2 == 0 {
		w.last = []string{name + " saw " + s.Last[:min(len(s.Last), 20)]}
	}
	if s.Total%4 > 0 {
		w.log = []string{name, fmt.Sprint(s.Total)}
	}
	w.reset = s.Total%5 == 0 && len(w.log) > 0
	return w
}

// branch is what a task writes; only the first of a fan writes Last.
func branch(name string, a sent, answer int) (w writes) {
	w.total = []int{a.Total%13 + answer}
	if a.I == 0 {
		w.last = []string{fmt.Sprint(name, " of ", a.Total)}
	}
	if a.Total%2 == a.I%2 {
		w.log = []string{fmt.Sprint(name, " ", a.I)}
	}
	return w
}

func back(s world) writes { return writes{total: []int{s.Total}, log: s.Log} }

type sent struct{ I, Total int }

// jitter lets others go first, by chance.
func jitter() {
	for range rand.IntN(4) {
		runtime.Gosched()
	}
}

// perform does, inside of a node, what the reference does with reply.
func perform(ctx context.Context, asks bool, shown int, then func(answer int) writes) (graph.Update[world], error) {
	jitter()
	answer := reply(shown)
	if asks {
		var err error
		if answer, err = graph.Interrupt[int](ctx, "q", shown); err != nil {
			return nil, err
		}
	}
	w, err := graph.Once(ctx, "total", func(context.Context) (int, error) { jitter(); return answer, nil })
	jitter()
	return then(w).update(), err
}

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
)

// work is something to measure. Its run gives the time of one run.
type work struct {
	name   string
	stores []string
	runs   int // in one process
	steps  int // or branches, or commits, of a run
	run    func(ctx context.Context, store, path string, m *measure) (time.Duration, error)
}

var works = []work{
	{"linear100", []string{"none", "memory"}, 20, 100, linear},
	{"fan1000", []string{"none", "memory", "sqlite-normal", "sqlite-full"}, 5, 1000, fan},
	{"loop1000", []string{"sqlite-normal", "sqlite-full"}, 1, 1000, loop(0)},
	{"history1000", []string{"sqlite-normal", "sqlite-full"}, 1, 1000, loop(1000)},
	{"resume1000", []string{"sqlite-normal", "sqlite-full"}, 1, 1, resume},
	{"loop100000", []string{"none", "sqlite-normal"}, 1, 100_000, flat},
	{"floor1000", []string{"sqlite-normal", "sqlite-full"}, 1, 1000, floor},
}

type state struct {
	N    int
	Text string
	Log  []string
}

type update = graph.Update[state]

var (
	n    = graph.Last("n", func(s *state) *int { return &s.N })
	text = graph.Last("text", func(s *state) *string { return &s.Text })
	log  = graph.Append("log", func(s *state) *[]string { return &s.Log })
)

// open gives the store of that name; "none" is no store.
func open(ctx context.Context, store, path string) (graph.Checkpointer, func() error, error) {
	switch store {
	case "none":
		return nil, func() error { return nil }, nil
	case "memory":
		return graph.NewMemory(), func() error { return nil }, nil
	}
	s, err := sqlite.Open(ctx, sqlite.Config{Path: path, Full: store == "sqlite-full"})
	if err != nil {
		return nil, nil, err
	}
	return s, s.Close, nil
}

// timed runs g from s on an open store; opening and closing are not counted.
func timed(ctx context.Context, g *graph.Graph[state], store, path string, s state, steps int) (time.Duration, error) {
	c, closing, err := open(ctx, store, path)
	if err != nil {
		return 0, err
	}
	app, err := g.Compile(graph.Config{Store: c, MaxSteps: steps})
	if err != nil {
		return 0, err
	}
	begin := time.Now()
	_, err = app.Run(ctx, "t", graph.Start(s))
	return time.Since(begin), errors.Join(err, closing())
}

func step(_ context.Context, s state) (update, error) { return update{n.Set(s.N + 1)}, nil }

// linear is 100 nodes in a line.
func linear(ctx context.Context, store, path string, _ *measure) (time.Duration, error) {
	g := graph.New("linear", n, text, log)
	last := graph.Begin
	for i := range 100 {
		name := fmt.Sprintf("n%d", i)
		g.Node(name, step)
		g.Edge(last, name)
		last = name
	}
	g.Edge(last, graph.End)
	return timed(ctx, g, store, path, state{}, 100)
}

// fan is 1,000 branches and their join.
func fan(ctx context.Context, store, path string, _ *measure) (time.Duration, error) {
	g := graph.New("fan", n, text, log)
	branch := graph.Task(g, "branch", func(_ context.Context, i int) (update, error) {
		return update{log.Set([]string{"x"})}, nil
	})
	g.Node("join", func(_ context.Context, s state) (update, error) {
		if len(s.Log) != 1000 {
			return nil, fmt.Errorf("%d results", len(s.Log))
		}
		return nil, nil
	})
	g.Fan(graph.Begin, func(state) (sends []graph.Send[state]) {
		for i := range 1000 {
			sends = append(sends, branch.Send(i))
		}
		return sends
	}, "join", branch)
	g.Edge("join", graph.End)
	return timed(ctx, g, store, path, state{}, 10)
}

// loopGraph runs a node that counts until steps is reached, and appends history
// bytes each time.
func loopGraph(steps int, count graph.Node[state], history int) *graph.Graph[state] {
	g := graph.New("loop", n, text, log)
	entry := strings.Repeat("h", history)
	g.Node("count", func(ctx context.Context, s state) (update, error) {
		u, err := count(ctx, s)
		if history > 0 {
			u = append(u, log.Set([]string{entry}))
		}
		return u, err
	}, graph.MaxVisits(steps))
	g.Edge(graph.Begin, "count")
	g.Branch("count", func(s state) string {
		if s.N < steps {
			return "count"
		}
		return graph.End
	}, "count", graph.End)
	return g
}

var constant = strings.Repeat("s", 50_000)

// loop is 1,000 steps on a state of 50 KB, each of which appends history bytes.
func loop(history int) func(context.Context, string, string, *measure) (time.Duration, error) {
	return func(ctx context.Context, store, path string, _ *measure) (time.Duration, error) {
		return timed(ctx, loopGraph(1000, step, history), store, path, state{Text: constant}, 1000)
	}
}

// resume opens the file of a thread that stands before its last of 1,000 steps, and
// runs it to its end.
func resume(ctx context.Context, store, path string, _ *measure) (time.Duration, error) {
	g := loopGraph(1000, step, 0)
	if _, err := timed(ctx, g, store, path, state{Text: constant}, 999); !errors.Is(err, graph.ErrStepLimit) {
		return 0, fmt.Errorf("the run should stand before its last step: %w", err)
	}
	begin := time.Now()
	c, closing, err := open(ctx, store, path)
	if err != nil {
		return 0, err
	}
	app, err := g.Compile(graph.Config{Store: c, MaxSteps: 1000})
	if err != nil {
		return 0, err
	}
	s, err := app.Run(ctx, "t", graph.Continue[state]())
	took := time.Since(begin)
	if err == nil && s.N != 1000 {
		err = fmt.Errorf("ended at %d", s.N)
	}
	return took, errors.Join(err, closing())
}

// flat is a loop of 100,000 steps, and how much the live heap grew from its 1,000th
// to its last.
func flat(ctx context.Context, store, path string, m *measure) (time.Duration, error) {
	const steps = 100_000
	var first, last uint64
	live := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	g := loopGraph(steps, func(ctx context.Context, s state) (update, error) {
		switch s.N {
		case 1000:
			first = live()
		case steps - 1:
			last = live()
		}
		return step(ctx, s)
	}, 0)
	took, err := timed(ctx, g, store, path, state{}, steps)
	grown := round((float64(last)-float64(first))/1e6, 3)
	m.HeapGrown = &grown
	return took, err
}

// floor is what SQLite itself does: 1,000 commits of one row of 2 KB.
func floor(ctx context.Context, store, path string, _ *measure) (time.Duration, error) {
	sync := strings.ToUpper(strings.TrimPrefix(store, "sqlite-"))
	db, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL&_synchronous="+sync)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, d BLOB)"); err != nil {
		return 0, err
	}
	insert, err := db.Prepare("INSERT INTO t (d) VALUES (?)")
	if err != nil {
		return 0, err
	}
	defer insert.Close()
	data := make([]byte, 2000)
	begin := time.Now()
	for range 1000 {
		if _, err := insert.Exec(data); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}

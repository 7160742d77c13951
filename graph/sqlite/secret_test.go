package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
)

const canary = "canary-7f3a9c"

// client is what a node holds: it works with the key and never writes it.
func client(key graph.Secret[string]) graph.Node[work] {
	return func(ctx context.Context, w work) (graph.Update[work], error) {
		length, err := graph.Once(ctx, "call", func(context.Context) (int, error) { return len(key.Reveal()), nil })
		if err != nil {
			return nil, err
		}
		if _, err := graph.Interrupt[bool](ctx, "approve", "a call"); err != nil {
			return nil, err
		}
		return graph.Update[work]{number.Set(length), log.Set([]string{"called"})}, nil
	}
}

func TestSecretOfANodeIsNotInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	s := open(t, sqlite.Config{Path: path})
	g := graph.New("secret", number, text, log)
	g.Node("call", client(graph.NewSecret(canary)))
	g.Node("fail", func(_ context.Context, w work) (graph.Update[work], error) {
		return nil, errors.New("marker-" + w.Text)
	})
	g.Edge(graph.Begin, "call")
	g.Edge("call", "fail")
	g.Edge("fail", graph.End)
	app, err := g.Compile(graph.Config{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	_, err = app.Run(t.Context(), "t", graph.Start(work{Text: "stored"}))
	p, ok := errors.AsType[*graph.Paused](err)
	if !ok {
		t.Fatal(err)
	}
	got, err := app.Run(t.Context(), "t", graph.Resume[work](graph.AnswerTo(p.Pauses[0].ID, true, "alice")))
	if got.N != len(canary) || err == nil {
		t.Fatal(got, err)
	}
	var all []byte
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	if bytes.Contains(all, []byte(canary)) {
		t.Error("the secret is in the file")
	}
	for _, stored := range []string{"marker-stored", "alice", "called"} { // so the search does find things
		if !bytes.Contains(all, []byte(stored)) {
			t.Errorf("%q is not in the file", stored)
		}
	}
}

func TestStateWithASecretDoesNotCompile(t *testing.T) {
	type state struct{ Key graph.Secret[string] }
	s := open(t, sqlite.Config{Path: filepath.Join(t.TempDir(), "x.db")})
	g := graph.New("secret", graph.Last("key", func(s *state) *graph.Secret[string] { return &s.Key }))
	g.Node("n", func(context.Context, state) (graph.Update[state], error) { return nil, nil })
	g.Edge(graph.Begin, "n")
	g.Edge("n", graph.End)
	if _, err := g.Compile(graph.Config{Store: s}); !errors.Is(err, graph.ErrSecret) {
		t.Errorf("got error %v, want %v", err, graph.ErrSecret)
	}
}

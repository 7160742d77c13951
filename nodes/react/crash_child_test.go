//go:build linux

package react_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/tools"
)

// childEnv holds the job of a child. A process that has it does that and exits
// before a test can run; it never starts a child itself.
const childEnv = "REPOMIND_REACT_TEST_CHILD"

func TestMain(m *testing.M) {
	if data, ok := os.LookupEnv(childEnv); ok {
		if err := serve(data); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type job struct{ Dir, URL string }

// trail is the state of the child's graph: the transcript, line by line, and its cost.
type trail struct {
	Lines []string
	Usage llm.Usage
}

// serve runs the loop, or goes on with it, and writes the transcript.
func serve(data string) error {
	var j job
	if err := json.Unmarshal([]byte(data), &j); err != nil {
		return err
	}
	ctx := context.Background()
	store, err := openStore(ctx, j.Dir)
	if err != nil {
		return err
	}
	model, err := llm.Open(llm.Config{Provider: "compatible", Model: "m", BaseURL: j.URL})
	if err != nil {
		return err
	}
	transcript := graph.Last("lines", func(s *trail) *[]string { return &s.Lines })
	usage := graph.Last("usage", func(s *trail) *llm.Usage { return &s.Usage })
	g := graph.New("crash", transcript, usage)
	g.Node("look", func(ctx context.Context, _ trail) (graph.Update[trail], error) {
		l := react.Loop{Model: model, Tools: tools.Set{dice()}, MaxRounds: crashRounds, Window: 4000, TurnTokens: 500}
		r, err := l.Run(ctx, react.Task{System: "You find bugs.", User: "Why?"})
		return graph.Update[trail]{transcript.Set(said(r.Messages)), usage.Set(r.Usage)}, err
	})
	g.Edge(graph.Begin, "look")
	g.Edge("look", graph.End)
	app, err := g.Compile(graph.Config{Store: store, LeaseTTL: time.Hour})
	if err != nil {
		return err
	}
	s, err := app.Run(ctx, "t", graph.Start(trail{}))
	if errors.Is(err, graph.ErrThreadExists) {
		s, err = app.Run(ctx, "t", graph.Continue[trail]())
	}
	return errors.Join(err, json.NewEncoder(os.Stdout).Encode(s), store.Close())
}

func openStore(ctx context.Context, dir string) (*sqlite.Store, error) {
	return sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(dir, "x.db")})
}

// dice is a tool that never gives the same twice.
func dice() tools.Tool {
	return tools.Tool{Name: "dice", Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`), Call: func(context.Context, json.RawMessage) tools.Result {
		return tools.Result{Text: fmt.Sprintln(rand.Uint64()) + strings.Repeat("and some more text\n", 40)}
	}}
}

// spawn runs a child and kills it at its n-th request; see killing.
func (s *till) spawn(t *testing.T, j job, n int, after time.Duration) (out []byte, killed bool) {
	t.Helper()
	if _, ok := os.LookupEnv(childEnv); ok {
		panic("a child must not start a child")
	}
	data, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), childEnv+"="+string(data), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	s.next(n, after, cancel)
	err = cmd.Run()
	if cmd.ProcessState != nil && cmd.ProcessState.Success() { // it may have come before the kill
		return stdout.Bytes(), false
	}
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !w.Signaled() || w.Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended with %v: %s", err, &stderr)
	}
	return nil, true
}

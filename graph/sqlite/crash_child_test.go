//go:build linux

package sqlite_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/graph/sqlite"
)

// childEnv holds the job of a child. A process that has it does that and exits
// before a test can run; it never starts a child itself.
const childEnv = "REPOMIND_CRASH_TEST_CHILD"

func TestMain(m *testing.M) {
	if data, ok := os.LookupEnv(childEnv); ok {
		os.Exit(serve(data))
	}
	code := m.Run()
	if n := kills.Load(); testing.Verbose() && n > 0 {
		fmt.Println(n, "processes were killed")
	}
	os.Exit(code)
}

// job is what a child has to do. It says how it went in lines on its standard
// output, the last of which is a verdict.
type job struct {
	Role string
	Dir  string        // of the store and the journal
	Name string        // of the child
	N    int           // how much of it
	TTL  time.Duration // of its lease
	Kill kill          // at a store call
	At   string        // the node, or "effect of" one, …
	Do   string        // … at which it does this once: hold, stop or die
}

var stdin = bufio.NewReader(os.Stdin)

func serve(data string) int {
	var j job
	if err := json.Unmarshal([]byte(data), &j); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	roles := map[string]func(context.Context, job) error{
		"travel": serveTravel, "doomed": serveDoomed, "race": serveRace, "open": serveOpen, "load": serveLoad}
	fmt.Println(verdict(roles[j.Role](context.Background(), j)))
	return 0
}

// verdict names the errors that a parent waits for.
func verdict(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, graph.ErrSuperseded):
		return "superseded"
	case errors.Is(err, graph.ErrBusy):
		return "busy"
	case errors.Is(err, graph.ErrThreadExists):
		return "exists"
	}
	return fmt.Sprintf("error: %q", err)
}

// hold tells the parent and waits for a line of it.
func hold() {
	fmt.Println("holds")
	_, _ = stdin.ReadString('\n') // or for its end
}

func serveTravel(ctx context.Context, j job) error {
	fmt.Println("ready")
	s, err := openSite(ctx, j)
	if err != nil {
		return err
	}
	var once sync.Once
	s.world.at = func(name string) {
		if name == j.At {
			once.Do(map[string]func(){"hold": hold, "stop": s.killer.stop, "die": killSelf}[j.Do])
		}
	}
	_, err = travel(ctx, s.app, thread)
	return errors.Join(err, s.store.Close())
}

const thread = "trip"

// site is what is needed to travel.
type site struct {
	store  *sqlite.Store
	killer *killer
	world  *world
	app    *graph.App[trip]
}

func openSite(ctx context.Context, j job) (*site, error) {
	log, err := openJournal(j.Dir)
	if err != nil {
		return nil, err
	}
	log.note(entry{What: started})
	s := &site{world: &world{journal: log}}
	if s.store, err = openStore(ctx, j.Dir); err != nil {
		return nil, err
	}
	s.killer = &killer{Checkpointer: s.store, journal: log, when: j.Kill}
	if j.TTL == 0 {
		j.TTL = time.Hour // so that nobody can wait for it to run out
	}
	s.app, err = tripGraph(s.world).Compile(graph.Config{Store: s.killer, LeaseTTL: j.TTL})
	return s, err
}

func openStore(ctx context.Context, dir string) (*sqlite.Store, error) {
	return sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(dir, "x.db")})
}

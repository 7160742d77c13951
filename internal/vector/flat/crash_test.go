package flat_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

const crashDir = "FLAT_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := crashWriter(dir, os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const (
	crashBatch = 50
	crashIDs   = 400 // few, so that it compacts often
)

// crashItem is what write number n stores under an ID.
func crashItem(name string, n int) vector.Item {
	r := rand.New(rand.NewPCG(uint64(n), 0))
	return vector.Item{
		ID: name + strconv.Itoa(r.IntN(crashIDs)), Vector: vectortest.Gauss(r, 48, nil, 1), Meta: vector.Meta{"n": vector.Int(int64(n))},
	}
}

// crashWriter writes until it is killed, and prints what was acknowledged.
func crashWriter(dir, name string) error {
	ctx := context.Background()
	c, err := flat.Open(flat.Config{Dir: dir}).Open(ctx, key, 48)
	if err != nil {
		return err
	}
	from := 0
	if _, err := fmt.Sscan(os.Args[2], &from); err != nil {
		return err
	}
	for n := from; ; n += crashBatch {
		var items []vector.Item
		for i := range crashBatch {
			items = append(items, crashItem(name, n+i))
		}
		if err := c.Upsert(ctx, items); err != nil {
			return err
		}
		fmt.Println(n + crashBatch)
	}
}

// Two processes write at once and are killed at any instant, again and again:
// all that each acknowledged is there, and of its last write all or nothing.
func TestKilledWriters(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	done := map[string]int{}
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		var kill []func() int
		for _, name := range []string{"a-", "b-"} {
			kill = append(kill, startWriter(t, dir, name, done[name]))
		}
		<-time.After(time.Duration(r.IntN(60)+40) * time.Millisecond)
		for i, name := range []string{"a-", "b-"} {
			done[name] = max(done[name], kill[i]())
		}
		checkKilled(t, dir, done, round)
	}
	if done["a-"] == 0 || done["b-"] == 0 {
		t.Errorf("nothing was written: %v", done)
	}
	t.Logf("acknowledged: %v", done)
}

// startWriter gives what kills it and says up to which number it acknowledged.
func startWriter(t *testing.T, dir, name string, from int) func() int {
	t.Helper()
	cmd := exec.Command(os.Args[0], name, strconv.Itoa(from))
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return func() int {
		must(t, cmd.Process.Kill())
		b, err := io.ReadAll(bufio.NewReader(out))
		must(t, err)
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
			t.Fatalf("the writer ended by itself: %v %s", err, &stderr)
		}
		lines := strings.Fields(string(b))
		if len(lines) == 0 {
			return 0
		}
		n, err := strconv.Atoi(lines[len(lines)-1])
		must(t, err)
		return n
	}
}

func checkKilled(t *testing.T, dir string, done map[string]int, round int) {
	t.Helper()
	c := open(t, dir, 48)
	defer c.Close()
	for name, n := range done {
		want := map[string]int{}
		for i := range n {
			want[crashItem(name, i).ID] = i
		}
		// A write that was not acknowledged may be there, wholly.
		next := map[string]int{}
		for i := n; i < n+crashBatch; i++ {
			next[crashItem(name, i).ID] = i
		}
		newer, older := 0, 0
		for id, i := range union(want, next) {
			items, err := c.Get(t.Context(), id)
			must(t, err)
			j := -1
			if len(items) == 1 {
				v, _ := items[0].Meta["n"].Int()
				j = int(v)
			}
			if k, replaced := next[id]; replaced && j == k {
				newer++
			} else if replaced {
				older++
			}
			if w, acked := want[id]; (acked && j != w || !acked && j >= 0) && j != next[id] {
				t.Fatalf("round %d: %s is of %d, want %d or %d", round, id, j, i, next[id])
			}
		}
		if newer > 0 && older > 0 {
			t.Fatalf("round %d: of the last write %d items are there and %d not", round, newer, older)
		}
		if newer > 0 {
			done[name] = n + crashBatch
		}
	}
}

func union(a, b map[string]int) map[string]int {
	u := map[string]int{}
	for _, m := range []map[string]int{b, a} {
		for k, v := range m {
			u[k] = v
		}
	}
	return u
}

//go:build linux

package sqlite_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/graph"
)

func TestRunKilledAtEachStoreCallEndsInTheSameState(t *testing.T) {
	want := uninterrupted(t)
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after=%v", after), func(t *testing.T) {
			t.Parallel()
			call, step := 1, 1
			if testing.Short() {
				step = 7
			}
			for ; ; call += step {
				dir := t.TempDir()
				last, dead := start(t, job{Role: "travel", Dir: dir, Kill: kill{call, after}}).end()
				if !dead && last != "done" {
					t.Fatalf("call %d: %s", call, last)
				}
				checkTrip(t, dir, want) // brings it to its end
				if !dead || t.Failed() {
					break
				}
			}
			if call < 40 {
				t.Errorf("a trip was over at store call %d, want all of more than 40 tried", call)
			}
		})
	}
}

func TestRunKilledInEachRestartEndsInTheSameState(t *testing.T) {
	want := uninterrupted(t)
	for _, after := range []bool{false, true} {
		// With fewer calls a restart may come to nothing new.
		for _, call := range []int{8, 9, 10, 12, 15, 20, 30} {
			t.Run(fmt.Sprintf("call=%d/after=%v", call, after), func(t *testing.T) {
				if t.Parallel(); testing.Short() && call != 8 {
					t.Skip("one is enough")
				}
				j := job{Role: "travel", Dir: t.TempDir(), Kill: kill{call, after}}
				last, dead := "", true
				n := 0
				for ; dead; n++ {
					if n > 100 {
						t.Fatal("100 restarts have not brought it to an end")
					}
					last, dead = start(t, j).end()
				}
				if last != "done" {
					t.Fatal(last)
				}
				checkTrip(t, j.Dir, want)
			})
		}
	}
}

func TestRunKilledAtAnyInstantEndsInTheSameState(t *testing.T) {
	want := uninterrupted(t)
	seed, quota := uint64(time.Now().UnixNano()), 60
	if testing.Short() {
		quota = 10
	}
	for range 2 {
		seed++
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			chance := rand.New(rand.NewPCG(seed, 0))
			usual := usualTime(t)
			trips, n := 0, 0
			for ; n < quota && !t.Failed(); trips++ {
				n += harass(t, t.TempDir(), chance, usual, want)
			}
			t.Logf("%d trips were killed %d times; an undisturbed one takes %v", trips, n, usual)
		})
	}
}

// usualTime is how long a child travels that nobody kills.
func usualTime(t *testing.T) time.Duration {
	c := start(t, job{Role: "travel", Dir: t.TempDir()})
	c.want("ready")
	begun := time.Now()
	c.finish()
	return time.Since(begun)
}

// harass kills a trip again and again until it ends nevertheless.
func harass(t *testing.T, dir string, chance *rand.Rand, usual time.Duration, want []graph.Checkpoint) (n int) {
	for {
		c := start(t, job{Role: "travel", Dir: dir})
		c.want("ready")
		shot := time.AfterFunc(time.Duration(chance.Int64N(int64(usual))), func() { _ = c.cmd.Process.Kill() })
		last, dead := c.end()
		shot.Stop()
		if !dead {
			if last != "done" {
				t.Error(last)
			}
			checkTrip(t, dir, want)
			return n
		}
		n++
	}
}

// uninterrupted gives the checkpoints of a trip that nobody kills.
func uninterrupted(t *testing.T) []graph.Checkpoint {
	t.Helper()
	dir := t.TempDir()
	s, err := openSite(t.Context(), job{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := travel(t.Context(), s.app, thread); err != nil || !cmp.Equal(got, arrived) {
		t.Fatalf("%v %s", err, cmp.Diff(arrived, got))
	}
	want := history(t, s)
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	checkTrip(t, dir, want)
	return want
}

// history gives the checkpoints of the trip without their times.
func history(t *testing.T, s *site) (all []graph.Checkpoint) {
	t.Helper()
	for c, err := range s.store.History(t.Context(), thread) {
		if err != nil {
			t.Fatal(err)
		}
		c.At = time.Time{}
		all = append(all, c)
	}
	return all
}

// checkTrip brings a trip to its end if it is not there, and checks its state, all
// its checkpoints, what its processes did, and that it left nothing behind.
func checkTrip(t *testing.T, dir string, want []graph.Checkpoint) {
	t.Helper()
	s, err := openSite(t.Context(), job{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.store.Close()
	defer s.world.Close()
	got, err := travel(t.Context(), s.app, thread)
	if diff := cmp.Diff(arrived, got); err != nil || diff != "" {
		t.Errorf("%v, state (-want +got):\n%s", err, diff)
	}
	checkJournal(t, readJournal(t, dir), tripEffects)
	if diff := cmp.Diff(want, history(t, s)); diff != "" {
		t.Errorf("checkpoints (-want +got):\n%s", diff)
	}
	rows := dump(t, dir)
	if len(rows["thread"]) != 1 || len(rows["task"])+len(rows["effect"]) != 0 || len(rows["answer"]) != 3 {
		t.Errorf("want one thread, no task, no effect and three answers, got %q", rows)
	}
	if t.Failed() {
		t.Log("journal:")
		for _, e := range readJournal(t, dir) {
			t.Logf("%+v", e)
		}
	}
}

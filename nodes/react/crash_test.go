//go:build linux

package react_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"
)

func TestLoopKilledAtAnyInstantPaysForNothingTwice(t *testing.T) {
	quota := 50
	if testing.Short() {
		quota = 6
	}
	seed := uint64(time.Now().UnixNano())
	chance := rand.New(rand.NewPCG(seed, 0))
	kills, loops, again := 0, 0, 0
	for ; kills < quota && !t.Failed(); loops++ {
		k, a := killLoop(t, chance)
		kills, again = kills+k, again+a
	}
	t.Logf("seed %d: %d kills in %d loops of %d rounds; %d calls were made again, none was paid again", seed, kills, loops, crashRounds, again)
	if again == 0 {
		t.Error("no kill met a call that was under way")
	}
}

// killLoop brings one loop to its end through many kills. It counts those, and the
// calls that were made again.
func killLoop(t *testing.T, chance *rand.Rand) (kills, again int) {
	s := newTill(t)
	j := job{t.TempDir(), s.door.URL + "/v1"}
	for range 100 {
		after := time.Duration(0)
		if chance.IntN(3) > 0 {
			after = time.Duration(1 + chance.IntN(8_000_000))
		}
		out, killed := s.spawn(t, j, 1+chance.IntN(4), after)
		if killed {
			kills++
			continue
		}
		var got trail
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%v in %q", err, out)
		}
		s.compare(t, got.Lines)
		if n := s.Paid(); n != crashRounds {
			t.Errorf("%d calls are paid, of %d rounds", n, crashRounds)
		}
		// A refusal is in the sum unless a kill met it.
		if u := got.Usage; u.Calls != crashRounds+u.Failed || u.Failed > 1 {
			t.Errorf("the usage is %s", u)
		}
		return kills, s.repeated()
	}
	t.Fatal("100 restarts have not brought it to its end")
	return kills, 0
}

//go:build linux

package react_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
)

func TestLoopKilledAtAnyInstantPaysForNothingTwice(t *testing.T) {
	quota := 50
	if testing.Short() {
		quota = 6
	}
	seed := uint64(time.Now().UnixNano())
	chance := rand.New(rand.NewPCG(seed, 0))
	kills, open := 0, 0
	for kills < quota && !t.Failed() {
		k, o := killLoop(t, chance)
		kills, open = kills+k, open+o
	}
	t.Logf("seed %d: %d kills; %d calls were under way and made again", seed, kills, open)
}

// killLoop brings one loop to its end through many kills. It counts those, and the
// calls that a kill met after they were asked for and before they were kept.
func killLoop(t *testing.T, chance *rand.Rand) (kills, open int) {
	s := &till{paid: map[int]int{}}
	server := httptest.NewServer(s)
	defer server.Close()
	dir := t.TempDir()
	kept := map[int]bool{}
	for range 100 {
		before := s.bill()
		out, killed := s.spawn(t, job{dir, server.URL}, 1+chance.IntN(4), time.Duration(chance.IntN(8000))*time.Microsecond)
		after := s.bill()
		for round := range kept {
			if before[round] != after[round] {
				t.Errorf("round %d was kept and is paid again", round)
			}
		}
		if !killed {
			s.compare(t, out)
			for _, n := range after {
				open += n - 1
			}
			if open > kills {
				t.Errorf("%d calls were made again after %d kills", open, kills)
			}
			return kills, open
		}
		kills++
		whatIsKept(t, dir, kept)
	}
	t.Fatal("100 restarts have not brought it to its end")
	return kills, open
}

// whatIsKept adds the rounds whose answer is stored.
func whatIsKept(t *testing.T, dir string, kept map[int]bool) {
	t.Helper()
	store, err := openStore(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	l, err := store.Load(t.Context(), "t", -1)
	if errors.Is(err, graph.ErrNoThread) {
		return
	}
	wantErr(t, err, nil)
	for _, e := range l.Effects {
		if n, ok := strings.CutPrefix(e.Key, "react/model/"); ok {
			round, err := strconv.Atoi(n)
			wantErr(t, err, nil)
			kept[round] = true
		}
	}
	for round := 1; l.Checkpoint.Step > 0 && round <= crashRounds; round++ {
		kept[round] = true
	}
}

// compare holds what the model was told, in every process, against the transcript.
func (s *till) compare(t *testing.T, out []byte) {
	t.Helper()
	var final []string
	if err := json.Unmarshal(out, &final); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	if n := len(final); n != 2+5*(crashRounds-1)+1 {
		t.Fatalf("the transcript has %d lines", n)
	}
	for i, req := range s.asked {
		said := told(req.Messages)
		if len(req.Tools) == 0 { // the last turn is written in another form
			continue
		}
		for j, line := range said {
			if line != final[j] && !strings.Contains(line, ": taken out to make room") {
				t.Fatalf("request %d, line %d:\n%s\nin the transcript:\n%s", i, j, line, final[j])
			}
		}
	}
	if !slices.ContainsFunc(s.asked, func(r llm.Request) bool { return strings.Contains(fmt.Sprint(told(r.Messages)), "taken out") }) {
		t.Error("no room had to be made")
	}
}

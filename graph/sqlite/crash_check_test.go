//go:build linux

package sqlite_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkJournal checks what holds whatever kills there were:
//
//   - A node is not entered again once its result is stored, by the checkpoint
//     that closes its step or by its own row; a join at most once in each process.
//   - Each effect has one idempotency key.
//   - An effect does not happen again once PutEffect has returned, and at most
//     once in each process. So it happens again only if the process was killed
//     between the effect and the commit of PutEffect, and then under its old key.
//   - Once returns the value that was stored, and no other.
func checkJournal(t *testing.T, entries []entry, effects []string) {
	t.Helper()
	r := &reader{t: t, step: map[string]int{}, finished: map[place]bool{}, kept: map[place]bool{}, value: map[place]string{},
		times: map[place]int{}, least: map[place]int{}, keys: map[string][]string{}}
	for _, e := range entries {
		r.read(e)
	}
	if diff := cmp.Diff(effects, slices.Sorted(maps.Keys(r.keys))); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	for name, keys := range r.keys {
		if len(keys) != 1 {
			t.Errorf("effect of %q has the keys %q, want one", name, keys)
		}
	}
	for p, n := range r.least {
		if r.times[p] < n+1 {
			t.Errorf("effect at %v happened %d times although it was killed %d times before it was kept", p, r.times[p], n)
		}
	}
}

// reader reads a journal and knows what may not come any more.
type reader struct {
	t        *testing.T
	step     map[string]int      // the newest checkpoint of each thread
	finished map[place]bool      // tasks of fans whose result is stored
	kept     map[place]bool      // effects whose value is stored
	value    map[place]string    // of effects, the newest
	now      map[place]bool      // effects and joins of the present process
	times    map[place]int       // how often an effect happened
	least    map[place]int       // how often it was lost for sure
	keys     map[string][]string // of each effect
}

func (r *reader) read(e entry) {
	switch e.What {
	case started:
		r.now = map[place]bool{}
	case entered:
		if newest, ok := r.step[e.Place.Thread]; ok && e.Place.Step < newest || r.finished[e.Place] {
			r.t.Errorf("%q was entered again at %v, after its result was stored", e.Name, e.Place)
		}
		if e.Name == "join" {
			r.once(e)
		}
	case effected:
		r.effect(e)
	case kept, got:
		r.kept[e.Place] = true
		if e.Value != r.value[e.Place] {
			r.t.Errorf("effect at %v: value %q was %s, the effect gave %q", e.Place, e.Value, e.What, r.value[e.Place])
		}
	case finished:
		r.finished[e.Place] = true
	case committed:
		r.step[e.Place.Thread] = e.Place.Step
	case killed:
		if e.Name == "before PutEffect" {
			r.least[e.Place]++
		}
	}
}

func (r *reader) effect(e entry) {
	if r.kept[e.Place] {
		r.t.Errorf("effect of %q happened again after it was kept", e.Name)
	}
	r.once(e)
	r.value[e.Place] = e.Value
	r.times[e.Place]++
	if !slices.Contains(r.keys[e.Name], e.Key) {
		r.keys[e.Name] = append(r.keys[e.Name], e.Key)
	}
}

func (r *reader) once(e entry) {
	if r.now[e.Place] {
		r.t.Errorf("%q was %s twice in one process", e.Name, e.What)
	}
	r.now[e.Place] = true
}

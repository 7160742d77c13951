//go:build linux

package sqlite_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/repomind/repomind/graph"
)

// The journal is the world outside of the store: a file in which the processes
// that work on a thread, one after the other, note what they do, in the order in
// which they do it. What is noted stays noted when a process is killed.
type journal struct{ *os.File }

// entry is one line of a journal.
type entry struct {
	What    string
	Place   place
	Name    string `json:",omitempty"` // of a node, an effect or a store call
	Key     string `json:",omitempty"` // of an effect, for the outside
	Value   string `json:",omitempty"` // of an effect
	Attempt int    `json:",omitempty"`
}

// place is a task of a step of a thread.
type place struct {
	Thread string
	Step   int
	Index  int
}

// What is noted.
const (
	started   = "started"   // a process
	entered   = "entered"   // a node
	effected  = "effected"  // something outside, which Once guards
	kept      = "kept"      // the value of an effect, by PutEffect
	got       = "got"       // the value of an effect, from Once
	finished  = "finished"  // a task of a fan, by PutTasks
	committed = "committed" // a checkpoint
	killed    = "killed"    // a process, at a store call
)

const effectKey = "mail"

func openJournal(dir string) (journal, error) {
	f, err := os.OpenFile(filepath.Join(dir, "journal"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	return journal{f}, err
}

func (j journal) note(entries ...entry) {
	var lines []byte
	for _, e := range entries {
		line, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	if _, err := j.Write(lines); err != nil {
		panic(err)
	}
}

func readJournal(t *testing.T, dir string) (all []entry) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, e)
	}
	return all
}

// world is where nodes leave their traces.
type world struct {
	journal
	at func(name string) // called wherever a node is
}

func here(ctx context.Context) (place, graph.RunInfo) {
	i := graph.Info(ctx)
	p := place{Thread: i.Thread, Step: i.Step}
	if _, index, ok := strings.Cut(i.Task, "["); ok {
		_, _ = fmt.Sscanf(index, "%d]", &p.Index)
	}
	return p, i
}

func (w *world) enter(ctx context.Context, name string) {
	p, i := here(ctx)
	w.note(entry{What: entered, Place: p, Name: name, Attempt: i.Attempt})
	w.pass(name)
}

// effect does something outside that must not happen twice.
func (w *world) effect(ctx context.Context, name string) error {
	p, i := here(ctx)
	e := entry{Place: p, Name: name, Key: i.IdempotencyKey(effectKey)}
	value, err := graph.Once(ctx, effectKey, func(context.Context) (string, error) {
		e := e
		e.What, e.Value = effected, rand.Text()
		w.note(e)
		err := w.Sync()
		w.pass("effect of " + name)
		return e.Value, err
	})
	if err == nil {
		e.What, e.Value = got, value
		w.note(e)
	}
	return err
}

func (w *world) pass(name string) {
	if w.at != nil {
		w.at(name)
	}
}

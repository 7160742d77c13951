package graph

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Memory is a Checkpointer that lives as long as the process.
type Memory struct {
	// Now is the clock of leases. Nil means time.Now.
	Now func() time.Time

	mu      sync.Mutex
	fence   int64
	threads map[string]*memoryThread
}

type memoryThread struct {
	info    ThreadInfo
	fence   int64
	steps   []*Checkpoint   // immutable
	fields  map[string]bool // all that were ever written
	tasks   map[int]TaskRow
	effects []EffectRow
	answers []AnswerRow
}

// NewMemory makes an empty store.
func NewMemory() *Memory { return &Memory{} }

func (m *Memory) now() time.Time {
	if m.Now != nil {
		return m.Now()
	}
	return time.Now()
}

// Begin implements Checkpointer.
func (m *Memory) Begin(_ context.Context, thread string, c Claim, first Checkpoint) (Lease, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t := m.threads[thread]; t != nil {
		return Lease{}, t.info.Exists()
	}
	t := m.begin(thread, c.Run)
	t.add(first)
	return m.lease(t, c), nil
}

func (m *Memory) begin(thread, run string) *memoryThread {
	if m.threads == nil {
		m.threads = map[string]*memoryThread{}
	}
	t := &memoryThread{info: ThreadInfo{Thread: thread, Run: run, Status: StatusRunning}, fields: map[string]bool{}}
	m.threads[thread] = t
	return t
}

func (m *Memory) lease(t *memoryThread, c Claim) Lease {
	m.fence++
	was := t.info.Status
	t.fence, t.info.Status, t.info.Owner, t.info.Until = m.fence, StatusRunning, c.Owner, m.now().Add(c.TTL)
	return Lease{Thread: t.info.Thread, Run: t.info.Run, Fence: m.fence, TTL: c.TTL, Was: was}
}

// Acquire implements Checkpointer.
func (m *Memory) Acquire(_ context.Context, thread string, c Claim) (Lease, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.thread(thread)
	if err != nil {
		return Lease{}, err
	}
	if t.info.Held(m.now()) {
		return Lease{}, t.info.Busy()
	}
	return m.lease(t, c), nil
}

func (m *Memory) thread(thread string) (*memoryThread, error) {
	if t := m.threads[thread]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("%w: %q", ErrNoThread, thread)
}

// held runs fn under the lock if l still holds the thread.
func (m *Memory) held(l Lease, thread string, fn func(*memoryThread) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.threads[l.Thread]
	if t == nil || t.fence != l.Fence || t.info.Run != l.Run || t.info.Owner == (Owner{}) || !l.Covers(thread) {
		return l.Lost(thread)
	}
	return fn(t)
}

// Renew implements Checkpointer.
func (m *Memory) Renew(_ context.Context, l Lease) error {
	return m.held(l, l.Thread, func(t *memoryThread) error { t.info.Until = m.now().Add(l.TTL); return nil })
}

// Release implements Checkpointer.
func (m *Memory) Release(_ context.Context, l Lease, s Status) error {
	return m.held(l, l.Thread, func(t *memoryThread) error {
		t.info.Status, t.info.Owner, t.info.Until, t.info.Updated = s, Owner{}, time.Time{}, m.now()
		return nil
	})
}

// Commit implements Checkpointer.
func (m *Memory) Commit(_ context.Context, l Lease, thread string, c Checkpoint) error {
	return m.held(l, thread, func(*memoryThread) error {
		t := m.threads[thread]
		if t == nil {
			t = m.begin(thread, l.Run)
		} else if _, err := m.open(thread, c.Step-1); err != nil {
			return err
		}
		t.add(c)
		clear(t.tasks)
		t.effects = nil
		for _, sub := range c.Ended {
			m.remove(sub)
		}
		return nil
	})
}

func (t *memoryThread) add(c Checkpoint) {
	c.Ended, c.Fields = nil, slices.Clone(c.Fields)
	for _, row := range c.Fields {
		t.fields[row.Field] = true
	}
	t.steps = append(t.steps, &c)
	t.info.Step, t.info.Updated = c.Step, c.At
}

// remove deletes a thread with its sub-threads.
func (m *Memory) remove(thread string) {
	maps.DeleteFunc(m.threads, func(name string, _ *memoryThread) bool {
		return name == thread || strings.HasPrefix(name, thread+"|")
	})
}

// PutTasks implements Checkpointer.
func (m *Memory) PutTasks(_ context.Context, l Lease, thread string, step int, rows []TaskRow) error {
	return m.held(l, thread, func(*memoryThread) error {
		t, err := m.open(thread, step)
		if err != nil {
			return err
		}
		if t.tasks == nil {
			t.tasks = map[int]TaskRow{}
		}
		for _, row := range rows {
			t.tasks[row.Index] = row
		}
		return nil
	})
}

// open gives a thread whose newest checkpoint is step.
func (m *Memory) open(thread string, step int) (*memoryThread, error) {
	t, err := m.thread(thread)
	if err == nil && t.info.Step != step {
		err = fmt.Errorf("%w: thread %q is at step %d, not %d", ErrSuperseded, thread, t.info.Step, step)
	}
	return t, err
}

// PutEffect implements Checkpointer.
func (m *Memory) PutEffect(_ context.Context, l Lease, thread string, step int, e EffectRow) error {
	return m.held(l, thread, func(*memoryThread) error {
		t, err := m.open(thread, step)
		if err != nil {
			return err
		}
		t.effects = slices.DeleteFunc(t.effects, func(old EffectRow) bool { return old.Task == e.Task && old.Key == e.Key })
		t.effects = append(t.effects, e)
		return nil
	})
}

// PutAnswers implements Checkpointer.
func (m *Memory) PutAnswers(_ context.Context, thread string, rows []AnswerRow) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.thread(thread)
	if err != nil {
		return err
	}
	all := slices.Clone(t.answers)
	for _, row := range rows {
		i := slices.IndexFunc(all, func(a AnswerRow) bool { return a.ID == row.ID })
		switch {
		case i < 0:
			all = append(all, row)
		case string(all[i].Value) != string(row.Value):
			return all[i].Conflict()
		}
	}
	t.answers = all
	return nil
}

// Prune implements Checkpointer.
func (m *Memory) Prune(_ context.Context, r Retention) (p Pruned, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.Steps < 0 {
		return p, r.Bad()
	}
	if r.Thread != "" {
		if _, err := m.thread(r.Thread); err != nil {
			return p, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.threads)) {
		t := m.threads[name]
		root, _, sub := strings.Cut(name, "|")
		if t == nil || r.Thread != "" && root != r.Thread {
			continue
		}
		if !sub && t.info.Expired(r.Before) && !t.info.Held(m.now()) {
			m.remove(name)
			p.Threads++
			continue
		}
		if cut := len(t.steps) - r.Steps; r.Steps > 0 && cut > 0 {
			first := *t.steps[cut]
			first.Fields = t.rows(cut)
			t.steps = append([]*Checkpoint{&first}, t.steps[cut+1:]...)
			p.Checkpoints += cut
		}
	}
	return p, nil
}

// Delete implements Checkpointer.
func (m *Memory) Delete(_ context.Context, thread string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.thread(thread)
	if err == nil && strings.Contains(thread, "|") {
		err = fmt.Errorf("%w: %q is part of another", ErrNoThread, thread)
	}
	if err != nil {
		return err
	}
	if t.info.Held(m.now()) {
		return t.info.Busy()
	}
	m.remove(thread)
	return nil
}

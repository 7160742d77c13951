package graph

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Load implements Checkpointer.
func (m *Memory) Load(_ context.Context, thread string, step int) (*Loaded, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.thread(thread)
	if err != nil {
		return nil, err
	}
	newest := len(t.steps) - 1
	i := newest
	if step >= 0 {
		i = slices.IndexFunc(t.steps, func(c *Checkpoint) bool { return c.Step == step })
	}
	if i < 0 {
		return nil, fmt.Errorf("%w: %q has no step %d", ErrNoThread, thread, step)
	}
	l := &Loaded{ThreadInfo: t.info, Checkpoint: *t.steps[i]}
	l.Checkpoint.Fields = t.rows(i)
	if i == newest {
		for _, k := range slices.Sorted(maps.Keys(t.tasks)) {
			l.Tasks = append(l.Tasks, t.tasks[k])
		}
		l.Effects, l.Answers = slices.Clone(t.effects), slices.Clone(t.answers)
	}
	return l, nil
}

// rows collects what makes up the state after t.steps[i].
func (t *memoryThread) rows(i int) []FieldRow {
	var rows []FieldRow
	missing := maps.Clone(t.fields)
	for ; len(missing) > 0 && i >= 0; i-- {
		for _, row := range slices.Backward(t.steps[i].Fields) {
			if missing[row.Field] {
				rows = append(rows, row)
				if !row.Delta {
					delete(missing, row.Field)
				}
			}
		}
	}
	slices.Reverse(rows)
	return rows
}

// History implements Checkpointer.
func (m *Memory) History(_ context.Context, thread string) iter.Seq2[Checkpoint, error] {
	return func(yield func(Checkpoint, error) bool) {
		m.mu.Lock()
		t, err := m.thread(thread)
		var steps []*Checkpoint
		if err == nil {
			steps = slices.Clone(t.steps)
		}
		m.mu.Unlock()
		if err != nil {
			yield(Checkpoint{}, err)
			return
		}
		for _, step := range steps {
			c := *step
			c.Fields = slices.Clone(c.Fields)
			if !yield(c, nil) {
				return
			}
		}
	}
}

// Threads implements Checkpointer.
func (m *Memory) Threads(context.Context) iter.Seq2[ThreadInfo, error] {
	return func(yield func(ThreadInfo, error) bool) {
		m.mu.Lock()
		var infos []ThreadInfo
		for _, name := range slices.Sorted(maps.Keys(m.threads)) {
			if !strings.Contains(name, "|") {
				infos = append(infos, m.threads[name].info)
			}
		}
		m.mu.Unlock()
		for _, i := range infos {
			if !yield(i, nil) {
				return
			}
		}
	}
}

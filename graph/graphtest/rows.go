package graphtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/graph"
)

// checkpoint is one of the graph "g", each with a frontier and a time of its own.
func checkpoint(step int, rows ...graph.FieldRow) graph.Checkpoint {
	return graph.Checkpoint{
		Step: step, Graph: "g", Frontier: fmt.Appendf(nil, `{"tasks":[{"node":"n%d"}]}`, step),
		Fields: rows, At: epoch.Add(time.Duration(step) * time.Minute),
	}
}

// first are the rows of a thread that begins with two fields.
func first() []graph.FieldRow { return []graph.FieldRow{whole("n", 0, `0`), whole("log", 0, `["s0"]`)} }

// step is the checkpoint of a step that sets n and appends to log.
func step(i int) graph.Checkpoint {
	return checkpoint(i, whole("n", i, fmt.Sprint(i)), delta("log", i, fmt.Sprintf(`["s%d"]`, i)))
}

func whole(field string, step int, data string) graph.FieldRow {
	return graph.FieldRow{Field: field, Step: step, Version: 3, Data: []byte(data)}
}

func delta(field string, step int, data string) graph.FieldRow {
	return graph.FieldRow{Field: field, Step: step, Version: 3, Delta: true, Data: []byte(data)}
}

func done(index int, data string) graph.TaskRow {
	return graph.TaskRow{Index: index, State: graph.TaskDone, Attempt: 1, Data: []byte(data)}
}

func effect(task int, key, data string) graph.EffectRow {
	return graph.EffectRow{Task: task, Key: key, Data: []byte(data)}
}

func answer(id, value, who string) graph.AnswerRow {
	return graph.AnswerRow{
		ID: id, Node: "gate", Key: "approve", Value: []byte(value), Who: who,
		At: epoch.Add(time.Hour), Shown: strings.Repeat("ab", 32),
	}
}

// byField groups rows by field and leaves those of a field as they are: the
// order of fields is the store's business.
func byField(rows []graph.FieldRow) []graph.FieldRow {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b graph.FieldRow) int { return strings.Compare(a.Field, b.Field) })
	return rows
}

// ordered brings what has no promised order into one.
func ordered(l *graph.Loaded) *graph.Loaded {
	l.Checkpoint.Fields = byField(l.Checkpoint.Fields)
	slices.SortFunc(l.Tasks, func(a, b graph.TaskRow) int { return a.Index - b.Index })
	slices.SortFunc(l.Effects, func(a, b graph.EffectRow) int {
		return cmp.Or(a.Task-b.Task, strings.Compare(a.Key, b.Key))
	})
	slices.SortFunc(l.Answers, func(a, b graph.AnswerRow) int { return strings.Compare(a.ID, b.ID) })
	return l
}

// dump is all that a store gives of some threads.
type dump struct {
	Listed  []graph.ThreadInfo
	Newest  []graph.Loaded
	Steps   []graph.Loaded
	History [][]graph.Checkpoint
}

// dump reads threads in every way. Of a thread that is not there it has nothing.
func (e *env) dump(threads ...string) (d dump) {
	e.Helper()
	d.Listed = slices.DeleteFunc(e.threads(), func(i graph.ThreadInfo) bool { return !slices.Contains(threads, i.Thread) })
	for _, name := range threads {
		l, err := e.store.Load(e.Context(), name, -1)
		if err != nil {
			e.refused(err, graph.ErrNoThread)
			continue
		}
		d.Newest = append(d.Newest, *ordered(l))
		d.History = append(d.History, e.history(name))
		for _, c := range d.History[len(d.History)-1] {
			d.Steps = append(d.Steps, *e.load(name, c.Step))
		}
	}
	return d
}

// Package told reads what a node wrote, as an event of the engine carries it, so that a
// person can watch a run. The fields of all workflows have the same names.
package told

import (
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
)

// The fields that every workflow has.
const (
	FieldWarnings = "warnings" // []string
	FieldTimes    = "times"    // map[string]time.Duration, by node
	FieldUsage    = "usage"    // map[string]llm.Usage, by node
)

// Field gives what an update writes to a field, the last of several.
func Field[V, S any](u graph.Update[S], field string) (v V, ok bool) {
	for _, w := range u {
		if w.Field() == field {
			if got, is := w.Value().(V); is {
				v, ok = got, true
			}
		}
	}
	return v, ok
}

// Warnings are those that an update adds.
func Warnings[S any](u graph.Update[S]) (all []string) {
	for _, w := range u {
		if list, ok := w.Value().([]string); ok && w.Field() == FieldWarnings {
			all = append(all, list...)
		}
	}
	return all
}

// Cost is what a node took: its name, which tells the tasks of a fan apart, its time, and
// what its models took.
func Cost[S any](node string, u graph.Update[S]) (name string, took time.Duration, usage llm.Usage) {
	times, _ := Field[map[string]time.Duration](u, FieldTimes)
	for name, took = range times {
		node = name
	}
	for _, w := range u {
		if by, ok := w.Value().(map[string]llm.Usage); ok && w.Field() == FieldUsage {
			for _, one := range by {
				usage = usage.Add(one)
			}
		}
	}
	return node, took, usage
}

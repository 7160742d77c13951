package graph

import "time"

// Event is one thing that happened in a run.
type Event struct {
	Seq    int64 // counts from 1 each time that the thread is run
	Kind   EventKind
	Thread string // a sub-graph's thread is its parent's with "|" and the task
	Run    string
	Step   int
	Task   string // "gather[2]" for a branch of a fan, else the node's name
	Node   string
	At     time.Time
	Data   any // by Kind
}

// EventKind says what happened, and what Data holds.
type EventKind string

// The kinds of events.
const (
	EventRunStart   EventKind = "run.start"
	EventStepStart  EventKind = "step.start" // []string: the tasks that will run
	EventTaskStart  EventKind = "task.start"
	EventTaskRetry  EventKind = "task.retry"  // error
	EventTaskDone   EventKind = "task.done"   // Update[S]; it is durable
	EventTaskFailed EventKind = "task.failed" // error
	EventInterrupt  EventKind = "interrupt"   // []Pause; they are durable
	EventCustom     EventKind = "custom"      // what Emit was given
	EventCheckpoint EventKind = "checkpoint"  // S, the state after the step; it is durable
	EventRunDone    EventKind = "run.done"    // Status
)

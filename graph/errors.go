package graph

import (
	"errors"
	"fmt"
	"strings"
)

// The errors that a caller may want to act on; compare with errors.Is.
var (
	// ErrThreadExists refuses a Start on a thread that has a history.
	ErrThreadExists = errors.New("graph: thread exists")
	// ErrNoThread means that no checkpoint is stored for the thread or step.
	ErrNoThread = errors.New("graph: no such thread")
	// ErrBusy means that a live runner holds the thread.
	ErrBusy = errors.New("graph: thread is being run")
	// ErrSuperseded ends a runner that lost its lease to another one.
	ErrSuperseded = errors.New("graph: lease lost to another runner")
	// ErrNoStore is returned by what needs a Checkpointer when there is none.
	ErrNoStore = errors.New("graph: no Checkpointer is configured")

	// ErrUnknownInterrupt refuses an answer to a question that nobody asked.
	ErrUnknownInterrupt = errors.New("graph: unknown interrupt")
	// ErrAlreadyAnswered refuses a second answer to a question.
	ErrAlreadyAnswered = errors.New("graph: interrupt is already answered")
	// ErrAmbiguousAnswer refuses an answer without an id when several are pending.
	ErrAmbiguousAnswer = errors.New("graph: which interrupt is answered?")
	// ErrAnswerType refuses an answer that does not fit the type asked for.
	ErrAnswerType = errors.New("graph: answer has the wrong type")
	// ErrKeyReused means that an attempt used a key of Interrupt or Once twice.
	ErrKeyReused = errors.New("graph: key is used twice in one task")

	// ErrConcurrentWrite means that two writes of one step exclude each other.
	ErrConcurrentWrite = errors.New("graph: conflicting writes in one step")
	// ErrUnknownField means that a field is not part of the graph.
	ErrUnknownField = errors.New("graph: unknown field")
	// ErrNoTarget means that a branch or fan chose what it had not declared.
	ErrNoTarget = errors.New("graph: undeclared target")
	// ErrMutated means that a node changed the state it was given.
	ErrMutated = errors.New("graph: node changed its input state")
	// ErrInvalidState wraps what Graph.Validate's function returned.
	ErrInvalidState = errors.New("graph: invalid state")
	// ErrStepLimit ends a run that needs more than MaxSteps steps.
	ErrStepLimit = errors.New("graph: step limit reached")
	// ErrVisitLimit ends a run that enters a node more often than MaxVisits.
	ErrVisitLimit = errors.New("graph: visit limit reached")

	// ErrGraphChanged means that a thread was written by another graph.
	ErrGraphChanged = errors.New("graph: graph changed since the checkpoint")
	// ErrFieldVersion means that a stored field has another version.
	ErrFieldVersion = errors.New("graph: field version differs")
	// ErrSecret refuses to encode a [Secret].
	ErrSecret = errors.New("graph: a Secret cannot be stored")
	// ErrInvalidUTF8 refuses to store text that JSON would silently alter.
	ErrInvalidUTF8 = errors.New("graph: text is not valid UTF-8; use []byte or strings.ToValidUTF8")
)

// Paused reports that a run waits for people. It is an outcome rather than a
// failure: answer with [AnswerTo] and [Resume].
type Paused struct {
	Thread string
	Pauses []Pause
}

func (p *Paused) Error() string {
	return fmt.Sprintf("graph: thread %q waits for %s", p.Thread, describe(p.Pauses))
}

func describe(ps []Pause) string {
	if len(ps) == 0 {
		return "nothing"
	}
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = fmt.Sprintf("%s (%s: %s)", p.ID, p.Node, p.Key)
	}
	return strings.Join(names, ", ")
}

// NodeError is a failure inside a node.
type NodeError struct {
	Thread  string
	Step    int
	Task    string // "gather[2]" for a branch of a fan, else the node's name
	Attempt int
	Err     error
}

func (e *NodeError) Error() string {
	if e.Attempt > 1 {
		return fmt.Sprintf("%s (step %d, attempt %d): %v", e.Task, e.Step, e.Attempt, e.Err)
	}
	return fmt.Sprintf("%s (step %d): %v", e.Task, e.Step, e.Err)
}

func (e *NodeError) Unwrap() error { return e.Err }

// PanicError is a panic of a function that the graph called.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap gives the panic value if it was an error.
func (e *PanicError) Unwrap() error { err, _ := e.Value.(error); return err }

// ConflictError names the two tasks, or twice the one, whose writes to Field exclude
// each other.
type ConflictError struct {
	Field string
	Tasks [2]string
	Reset bool // one of the writes was a Reset
}

func (e *ConflictError) Error() string {
	hint := "make it Reduce or Append, or let one task write it and Fork from this step"
	switch {
	case e.Reset:
		hint = "a Reset must be the only write of its step"
	case e.Tasks[0] == e.Tasks[1]:
		hint = "write it once"
	}
	return fmt.Sprintf("field %q is written by %s and %s: %s", e.Field, e.Tasks[0], e.Tasks[1], hint)
}

func (e *ConflictError) Unwrap() error { return ErrConcurrentWrite }

// FieldError says which stored field could not be encoded, decoded or migrated.
// The stored rows are untouched.
type FieldError struct {
	Thread string
	Step   int
	Field  string
	Err    error
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("graph: thread %q, step %d, field %q: %v", e.Thread, e.Step, e.Field, e.Err)
}

func (e *FieldError) Unwrap() error { return e.Err }

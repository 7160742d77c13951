package run

import (
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/nodes/told"
)

// EventKind says what happened.
type EventKind string

// The kinds of events.
const (
	Opens      EventKind = "open"    // Detail: a repository, before a run has a name
	Started    EventKind = "run"     // Run is its name
	NodeBegan  EventKind = "begin"   // Node
	NodeDone   EventKind = "done"    // Node, Took, Usage, Detail
	NodeFailed EventKind = "failed"  // Node, Detail
	NodeRetry  EventKind = "retry"   // Node, Detail
	Looked     EventKind = "look"    // Node, Round, Usage so far, Detail: the calls of a round
	Waits      EventKind = "waits"   // Node: it asks a person
	Warned     EventKind = "warning" // Detail
)

// Event is one thing that happened in a run, for a person who watches.
type Event struct {
	Kind   EventKind     `json:"event"`
	Run    string        `json:"run_id,omitempty"`
	Node   string        `json:"node,omitempty"` // "gather rag" for a side
	At     time.Time     `json:"at,omitzero"`
	Took   time.Duration `json:"-"`
	Millis int64         `json:"duration_ms,omitempty"` // Took
	Round  int           `json:"round,omitempty"`
	Usage  llm.Usage     `json:"usage,omitzero"`
	Detail string        `json:"detail,omitempty"`
}

// tell translates an event of the engine.
func (f *flow[S]) tell(e graph.Event, tell func(Event)) {
	out := Event{Node: e.Node, Run: e.Thread, At: e.At}
	switch e.Kind {
	case graph.EventTaskStart:
		out.Kind = NodeBegan
	case graph.EventTaskDone:
		out.Kind = NodeDone
		u, _ := e.Data.(graph.Update[S])
		for _, w := range told.Warnings(u) {
			tell(Event{Kind: Warned, Run: e.Thread, Node: e.Node, At: e.At, Detail: w})
		}
		out.Node, out.Took, out.Usage = told.Cost(e.Node, u)
		out.Millis = out.Took.Milliseconds()
		out.Detail = f.told(u)
	case graph.EventInterrupt:
		out.Kind = Waits
	case graph.EventTaskFailed:
		out.Kind, out.Detail = NodeFailed, errorText(e.Data)
	case graph.EventTaskRetry:
		out.Kind, out.Detail = NodeRetry, errorText(e.Data)
	case graph.EventCustom:
		round, ok := e.Data.(react.Round)
		if !ok {
			return
		}
		out.Kind, out.Round, out.Usage, out.Detail = Looked, round.Number, round.Usage, calls(round)
	default:
		return
	}
	tell(out)
}

func errorText(data any) string {
	if err, ok := data.(error); ok {
		return err.Error()
	}
	return ""
}

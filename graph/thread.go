package graph

import (
	"fmt"
	"strings"
	"time"
)

// What follows is for those who write a Checkpointer, so that all of them decide
// and say the same.

// Held reports whether a live owner holds the thread at now: its lease has not
// run out, and it is not known to be dead.
func (t ThreadInfo) Held(now time.Time) bool {
	return t.Owner != (Owner{}) && now.Before(t.Until) && !t.Owner.Gone()
}

// Covers reports whether the lease is that of the thread, or of the thread that a
// sub-thread belongs to.
func (l Lease) Covers(thread string) bool {
	return thread == l.Thread || strings.HasPrefix(thread, l.Thread+"|")
}

// Lost is the ErrSuperseded of a lease that does not hold the thread.
func (l Lease) Lost(thread string) error {
	return fmt.Errorf("%w: run %s does not hold thread %q", ErrSuperseded, l.Run, thread)
}

// Expired reports whether the run ended, other than in a pause, before the time.
func (t ThreadInfo) Expired(before time.Time) bool {
	ended := t.Status == StatusDone || t.Status == StatusFailed || t.Status == StatusCancelled
	return ended && t.Updated.Before(before)
}

// Busy is the ErrBusy of a thread that is held.
func (t ThreadInfo) Busy() error {
	return fmt.Errorf("%w: %q by process %d on %s until %s", ErrBusy, t.Thread, t.Owner.PID, t.Owner.Host, t.Until.Format(time.RFC3339))
}

// Exists is the ErrThreadExists of a thread that is to begin.
func (t ThreadInfo) Exists() error {
	return fmt.Errorf("%w: %q is %s at step %d; Resume or Continue it, Fork it, or Delete it first", ErrThreadExists, t.Thread, t.Status, t.Step)
}

// Conflict is the ErrAlreadyAnswered of a question that has this answer.
func (a AnswerRow) Conflict() error {
	return fmt.Errorf("%w: %s by %s", ErrAlreadyAnswered, a.ID, a.Who)
}

// Bad is the error of a retention that makes no sense.
func (r Retention) Bad() error {
	return fmt.Errorf("graph: Retention.Steps is %d, want at least 1, or 0 to keep all", r.Steps)
}

package graph

import (
	"context"
	"iter"
	"time"
)

// Checkpointer keeps threads. Each method is one transaction: it happens whole
// and durably, or not at all. All methods are safe for concurrent use, also by
// several processes where the store is shared. What a method is given and gives
// is JSON made by this package; a store keeps it as it is.
//
// A thread is held through a Lease by at most one runner. A write whose lease
// was taken over fails with [ErrSuperseded] and changes nothing. The runner of a
// thread also writes the threads of its sub-graphs, whose names start with
// the thread's name and "|"; they are held by the same lease.
//
// graph/graphtest has the suite that every Checkpointer must pass.
type Checkpointer interface {
	// Begin creates a thread with its first checkpoint and leases it. If the
	// thread exists, it fails with ErrThreadExists.
	Begin(ctx context.Context, thread string, c Claim, first Checkpoint) (Lease, error)
	// Acquire leases a thread and makes it StatusRunning; Lease.Was keeps what it
	// was. While another owner holds an unexpired lease and is not known to be dead
	// (see [ThreadInfo.Held]), it fails with ErrBusy.
	Acquire(ctx context.Context, thread string, c Claim) (Lease, error)
	// Renew extends a lease by its TTL from now.
	Renew(ctx context.Context, l Lease) error
	// Release ends a lease and records how the run ended. It is a barrier: what
	// was written before survives a loss of power.
	Release(ctx context.Context, l Lease, s Status) error

	// Commit adds checkpoint c to a thread held by l, creating the thread of a
	// sub-graph with its first. It drops the tasks and effects of the step that c
	// closes (c.Step-1) and the sub-threads in c.Ended.
	Commit(ctx context.Context, l Lease, thread string, c Checkpoint) error
	// PutTasks records the outcome of tasks of an open step, replacing older
	// rows. If one of them is TaskPaused it is a barrier.
	PutTasks(ctx context.Context, l Lease, thread string, step int, rows []TaskRow) error
	// PutEffect records what Once returned, replacing what it had under the same key.
	// It is a barrier.
	PutEffect(ctx context.Context, l Lease, thread string, step int, e EffectRow) error
	// PutAnswers records answers of people, all or none; it needs no lease and is
	// a barrier. An id that has another answer fails with ErrAlreadyAnswered; one
	// that has the same value already is left as it is.
	PutAnswers(ctx context.Context, thread string, rows []AnswerRow) error

	// Load reads a thread at a step; a negative step is the newest, for which
	// tasks, effects and answers are given too. For each field Fields holds the
	// newest whole row and the deltas after it, oldest first. It fails with
	// ErrNoThread if there is no such thread or step.
	Load(ctx context.Context, thread string, step int) (*Loaded, error)
	// History gives the checkpoints of a thread, oldest first: of the first all
	// rows that Load would give, of the others what their step wrote. Each is read
	// on its own; if one is pruned meanwhile, the last pair is an error.
	History(ctx context.Context, thread string) iter.Seq2[Checkpoint, error]
	// Threads lists the threads that Begin made, by name.
	Threads(ctx context.Context) iter.Seq2[ThreadInfo, error]
	// Prune drops what r does not retain and gives the disk space back.
	Prune(ctx context.Context, r Retention) (Pruned, error)
	// Delete removes a thread, its sub-threads, and everything that no other
	// thread shares with them. A thread with a live owner fails with ErrBusy.
	Delete(ctx context.Context, thread string) error
}

// Claim is a runner's wish to hold a thread.
type Claim struct {
	Owner Owner
	TTL   time.Duration
	Run   string // unique for each Begin; Acquire ignores it
}

// Lease is the right to write to a thread. Fence grows with every owner.
type Lease struct {
	Thread string
	Run    string
	Fence  int64
	TTL    time.Duration
	Was    Status // before Acquire
}

// Status is the state of a thread's run.
type Status string

// A thread whose owner died stays StatusRunning; its lease tells the difference.
const (
	StatusRunning   Status = "running"
	StatusPaused    Status = "paused"
	StatusDone      Status = "done"
	StatusFailed    Status = "failed"
	StatusCancelled Status = "cancelled"
)

// Checkpoint is the state of a thread between two steps.
type Checkpoint struct {
	Step     int
	Graph    string // hash of the graph that wrote it
	Frontier []byte // the tasks of the next step
	Fields   []FieldRow
	Ended    []string // sub-threads that are over
	At       time.Time
}

// FieldRow is the value of a field, or with Delta a part to append to it. Step is
// the step that wrote it: in a fork it can be older than its checkpoint.
type FieldRow struct {
	Field   string
	Step    int
	Delta   bool
	Version int
	Data    []byte
}

// TaskRow is the outcome of one task of the open step, by its position.
type TaskRow struct {
	Index   int
	State   TaskState
	Attempt int
	Data    []byte
}

// TaskState is the outcome of a task.
type TaskState string

// The outcomes. TaskStarted is recorded only for nodes with a Retry policy, so
// that attempts that killed the process are counted.
const (
	TaskStarted TaskState = "started"
	TaskDone    TaskState = "done"
	TaskPaused  TaskState = "paused"
	TaskFailed  TaskState = "failed"
)

// EffectRow is the remembered result of one Once.
type EffectRow struct {
	Task int
	Key  string
	Data []byte
}

// AnswerRow is a person's answer, kept for good.
type AnswerRow struct {
	ID    string
	Node  string
	Key   string
	Value []byte // JSON
	Who   string
	At    time.Time
	Shown string // hex SHA-256 of the payload that was shown
}

// ThreadInfo describes a thread.
type ThreadInfo struct {
	Thread  string
	Run     string
	Status  Status
	Step    int
	Updated time.Time
	Owner   Owner // zero if nobody holds it
	Until   time.Time
}

// Loaded is what Load read.
type Loaded struct {
	ThreadInfo
	Checkpoint Checkpoint
	Tasks      []TaskRow
	Effects    []EffectRow
	Answers    []AnswerRow
}

// Retention says what Prune keeps.
type Retention struct {
	// Thread limits pruning to one thread. Empty means all.
	Thread string
	// Steps keeps that many newest checkpoints of a thread. Zero keeps all; less is
	// an error.
	Steps int
	// Before deletes threads that were done, failed or cancelled and not touched
	// since. The zero time deletes none.
	Before time.Time
}

// Pruned says what Prune removed.
type Pruned struct {
	Threads, Checkpoints int
}

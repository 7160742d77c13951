//go:build linux

package sqlite_test

import (
	"context"
	"encoding/json"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/repomind/repomind/graph"
)

// killer is a store that notes what it stored and kills its process before or
// after one of its calls.
type killer struct {
	graph.Checkpointer
	journal
	when  kill
	calls atomic.Int64
	still sync.RWMutex // locked while no call may be under way
}

// kill is a moment at which a process is killed. The zero value is never.
type kill struct {
	Call  int // counts from 1
	After bool
}

// call makes a store call and notes what it stored.
func (k *killer) call(name string, p place, fn func() error, stored ...entry) error {
	k.still.RLock()
	defer k.still.RUnlock()
	n := int(k.calls.Add(1))
	if k.when == (kill{Call: n}) {
		k.die("before "+name, p)
	}
	err := fn()
	if err == nil && len(stored) > 0 {
		k.note(stored...)
	}
	if k.when == (kill{Call: n, After: true}) {
		k.die("after "+name, p)
	}
	return err
}

func (k *killer) die(name string, p place) {
	k.note(entry{What: killed, Name: name, Place: p})
	killSelf()
}

func killSelf() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// stop stops the process, outside of any transaction, until it is continued.
func (k *killer) stop() {
	k.still.Lock()
	defer k.still.Unlock()
	// A signal that a thread sends to itself arrives before its next instruction.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_ = syscall.Tgkill(os.Getpid(), syscall.Gettid(), syscall.SIGSTOP)
}

func (k *killer) Begin(ctx context.Context, thread string, c graph.Claim, first graph.Checkpoint) (l graph.Lease, err error) {
	p := place{Thread: thread}
	err = k.call("Begin", p, func() error { l, err = k.Checkpointer.Begin(ctx, thread, c, first); return err }, entry{What: committed, Place: p})
	return l, err
}

func (k *killer) Acquire(ctx context.Context, thread string, c graph.Claim) (l graph.Lease, err error) {
	err = k.call("Acquire", place{Thread: thread}, func() error { l, err = k.Checkpointer.Acquire(ctx, thread, c); return err })
	return l, err
}

func (k *killer) Renew(ctx context.Context, l graph.Lease) error {
	k.still.RLock()
	defer k.still.RUnlock()
	return k.Checkpointer.Renew(ctx, l)
}

func (k *killer) Release(ctx context.Context, l graph.Lease, s graph.Status) error {
	return k.call("Release", place{Thread: l.Thread}, func() error { return k.Checkpointer.Release(ctx, l, s) })
}

func (k *killer) Commit(ctx context.Context, l graph.Lease, thread string, c graph.Checkpoint) error {
	p := place{Thread: thread, Step: c.Step}
	return k.call("Commit", p, func() error { return k.Checkpointer.Commit(ctx, l, thread, c) }, entry{What: committed, Place: p})
}

func (k *killer) PutTasks(ctx context.Context, l graph.Lease, thread string, step int, rows []graph.TaskRow) error {
	var stored []entry
	for _, r := range rows {
		if r.State == graph.TaskDone {
			stored = append(stored, entry{What: finished, Place: place{thread, step, r.Index}})
		}
	}
	return k.call("PutTasks", place{Thread: thread, Step: step},
		func() error { return k.Checkpointer.PutTasks(ctx, l, thread, step, rows) }, stored...)
}

func (k *killer) PutEffect(ctx context.Context, l graph.Lease, thread string, step int, e graph.EffectRow) error {
	stored := entry{What: kept, Place: place{thread, step, e.Task}}
	if err := json.Unmarshal(e.Data, &stored.Value); err != nil {
		return err
	}
	return k.call("PutEffect", stored.Place, func() error { return k.Checkpointer.PutEffect(ctx, l, thread, step, e) }, stored)
}

func (k *killer) PutAnswers(ctx context.Context, thread string, rows []graph.AnswerRow) error {
	return k.call("PutAnswers", place{Thread: thread}, func() error { return k.Checkpointer.PutAnswers(ctx, thread, rows) })
}

func (k *killer) Load(ctx context.Context, thread string, step int) (l *graph.Loaded, err error) {
	err = k.call("Load", place{Thread: thread}, func() error { l, err = k.Checkpointer.Load(ctx, thread, step); return err })
	return l, err
}

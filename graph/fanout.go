package graph

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
)

// runAll runs the tasks of the step that are not done and not waiting for an
// answer. In a fan each result is durable before it counts.
func (r *runner) runAll(ctx context.Context) error {
	todo := r.next.tasks[:0:0]
	for _, t := range r.next.tasks {
		if t.state == "" {
			todo = append(todo, t)
		}
	}
	if len(todo) == 0 {
		return nil
	}
	if r.ses.sink != nil {
		r.emit(EventStepStart, labels(todo))
	}
	if r.next.from == "" {
		return r.runOne(ctx, todo[0])
	}
	return r.runMany(ctx, todo)
}

// runOne runs a task alone in its step: its checkpoint is its record, so only
// what ends the run is put.
func (r *runner) runOne(ctx context.Context, t *task) error {
	if err := r.execute(ctx, t); err != nil || t.state == TaskDone {
		return err
	}
	if err := r.put(ctx, t); err != nil {
		return err
	}
	t.asked()
	return nil
}

// asked tells of the questions of a task once they are durable. Those of a
// sub-graph were told by itself.
func (t *task) asked() {
	if t.state == TaskPaused && !t.n.kind.sub() {
		t.emit(EventInterrupt, t.pauses)
	}
}

// runMany runs tasks on as many workers as the run may have. After a failure no
// further task is begun; those at work finish and are kept.
func (r *runner) runMany(ctx context.Context, todo []*task) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		wg   sync.WaitGroup
		next atomic.Int64
		stop atomic.Bool
		out  = make(chan *task, min(len(todo), 256))
	)
	work := func() {
		for !stop.Load() && ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(todo) {
				return
			}
			r.work(ctx, todo[i], out, cancel)
			if todo[i].state == TaskFailed {
				stop.Store(true)
			}
		}
	}
	for range min(len(todo), r.ses.cfg.Concurrency) {
		wg.Go(work)
	}
	go func() { wg.Wait(); close(out) }()
	err := r.collect(ctx, out, cancel)
	if err == nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	return err
}

// work runs one task and hands it over, even if its node ends the goroutine.
func (r *runner) work(ctx context.Context, t *task, out chan<- *task, cancel context.CancelCauseFunc) {
	returned := false
	defer func() {
		if !returned {
			t.fail(r, errGoexit)
		}
		out <- t
	}()
	if err := r.execute(ctx, t); err != nil {
		cancel(err)
	}
	returned = true
}

// collect makes results durable: all that have come in since the last write go
// into one transaction.
func (r *runner) collect(ctx context.Context, out <-chan *task, cancel context.CancelCauseFunc) (failed error) {
	for t := range out {
		batch := []*task{t}
		for more := true; more; {
			select {
			case t, ok := <-out:
				if more = ok; ok {
					batch = append(batch, t)
				}
			default:
				more = false
			}
		}
		if failed != nil {
			continue
		}
		if failed = r.put(ctx, batch...); failed != nil {
			cancel(failed)
			continue
		}
		for _, t := range batch {
			if t.state == TaskDone {
				t.emit(EventTaskDone, t.told)
			}
			t.asked()
		}
	}
	return failed
}

// put records the outcomes of tasks.
func (r *runner) put(ctx context.Context, tasks ...*task) error {
	if r.ses.store == nil {
		return nil
	}
	rows := make([]TaskRow, 0, len(tasks))
	for _, t := range tasks {
		if t.state == "" {
			continue // cancelled: nothing to record
		}
		row, err := t.row()
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	return r.ses.store.PutTasks(context.WithoutCancel(ctx), r.ses.lease, r.thread, r.step, rows)
}

func (t *task) row() (TaskRow, error) {
	var d taskData
	switch t.state {
	case TaskDone:
		d.Writes = t.writes
	case TaskPaused:
		d.Pauses = t.pauses
	case TaskFailed:
		d.Error = strings.ToValidUTF8(t.err.Error(), "\uFFFD")
		if t.n.kind.sub() {
			d.Pauses = t.pauses // a branch of the sub-graph failed, others wait
		}
	}
	data, err := encodeJSON(d)
	return TaskRow{Index: t.index, State: t.state, Attempt: t.attempt, Data: data}, err
}

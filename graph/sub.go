package graph

import (
	"context"
	"errors"
	"strconv"
)

// subgraph makes the node function that runs g as a part of another graph.
func subgraph[S, C any](g *Graph[C], in func(s, arg any) C, out func(C) Update[S]) func(Config) (child, error) {
	return func(cfg Config) (child, error) {
		app, err := g.plan.compile(cfg)
		if err != nil {
			return child{}, err
		}
		return child{hash: app.hash, bounds: app.bounds, run: func(ctx context.Context, s, arg any) ([]write, any, error) {
			c, err := app.runSub(ctx, func() any { c := in(s, arg); return &c })
			if err != nil {
				return nil, nil, err
			}
			return returned(out(*c.(*C)), nil)
		}}, nil
	}
}

// runSub runs the graph on a thread of its own, which belongs to the task that is
// found in ctx, or goes on with it.
func (a *core) runSub(ctx context.Context, first func() any) (any, error) {
	sc, err := scopeOf(ctx)
	if err != nil {
		return nil, err
	}
	r := a.runner(sc.ses, sc.subThread())
	if err := r.open(ctx, first, sc.fresh && sc.attempt == 1); err != nil {
		return nil, err
	}
	err = r.loop(ctx)
	for _, t := range r.next.tasks {
		if t.state == TaskPaused || t.n.kind.sub() {
			sc.pauses = append(sc.pauses, sc.ses.open(t.pauses)...) // also if another branch failed
		}
	}
	return r.view(), err
}

// subThread is the thread of the sub-graph that this task runs.
func (s *scope) subThread() string {
	return s.thread + "|" + strconv.Itoa(s.step) + "." + strconv.Itoa(s.index)
}

// open loads the sub-thread if there can be one, and else begins it.
func (r *runner) open(ctx context.Context, first func() any, fresh bool) error {
	if r.ses.store == nil {
		_, err := r.begin(first())
		return err
	}
	if !fresh {
		l, err := r.ses.store.Load(ctx, r.thread, -1)
		if err == nil {
			_, err := r.load(l)
			r.wake()
			return err
		}
		if !errors.Is(err, ErrNoThread) {
			return err
		}
	}
	c, err := r.begin(first())
	if err != nil {
		return err
	}
	err = r.ses.store.Commit(context.WithoutCancel(ctx), r.ses.lease, r.thread, c)
	if err == nil {
		r.stored(c.Fields)
	}
	return err
}
